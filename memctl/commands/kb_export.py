"""`memctl kb export`: the chunks of one knowledge base as JSON lines that `kb import` reads, or as Markdown."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click

from memctl.client import MemdClient
from memctl.commands.export import write_folder, write_lines
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.diagnostics import Meter, meter, note
from memctl.options import examples, export_target, remote
from memctl.run import run
from memctl.text import count
from memctl.wire.knowledge_bases import ChunkRow, KnowledgeBaseDetail


@click.command(
    epilog=examples(
        "memctl kb export handbook > handbook.jsonl", "memctl kb export handbook --format markdown --to ./handbook"
    )
)
@click.argument("base", metavar="KB", type=KB)
@export_target
@remote
def export(base: str, kind: str, target: Path | None) -> None:
    """Write every active chunk, oldest first; `memctl kb import KB FILE.jsonl` and `memctl import markdown` read it."""
    if kind == "markdown" and target is None:
        raise click.UsageError("--format markdown needs a folder: --to FOLDER")

    async def action(client: MemdClient) -> None:
        row = await client.knowledge_bases.show(await id_of(client, base), 1)
        with meter("exporting", row.chunk_count or None) as progress:
            chunks = _chunks(client, row.id, progress)
            if target and kind == "markdown":
                number = await write_folder(_rows(row, chunks), target)
            else:
                number = await write_lines((_line(chunk) async for chunk in chunks), target)
        if target:
            note(f"wrote {count(number, 'row')} to {target}")

    run(action)


async def _chunks(client: MemdClient, base_id: str, progress: Meter) -> AsyncIterator[ChunkRow]:
    async for chunk in client.knowledge_bases.chunks(base_id):
        progress.advance(1, "")
        yield chunk


def _line(chunk: ChunkRow) -> dict[str, Any]:
    """A chunk as an import takes it (contract 8.4)."""
    wire = chunk.to_wire()
    names = ("content", "dedupeKey", "chunkKind", "channel", "tags")
    metadata = {name: value for name, value in wire["metadata"].items() if value is not None}
    return {"metadata": metadata, **{name: wire[name] for name in names if wire.get(name) is not None}}


async def _rows(base: KnowledgeBaseDetail, chunks: AsyncIterator[ChunkRow]) -> AsyncIterator[dict[str, Any]]:
    """The rows of `memctl export`: the description of the base, then its chunks."""
    yield {"knowledgeBase": base.knowledge_base.to_wire()}
    names = ("id", "title", "content", "dedupeKey", "chunkKind", "channel", "tags", "createdAt")
    async for chunk in chunks:
        wire = chunk.to_wire()
        source = {name: value for name, value in wire["metadata"].items() if name != "title" and value is not None}
        row = {name: wire[name] for name in names if wire.get(name) is not None}
        yield {**row, "knowledgeBaseId": base.id, **({"chunk": source} if source else {})}
