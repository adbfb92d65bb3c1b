"""`memctl list`: the stored memories, filtered, sorted, in the columns that are asked for."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.completing import CHANNEL
from memctl.diagnostics import note
from memctl.options import WHEN, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment, one_line
from memctl.wire.enums import Category, Store
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.limits import EXPORT_PAGE_MAX

COLUMNS: Mapping[str, Callable[[ExportedMemory], str]] = {
    "created": lambda memory: moment(memory.created_at),
    "used": lambda memory: moment(memory.last_accessed_at),
    "store": lambda memory: memory.store,
    "category": lambda memory: memory.category,
    "title": lambda memory: one_line(memory.title, 80),
    "tags": lambda memory: " ".join(memory.tags),
    "channel": lambda memory: memory.channel or "",
    "strength": lambda memory: f"{memory.strength:.2f}",
    "confidence": lambda memory: f"{memory.confidence:.2f}",
    "source": lambda memory: memory.source,
    "agent": lambda memory: memory.agent_id or "",
    "project": lambda memory: memory.project_id or "",
    "namespace": lambda memory: memory.namespace or "",
    "key": lambda memory: memory.key or "",
    "id": lambda memory: memory.id,
}
DEFAULT = "created,store,category,title,id"
NUMBERS = {"strength", "confidence"}
SORTS: Mapping[str, Callable[[ExportedMemory], Any]] = {
    "used": lambda memory: -memory.last_accessed_at,
    "strength": lambda memory: -memory.strength,
    "title": lambda memory: memory.title.casefold(),
}


def _columns(_ctx: click.Context, _param: click.Parameter, value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in COLUMNS]
    if unknown or not names:
        raise click.BadParameter(f"no column {', '.join(unknown)}; there are {', '.join(COLUMNS)}")
    return names


@click.command(
    "list",
    epilog=examples(
        "memctl list --store semantic --since 7d",
        "memctl list --tag ops --channel slack:ops --sort strength -n 10",
        "memctl list --columns title,tags,id --all",
        "memctl list --namespace preferences --columns key,title,id",
        "memctl list --category goal -q | xargs memctl forget",
    ),
)
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Only this store.")
@click.option("--category", type=click.Choice(Category, case_sensitive=False), help="Only this category.")
@click.option("--tag", "tags", multiple=True, help="Only memories with this tag; may be repeated.")
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel.")
@click.option("--namespace", help="Only keyed memories of this namespace.")
@click.option("--since", type=WHEN, help="Created at or after this date, time, `yesterday`, `7d`, `12h`.")
@click.option("--until", type=WHEN, help="Created at or before this date, time, `yesterday`, `7d`, `12h`.")
@click.option(
    "--sort",
    type=click.Choice(["created", *SORTS]),
    default="created",
    show_default=True,
    help="Newest, last used or strongest first, or by title.",
)
@click.option("--chunks", is_flag=True, help="Include chunks of knowledge bases.")
@click.option("--columns", callback=_columns, default=DEFAULT, show_default=True, help="Columns of the table.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=50, show_default=True, help="Memories.")
@click.option("--all", "everything", is_flag=True, help="Every memory instead of the first ones.")
@click.option("-q", "--quiet", is_flag=True, help="Print ids only.")
@remote
@forms(jsonl=True)
def list_(
    *,
    tags: tuple[str, ...],
    channel: str | None,
    sort: str,
    chunks: bool,
    columns: list[str],
    limit: int,
    everything: bool,
    quiet: bool,
    form: Form,
    **fields: Any,
) -> None:
    """List the active memories, newest first."""
    request = ExportRequest(page_size=EXPORT_PAGE_MAX, include_knowledge_bases=chunks, **chosen(fields))
    wanted = {tag.strip().lower() for tag in tags}

    async def action(client: MemdClient) -> None:
        found = (
            memory
            async for memory in client.memories.export(request)
            if wanted <= set(memory.tags) and channel in {None, memory.channel}
        )
        most = None if everything else limit
        rows, is_done = await _first(found, None if sort in SORTS else most)
        if sort in SORTS:
            rows.sort(key=SORTS[sort])
            is_done = most is None or len(rows) <= most
            rows = rows[:most]
        _show(rows, ["id"] if quiet else columns, form, is_done=is_done)

    run(action)


async def _first(found: AsyncIterator[ExportedMemory], most: int | None) -> tuple[list[ExportedMemory], bool]:
    """The first memories, and whether these are all."""
    rows: list[ExportedMemory] = []
    async for memory in found:
        if len(rows) == most:
            return rows, False
        rows.append(memory)
    return rows, True


def _show(rows: list[ExportedMemory], columns: list[str], form: Form, *, is_done: bool) -> None:
    if form is not Form.TEXT or rows:
        whole = {"memories": [row.to_wire() for row in rows], "isDone": is_done}
        right = {index for index, name in enumerate(columns) if name in NUMBERS}
        output.listing(form, whole, rows, columns, lambda row: [COLUMNS[name](row) for name in columns], right=right)
    elif is_done:
        note("no memories match")
    if form is Form.TEXT and not is_done:
        note("there are more; --all lists every memory, -n more of them")
