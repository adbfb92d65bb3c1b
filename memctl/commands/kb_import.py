"""`memctl kb import`: files, folders, JSON lines or standard input into a knowledge base."""

import asyncio
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from memctl.client import MemdClient
from memctl.client.errors import ClientError, Forbidden
from memctl.commands.import_options import NEEDS_WRITE, note_failure, note_incomplete, note_unanswered, wait_option
from memctl.commands.import_report import report
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.diagnostics import CommandError, ExitCode, exit_code_of, explain, give_up, note
from memctl.importers.delivery import Delivery
from memctl.importers.download import download, is_url
from memctl.importers.filling import Plan, fill, note_empty_folders, note_missing_roots, note_stale, remove_gone
from memctl.importers.ledger import Ledger
from memctl.importers.named_bases import make_base
from memctl.importers.retries import until_reached
from memctl.importers.sources import STDIN, Filters
from memctl.importers.watching import watch_for_changes
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.settings import state_dir
from memctl.termination import sigterm_cancels
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.limits import CHUNKS_PER_REQUEST_MAX


@click.command(
    "import",
    epilog=examples(
        "memctl kb import handbook ./docs README.md --create",
        'memctl kb import handbook ./docs --include "*.md" --exclude "drafts/*" --prune',
        "memctl kb import handbook ./docs --prune --watch",
        "memctl kb import handbook chunks.jsonl --json",
        "memctl kb import handbook https://example.com/faq.html",
        'pandoc faq.tex -t markdown | memctl kb import handbook - --title "FAQ"',
    ),
)
@click.argument("base", metavar="KB", type=KB)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--include", multiple=True, help="Import only the files in folders that match this pattern; repeatable.")
@click.option("--exclude", multiple=True, help="Skip the files in folders that match this pattern; repeatable.")
@click.option(
    "--base-dir",
    "root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that keys are relative to; when absent, the repository of a path, or its parent folder.",
)
@click.option("--title", help="Read standard input as a text with this title instead of JSON lines.")
@click.option(
    "--chunk-size",
    type=click.IntRange(200, 100_000),
    default=1200,
    show_default=True,
    help="Maximum characters of a chunk.",
)
@click.option(
    "--batch",
    type=click.IntRange(1, CHUNKS_PER_REQUEST_MAX),
    default=200,
    show_default=True,
    help="Maximum chunks of a request.",
)
@wait_option
@click.option("--create", is_flag=True, help="Create the knowledge base if none has the name.")
@click.option("--all", "everything", is_flag=True, help="Send unchanged chunks too.")
@click.option(
    "--prune", is_flag=True, help="Archive the chunks whose source in the given paths, or the path itself, is gone."
)
@click.option("--dry-run", is_flag=True, help="Only show what would be sent and archived.")
@click.option("--watch", is_flag=True, help="Keep running and import changes until Ctrl+C.")
@click.option("--ignore-rejected", is_flag=True, help="Exit with 0 even if chunks were rejected, for scheduled runs.")
@remote
@forms()
def import_(
    paths: tuple[str, ...], include: tuple[str, ...], exclude: tuple[str, ...], wait: float, form: Form, **asked: Any
) -> None:
    """Import files, folders, web pages, JSON files of chunks, or standard input (`-`) into a knowledge base.

    Folders are searched for Markdown, text, reStructuredText, HTML, PDF, Word, CSV and .jsonl files; --include adds
    others. Only the content of an HTML page is read, not its menus; a page without a heading of level 1 gets the title
    of its front matter or HTML head. A chunk's key consists of the path of its file, or the URL of its page, and its
    headings, so that a second run, from any folder, edits in place and sends only the changes. To resume an
    interrupted run, start it again.

    Each line of a .jsonl file is a chunk: `title` and `content` (or `text`), and optionally `dedupeKey`, `sourceUrl` and `tags`.
    So is each element of a .json file that holds a list of such objects; other JSON is imported as plain text.
    """
    plan = Plan(paths=paths, filters=Filters(include, exclude), **asked)
    if plan.watch and (STDIN in paths or any(map(is_url, paths)) or plan.dry_run):
        raise click.UsageError("--watch takes files or folders, and excludes --dry-run")
    with tempfile.TemporaryDirectory(prefix="memctl-") as folder:
        try:
            plan = replace(plan, downloads={path: download(path, Path(folder)) for path in paths if is_url(path)})
        except CommandError as error:
            give_up(str(error), error.code)
        try:
            plan.sources()
        except CommandError as error:
            raise click.UsageError(str(error)) from error
        _fill(plan, wait, form)


