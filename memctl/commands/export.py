"""`memctl export`: memories and chunks as JSON lines or as a folder of Markdown, complete enough to come back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.moments import moments
from memctl.diagnostics import CommandError, ExitCode, Meter, meter, note
from memctl.importers.export_folder import ExportFolder
from memctl.options import WHEN, chosen, examples, remote
from memctl.run import run
from memctl.text import count
from memctl.wire.enums import Category, Store
from memctl.wire.export import ExportRequest

PAGE = 200


@click.command(
    epilog=examples(
        "memctl export > memories.jsonl",
        "memctl export --store semantic --since 2026-01-01 --memories-only | jq -r .title",
        "memctl export --format markdown --to ./export",
    )
)
@click.option(
    "--format", "kind", type=click.Choice(["jsonl", "markdown"]), default="jsonl", show_default=True, help="Form."
)
@click.option("--to", "target", type=click.Path(path_type=Path), help="File for jsonl, new folder for markdown.")
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Only this store.")
@click.option("--category", type=click.Choice(Category, case_sensitive=False), help="Only this category.")
@click.option(
    "--since", "created_after", type=WHEN, help="Date, time, `yesterday`, `7d`, `12h` or epoch number; inclusive."
)
@click.option(
    "--until", "created_before", type=WHEN, help="Date, time, `yesterday`, `7d`, `12h` or epoch number; inclusive."
)
@click.option("--memories-only", is_flag=True, help="Leave knowledge bases out.")
@moments
@remote
def export(kind: str, target: Path | None, memories_only: bool, **fields: Any) -> None:
    """Write every active memory, newest first, and the knowledge bases with their chunks.

    `memctl import jsonl` and `memctl import markdown` bring them back. For messages, keys and everything else there is
    `memd backup`.
    """
    request = ExportRequest(page_size=PAGE, include_knowledge_bases=not memories_only, **chosen(fields))
    if kind == "markdown" and target is None:
        raise click.UsageError("--format markdown needs a folder: --to FOLDER")

    async def action(client: MemdClient) -> None:
        stats = await client.stats()
        chunks = stats.knowledge_bases.chunks if request.include_knowledge_bases else 0
        with meter("exporting", stats.usage.memories_used + chunks or None) as progress:
            rows = _rows(client, request, progress)
            number = await (write_folder(rows, target) if target and kind == "markdown" else write_lines(rows, target))
        if target:
            note(f"wrote {count(number, 'row')} to {target}")

    run(action)


async def _rows(client: MemdClient, request: ExportRequest, progress: Meter) -> AsyncIterator[dict[str, Any]]:
    """The active knowledge bases under `knowledgeBase`, then the memories and chunks as memd sends them."""
    if request.include_knowledge_bases:
        for base in (await client.knowledge_bases.list()).knowledge_bases:
            yield {"knowledgeBase": base.to_wire()}
    async for memory in client.memories.export(request):
        progress.advance(1, "")
        yield memory.to_wire()


async def write_lines(rows: AsyncIterator[dict[str, Any]], target: Path | None) -> int:
    """One row a line, on standard output or in a file that appears when it is whole; the number of rows."""
    number = 0
    if target is None:
        async for row in rows:
            number += 1
            output.line(row)
        return number
    draft = target.with_name(f"{target.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            async for row in rows:
                number += 1
                file.write(f"{output.json_line(row)}\n")
        draft.replace(target)
    except OSError as error:
        raise CommandError(f"{target}: {error.strerror}", ExitCode.USAGE) from error
    finally:
        draft.unlink(missing_ok=True)
    return number


async def write_folder(rows: AsyncIterator[dict[str, Any]], target: Path) -> int:
    """One Markdown file a row, in a new folder; the number of rows."""
    folder = ExportFolder(target)
    number = 0
    async for row in rows:
        number += 1
        folder.write(row)
    return number
