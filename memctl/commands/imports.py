"""`memctl import`: what other systems and earlier exports hold, brought into memd; a second run changes nothing."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.commands.import_options import note_failure, note_incomplete, note_unanswered, wait_option
from memctl.commands.import_report import say_kept, say_rejected
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import CommandError, ExitCode, exit_code_of, give_up, meter, note
from memctl.groups import Group
from memctl.importers import chatgpt as chatgpt_export
from memctl.importers import claude as claude_export
from memctl.importers.bases import Bases
from memctl.importers.chatgpt import read_chatgpt
from memctl.importers.claude import read_claude
from memctl.importers.intake import Counts, Intake, Summary
from memctl.importers.jsonl import read_jsonl
from memctl.importers.markdown_notes import read_markdown
from memctl.importers.mem0 import read_mem0
from memctl.importers.records import Record
from memctl.importers.retries import until_reached
from memctl.importers.transcripts import read_transcripts
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.settings import state_dir
from memctl.termination import sigterm_cancels
from memctl.text import count

Command = TypeVar("Command", bound=Callable[..., Any])
Reader = Callable[[Path], Iterator[Record]]


@click.group(
    "import",
    cls=Group,
    epilog=examples(
        "memctl import chatgpt conversations.json",
        "memctl import jsonl memories.jsonl",
        "memctl import markdown ./notes --dry-run",
    ),
)
def import_() -> None:
    """Bring in memories and messages from other systems, or from an export; a second run changes nothing."""


_overwrite = click.option(
    "--overwrite",
    is_flag=True,
    help="Let the import win where memd is newer: replace under the same key, add what was edited or superseded.",
)

_again = click.option(
    "--again", is_flag=True, help="Bring in memories, too, that were imported or stored and then forgotten."
)


def _takes_files(command: Command, *, or_stdin: bool = False) -> Command:
    """Add the files, among which `-` may be standard input, and the options of every import."""
    kind = click.Path(exists=True, readable=True, allow_dash=or_stdin, path_type=Path)
    command = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=kind)(command)
    command = wait_option(command)
    command = click.option("--dry-run", is_flag=True, help="Only show what would be sent.")(command)
    return remote(forms()(command))


@import_.command(
    epilog=examples(
        "memctl import chatgpt conversations.json", "memctl import chatgpt export.zip --channel chatgpt:work"
    )
)
@click.option("--channel", default=chatgpt_export.CHANNEL, show_default=True, help="Channel of the messages.")
@_takes_files
def chatgpt(files: tuple[Path, ...], channel: str, dry_run: bool, wait: float, form: Form) -> None:
    """Import the conversations of a ChatGPT data export: conversations.json, the .zip, or its folder.

    Roles, times and conversations are kept; if a conversation has several branches, the one viewed last is imported.
    Markup of the web page, such as citation marks, is removed.
    """
    _import(files, lambda path: read_chatgpt(path, channel), form, dry_run=dry_run, wait=wait)


@import_.command(
    epilog=examples("memctl import claude conversations.json", "memctl import claude data-2026-11-05.zip --json")
)
@click.option("--channel", default=claude_export.CHANNEL, show_default=True, help="Channel of the messages.")
@_again
@_takes_files
def claude(files: tuple[Path, ...], channel: str, form: Form, **options: Any) -> None:
    """Import a Claude data export: conversations.json, the .zip, or its folder.

    Roles, times, conversations and the texts of attachments are kept. projects.json becomes knowledge bases, and
    memories.json memories.
    """
    _import(files, lambda path: read_claude(path, channel), form, **options)


@import_.command(epilog=examples("memctl import mem0 memories.json", "memctl import mem0 export.json --channel crm"))
@click.option(
    "--channel",
    "-c",
    type=CHANNEL,
    help="Channel of the memories; when absent, one per mem0 user if a file has several.",
)
@_again
@_takes_files
def mem0(files: tuple[Path, ...], channel: str | None, form: Form, **options: Any) -> None:
    """Import memories from mem0: the JSON that get_all() returns, or an export."""
    _import(files, lambda path: read_mem0(path, channel), form, **options)


@import_.command(
    epilog=examples("memctl import markdown ./export", "memctl import markdown ./notes --channel notes --dry-run")
)
@click.option("--channel", "-c", type=CHANNEL, help="Channel of the memories, instead of the one in each file.")
@_overwrite
@_again
@_takes_files
def markdown(files: tuple[Path, ...], channel: str | None, form: Form, **options: Any) -> None:
    """Import a folder that `memctl export --format markdown` wrote, or notes of your own: one memory a file.

    What was changed in memd after the export stays, and is named; --overwrite replaces it.
    """
    _import(files, lambda path: read_markdown(path, channel), form, **options)


@import_.command(
    epilog=examples(
        "memctl import jsonl memories.jsonl",
        "memctl import jsonl messages.jsonl --channel slack:ops",
        "memctl export --profile work | memctl import jsonl -",
    )
)
@click.option(
    "--channel", "-c", type=CHANNEL, help="Channel of memories and messages, instead of the one in each line."
)
@_overwrite
@_again
@partial(_takes_files, or_stdin=True)
def jsonl(files: tuple[Path, ...], channel: str | None, form: Form, **options: Any) -> None:
    """Import JSON lines: what `memctl export` wrote; memories (title, content, …); messages (role, content, …).

    Of an export, what was changed in memd after it stays, and is named; --overwrite replaces it. Other memories replace
    those with the same key. FILE `-` is standard input.
    """
    _import(files, lambda path: read_jsonl(path, channel), form, **options)


@import_.command(
    epilog=examples(
        "memctl import transcripts ~/.claude/projects --dry-run",
        "memctl import transcripts ~/.codex/sessions",
        "memctl import transcripts rollout.jsonl --channel shop",
    )
)
@click.option(
    "--channel",
    "-c",
    type=CHANNEL,
    help="Channel for the messages; {folder} is replaced by the path of the project.  [default: one per project]",
)
@_takes_files
def transcripts(files: tuple[Path, ...], channel: str | None, dry_run: bool, wait: float, form: Form) -> None:
    """Import sessions of Claude Code, Codex, Gemini CLI or Copilot CLI: a transcript, or a folder with some.

    What the user and the agent said is kept. For sessions from before `memctl hooks install`: those that hooks have
    stored would be there twice.
    """
    _import(files, lambda path: read_transcripts(path, channel), form, dry_run=dry_run, wait=wait)


def _import(
    files: Iterable[Path],
    reader: Reader,
    form: Form,
    *,
    dry_run: bool,
    wait: float,
    overwrite: bool = False,
    again: bool = False,
) -> None:
    """Read everything first, so that a wrong file changes nothing; then import it and report the outcome."""
    try:
        records = [record for file in files for record in reader(file)]
    except CommandError as error:
        give_up(str(error), error.code)
    except OSError as error:
        give_up(str(error), ExitCode.USAGE)

    async def action(client: MemdClient) -> ExitCode:
        with sigterm_cancels():
            if not dry_run:
                await until_reached(client.accounts.whoami, wait)
            with Bases(client, state_dir(), overwrite=overwrite) as bases:
                intake = Intake(client, bases, overwrite=overwrite, again=again, dry_run=dry_run)
                return await _bring_in(records, form, intake, dry_run=dry_run)

    run(action, wait=0 if dry_run else wait)


async def _bring_in(records: list[Record], form: Form, intake: Intake, *, dry_run: bool) -> ExitCode:
    started = time.monotonic()
    failure: ClientError | None = None
    with meter("importing", len(records) or None) as progress:
        try:
            await intake.take(records, progress)
        except ClientError as error:
            failure = error
        except asyncio.CancelledError:
            _report(intake.summary, time.monotonic() - started, form, complete=False, dry_run=dry_run)
            note_unanswered(intake.unanswered, "row")
            note_incomplete(intake.summary.handled / max(len(records), 1))
            raise
    _report(intake.summary, time.monotonic() - started, form, complete=failure is None, dry_run=dry_run)
    if failure is not None:
        note_failure(failure, intake.summary.handled / max(len(records), 1))
        return exit_code_of(failure)
    if dry_run:
        note("dry run: nothing was sent; rows that memd already has are counted, too")
    return ExitCode.DONE_IN_PART if intake.summary.rejected else ExitCode.OK


def _report(summary: Summary, seconds: float, form: Form, *, complete: bool, dry_run: bool) -> None:
    """The summary on standard output; rejections with their reasons."""
    kinds = {"messages": summary.messages, "memories": summary.memories, "chunks": summary.chunks}
    if form is Form.JSON:
        counts = {name: {"new": each.new, "known": each.known} for name, each in kinds.items()}
        rejected = [{"origin": each.origin, "reason": each.reason} for each in summary.rejected]
        rest = {
            "repeated": summary.repeated,
            "forgotten": summary.forgotten,
            "truncated": summary.truncated,
            "leftOut": dict(summary.left_out),
            "rejected": rejected,
        }
        output.document(
            {"complete": complete, **counts, **_against_memd(summary), **rest, "seconds": round(seconds, 3)}
        )
        return
    parts = [
        f"{name}: {each.new:,} to send" if dry_run else f"{name}: {each.new:,} new, {_known(summary, each)}"
        for name, each in kinds.items()
        if each.new or each.known
    ]
    parts += [f"{len(summary.replaced):,} replaced"] if summary.replaced else []
    parts += [f"{summary.forgotten:,} forgotten"] if summary.forgotten else []
    nothing = "nothing to import" if complete else "nothing imported"
    output.say("; ".join(parts or [nothing]) + f"; {len(summary.rejected):,} rejected in {seconds:.1f} s")
    say_kept(summary.kept)
    if summary.forgotten:
        it = "it" if summary.forgotten == 1 else "them"
        note(f"{count(summary.forgotten, 'memory', 'memories')} forgotten earlier, not imported; --again imports {it}")
    for what, number in summary.left_out.most_common():
        output.say(f"  left out {number:,} × {what}")
    say_rejected(summary.rejected)
    if summary.truncated:
        note(f"{count(summary.truncated, 'message')} cut to 100,000 characters")


def _known(summary: Summary, counts: Counts) -> str:
    """How many records memd had already; those that the import itself holds more than once are counted apart."""
    repeated = summary.repeated if counts is summary.memories else 0
    there = f"{counts.known - repeated:,} already there"
    return f"{there}, {repeated:,} more than once in the import" if repeated else there


def _against_memd(summary: Summary) -> dict[str, Any]:
    """What replaced something of memd, and what memd has in a newer version that stays, for a program."""
    replaced = [{"origin": each.origin, "title": each.title} for each in summary.replaced]
    kept = [
        {"origin": each.origin, "title": each.title, "newerId": each.memory_id, "reason": each.reason}
        for each in summary.kept
    ]
    return {"replaced": replaced, "kept": kept}