def _fill(plan: Plan, wait: float, form: Form) -> None:
    """Connect, and do what the plan says."""

    async def action(client: MemdClient) -> ExitCode:
        with sigterm_cancels():
            return await fill_base(client)

    async def fill_base(client: MemdClient) -> ExitCode:
        base_id = await until_reached(partial(_base, client, plan), wait)
        if base_id is None:
            return await _count_as_new(client, plan, form)
        ledger = Ledger.of(state_dir(), client.url, base_id)
        with await ledger.lock(), ledger:
            await ledger.reconcile(client, base_id)
            placed = plan.placed(ledger)
            placed.check_missing(ledger)
            if not plan.dry_run:
                ledger.remember_roots(placed.bases)
            code = await _import(client, Delivery(client, base_id, ledger), placed, form)
        if not plan.watch or code not in {ExitCode.OK, ExitCode.DONE_IN_PART}:
            return code
        with suppress(asyncio.CancelledError):  # Ctrl+C is the way to end it
            async for delivery in watch_for_changes(client, base_id, ledger, placed):
                report(base_id, delivery.summary, 0.0, form, complete=True)
        return ExitCode.OK

    run(action, wait=wait)


async def _count_as_new(client: MemdClient, plan: Plan, form: Form) -> ExitCode:
    """A dry run for a knowledge base that is yet to be made."""
    with tempfile.TemporaryDirectory(prefix="memctl-") as folder, Ledger(Path(folder) / "ledger.jsonl") as ledger:
        placed = replace(plan.placed(ledger), prune=False)
        return await _import(client, Delivery(client, "", ledger), placed, form)


async def _import(client: MemdClient, delivery: Delivery, plan: Plan, form: Form) -> ExitCode:
    """Carry out the plan, and report the result whatever happens."""
    started = time.monotonic()
    failure: ClientError | None = None
    try:
        sources = plan.sources()
        note_empty_folders(delivery, plan, sources)
        await fill(delivery, plan, sources)
        if plan.prune:
            await remove_gone(client, delivery, plan.roots(), dry_run=plan.dry_run)
        else:
            note_stale(delivery, plan, sources)
        note_missing_roots(delivery, plan)
    except ClientError as error:
        failure = error
    except asyncio.CancelledError:
        report(delivery.base, delivery.summary, time.monotonic() - started, form, complete=False)
        note_unanswered(delivery.unanswered, "chunk")
        note_incomplete(delivery.share)
        raise
    report(delivery.base, delivery.summary, time.monotonic() - started, form, complete=failure is None)
    if failure is not None:
        note_failure(failure, delivery.share)
        return exit_code_of(failure)
    if plan.dry_run:
        note("dry run: nothing was sent; memd may still reject some chunks")
    return ExitCode.DONE_IN_PART if delivery.summary.rejected and not plan.ignore_rejected else ExitCode.OK


async def _base(client: MemdClient, plan: Plan) -> str | None:
    """The id of the knowledge base, which is made when asked for; None where a dry run does not make it."""
    try:
        return await id_of(client, plan.base)
    except CommandError as error:
        if not plan.create or error.code is not ExitCode.NOT_FOUND:
            raise
    if plan.dry_run:
        note(f"there is no knowledge base {plan.base}: the import would create it")
        return None
    try:
        row = await make_base(client, CreateKnowledgeBaseRequest(name=plan.base))
    except Forbidden as error:
        raise CommandError(f"{explain(error)}\n{NEEDS_WRITE}", ExitCode.NOT_AUTHORISED) from error
    return row.id
