"""`memctl export`: memories and chunks as JSON lines or a folder of Markdown, complete enough to import again."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.last_changes import LastChanges
from memctl.commands.parameter_types import CATEGORY, ONE_CATEGORY
from memctl.commands.time_options import END_OF_TIME, at_any_time, ended_by_now, export_time_options
from memctl.diagnostics import CommandError, ExitCode, Meter, meter, note
from memctl.importers.export_folder import ExportFolder
from memctl.new_file import complete_file, refuse_existing
from memctl.options import WHEN, chosen, examples, export_target, remote
from memctl.run import run
from memctl.text import count
from memctl.wire.enums import Store
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.limits import EXPORT_PAGE_MAX, MESSAGE_PAGE_MAX
from memctl.wire.messages import ListMessagesRequest


@click.command(
    epilog=examples(
        "memctl export > memories.jsonl",
        "memctl export --messages --to everything.jsonl",
        "memctl export --store semantic --since 2026-01-01 --memories-only | jq -r .title",
        "memctl export --format markdown --to ./export",
    )
)
@export_target
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Only this store.")
@click.option("--category", type=CATEGORY, metavar="CATEGORY", help=f"Only this category. {ONE_CATEGORY}.")
@click.option(
    "--since", "created_after", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive."
)
@click.option(
    "--until",
    "created_before",
    type=WHEN,
    help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.",
)
@click.option("--memories-only", is_flag=True, help="Leave knowledge bases out.")
@click.option(
    "--messages",
    is_flag=True,
    help="Also export messages, as JSON lines only; of the filters, only --since, --until and --as-of apply to them.",
)
@export_time_options
@remote
def export(kind: str, target: Path | None, *, memories_only: bool, messages: bool, **fields: Any) -> None:
    """Write every active memory, newest first, and the knowledge bases with their chunks.

    Memories that have ended, or not begun, are written too, with their periods; --valid-now leaves them out. Messages are
    left out without --messages.

    `memctl import jsonl` and `memctl import markdown` import them again. To save keys and everything else, too, use
    `memd backup`.
    """
    selected = chosen(fields)
    request = ExportRequest(
        page_size=EXPORT_PAGE_MAX, include_knowledge_bases=not memories_only, **at_any_time(selected)
    )
    if kind == "markdown" and target is None:
        raise click.UsageError("--format markdown needs a folder: --to FOLDER")
    if kind == "markdown" and messages:
        raise click.UsageError("--messages goes with --format jsonl")
    message_request = _messages_of(request) if messages else None

    async def action(client: MemdClient) -> None:
        stats = await client.stats()
        chunks = stats.knowledge_bases.chunks if request.include_knowledge_bases else 0
        total = stats.usage.memories_used + chunks + (stats.ttl_status.messages_stored if messages else 0)
        with meter("exporting", total or None) as progress:
            rows = _rows(client, request, message_request, progress)
            number = await (write_folder(rows, target) if target and kind == "markdown" else write_lines(rows, target))
        if target:
            note(f"wrote {count(number, 'row')} to {target}")
        if not (messages or memories_only or selected):
            _note_messages(stats.ttl_status.messages_stored)

    run(action)


def _note_messages(stored: int) -> None:
    """Say that an export of everything else has no messages, which would be missing on another machine."""
    if stored:
        note(f"{count(stored, 'message')} left out; --messages exports them too, as JSON lines")


def _messages_of(request: ExportRequest) -> ListMessagesRequest:
    """The request for the messages of the same time, in every channel; UsageError for what messages do not have."""
    asked = {
        "--store": request.store,
        "--category": request.category,
        "--valid-at": None if request.valid_at == END_OF_TIME else request.valid_at,
        "--known-at": request.known_at,
    }
    if refused := [option for option, value in asked.items() if value is not None]:
        raise click.UsageError(f"{' and '.join(refused)} cannot select messages; export them without it")
    ends = [end for end in (request.created_before, request.as_of) if end is not None]
    return ListMessagesRequest(
        from_ms=request.created_after, to_ms=min(ends, default=None), all_channels=True, limit=MESSAGE_PAGE_MAX
    )


async def _rows(
    client: MemdClient, request: ExportRequest, message_request: ListMessagesRequest | None, progress: Meter
) -> AsyncIterator[dict[str, Any]]:
    """The active knowledge bases under `knowledgeBase`, by id; then memories, chunks and messages as memd sends them.

    A memory with a key also has `updatedAt`: by it an import knows whether the one that has the key there is newer.
    """
    if request.include_knowledge_bases:
        for base in sorted((await client.knowledge_bases.list()).knowledge_bases, key=lambda base: base.id):
            yield {"knowledgeBase": _as_of_then(base.to_wire(), request)}
    changes = LastChanges(client)
    keys: set[tuple[str | None, str]] = set()
    async for memory in client.memories.export(request):
        progress.advance(1, "")
        row = _row(memory, request, keys)
        if "key" in row and not _is_past(request) and (changed_at := await changes.of(memory)):
            row["updatedAt"] = changed_at
        yield row
    if message_request is not None:
        async for message in client.messages.history(message_request):
            progress.advance(1, "")
            yield message.to_wire()


def _row(memory: ExportedMemory, request: ExportRequest, keys: set[tuple[str | None, str]]) -> dict[str, Any]:
    """A row as memd sends it, with `ended` relative to now where the request asks for what is true at any time.

    Of several rows of a namespace with the same key only the newest keeps the key: the others were superseded, and an
    import would replace the newest by them. `keys` are those of the rows before.
    """
    row = (ended_by_now(memory) if request.valid_at == END_OF_TIME else memory).to_wire()
    if memory.key is not None:
        if (memory.namespace, memory.key) in keys:
            del row["key"]
        keys.add((memory.namespace, memory.key))
    return row


def _as_of_then(base: dict[str, Any], request: ExportRequest) -> dict[str, Any]:
    """A knowledge base; without `updatedAt` if its chunks are those of an earlier time, which would pass for new ones."""
    return {name: value for name, value in base.items() if name != "updatedAt" or not _is_past(request)}


def _is_past(request: ExportRequest) -> bool:
    """Whether the rows are those of an earlier time, which the last change of today says nothing about."""
    return request.known_at is not None or request.as_of is not None


async def write_lines(rows: AsyncIterator[dict[str, Any]], target: Path | None) -> int:
    """One row a line, on standard output or in a new file that appears when it is complete; the number of rows."""
    number = 0
    if target is None:
        async for row in rows:
            number += 1
            output.line(row)
        return number
    refuse_existing(target)
    try:
        with complete_file(target) as file:
            async for row in rows:
                number += 1
                file.write(f"{output.json_line(row)}\n")
    except OSError as error:
        raise CommandError(f"{target}: {error.strerror}", ExitCode.USAGE) from error
    return number


async def write_folder(rows: AsyncIterator[dict[str, Any]], target: Path) -> int:
    """One Markdown file a row, in a new folder; the number of rows."""
    folder = ExportFolder(target)
    number = 0
    async for row in rows:
        number += 1
        folder.write(row)
    return number
