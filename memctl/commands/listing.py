"""`memctl list`: the stored memories, or the archived ones, filtered, sorted, in the columns that are asked for."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CATEGORY, CHANNEL, ONE_CATEGORY, TAG
from memctl.commands.time_options import at_any_time, ended_by_now
from memctl.diagnostics import note
from memctl.options import WHEN, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment, period_end, period_start
from memctl.when import epoch_ms
from memctl.wire.enums import Store
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.limits import EXPORT_PAGE_MAX
from memctl.wire.memory_listing import ListedMemory, MemoryListRequest

Listed: TypeAlias = ExportedMemory | ListedMemory

EITHER: Mapping[str, Callable[[Listed], str]] = {
    "created": lambda memory: moment(memory.created_at),
    "used": lambda memory: moment(memory.last_accessed_at),
    "store": lambda memory: memory.store,
    "category": lambda memory: memory.category,
    "title": lambda memory: output.excerpt(memory.title, 80),
    "tags": lambda memory: " ".join(memory.tags),
    "channel": lambda memory: memory.channel or "",
    "strength": lambda memory: f"{memory.strength:.2f}",
    "from": lambda memory: "" if memory.valid_from is None else period_start(memory.valid_from),
    "until": lambda memory: "" if memory.valid_until is None else period_end(memory.valid_until),
    "id": lambda memory: memory.id,
}
ARCHIVED: Mapping[str, Callable[[Any], str]] = {
    **EITHER,
    "archived": lambda memory: moment(memory.archived_at) if memory.archived_at else "",
    "by": lambda memory: memory.archived_by or "",
}
COLUMNS: Mapping[str, Callable[[Any], str]] = {
    **EITHER,
    "confidence": lambda memory: f"{memory.confidence:.2f}",
    "source": lambda memory: memory.source,
    "agent": lambda memory: memory.agent_id or "",
    "project": lambda memory: memory.project_id or "",
    "namespace": lambda memory: memory.namespace or "",
    "key": lambda memory: memory.key or "",
}
DEFAULT = "created,store,category,title,id"
DEFAULT_ARCHIVED = "archived,store,category,title,id"
_VALUES = {**ARCHIVED, **COLUMNS}
NUMBERS = {"strength", "confidence"}
SORTS: Mapping[str, Callable[[Listed], Any]] = {
    "used": lambda memory: -memory.last_accessed_at,
    "strength": lambda memory: -memory.strength,
    "title": lambda memory: memory.title.casefold(),
}


def _columns(ctx: click.Context, _param: click.Parameter, value: str | None) -> list[str]:
    archived = bool(ctx.params.get("archived"))
    known = ARCHIVED if archived else COLUMNS
    text = value or (DEFAULT_ARCHIVED if archived else DEFAULT)
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise click.BadParameter(f"no column {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def _offer_columns(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The columns that may follow those that are typed already."""
    begun, comma, last = incomplete.rpartition(",")
    taken = begun.split(",")
    known = ARCHIVED if ctx.params.get("archived") else COLUMNS
    return [CompletionItem(f"{begun}{comma}{name}") for name in known if name.startswith(last) and name not in taken]


@click.command(
    "list",
    epilog=examples(
        "memctl list --store semantic --since 7d",
        "memctl list --tag ops --channel slack:ops --sort strength -n 10",
        "memctl list --columns title,tags,id --all",
        "memctl list --namespace preferences --columns key,title,id",
        "memctl list --columns title,from,until,id --valid-now",
        "memctl list --category goal -q | xargs -r memctl forget",
        "memctl list --archived --since 1h -q | xargs -r memctl restore",
    ),
)
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Only this store.")
@click.option("--category", type=CATEGORY, metavar="CATEGORY", help=f"Only this category. {ONE_CATEGORY}.")
@click.option("--tag", "tags", multiple=True, type=TAG, help="Only memories with this tag; repeatable.")
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel.")
@click.option("--namespace", help="Only keyed memories of this namespace.")
@click.option(
    "--since", type=WHEN, help="Created, or archived, at or after this date (UTC), time, `yesterday`, `7d`, `12h`."
)
@click.option(
    "--until", type=WHEN, help="Created, or archived, at or before this date (UTC), time, `yesterday`, `7d`, `12h`."
)
@click.option(
    "--sort",
    type=click.Choice(["created", *SORTS]),
    default="created",
    show_default=True,
    help="Newest, last used or strongest first, or by title.",
)
@click.option("--chunks", is_flag=True, help="Include chunks of knowledge bases.")
@click.option("--valid-now", is_flag=True, help="Leave out memories that have ended or not begun.")
@click.option("--archived", is_flag=True, is_eager=True, help="The archived memories instead, the last archived first.")
@click.option(
    "--columns", callback=_columns, shell_complete=_offer_columns, help=f"Columns of the table.  [default: {DEFAULT}]"
)
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
    archived: bool,
    valid_now: bool,
    columns: list[str],
    limit: int,
    everything: bool,
    quiet: bool,
    form: Form,
    **fields: Any,
) -> None:
    """List the active memories, newest first, or the archived ones.

    Memories that have ended, or not begun, are listed too, which recall leaves out; --valid-now leaves them out here.
    """
    needed = {tag.strip().lower() for tag in tags}
    for option, is_given in (("--namespace", fields["namespace"]), ("--valid-now", valid_now)):
        if archived and is_given:
            raise click.UsageError(f"{option} does not go with --archived")

    async def action(client: MemdClient) -> None:
        rows = (
            _archived(client, chunks=chunks, **fields)
            if archived
            else _active(client, chunks=chunks, include_ended=not valid_now, **fields)
        )
        found = (memory async for memory in rows if needed <= set(memory.tags) and channel in {None, memory.channel})
        maximum = None if everything else limit
        first, is_done = await _first(found, None if sort in SORTS else maximum)
        if sort in SORTS:
            first.sort(key=SORTS[sort])
            is_done = maximum is None or len(first) <= maximum
            first = first[:maximum]
        _show(first, ["id"] if quiet else columns, form, is_done=is_done)

    run(action)


async def _active(client: MemdClient, *, chunks: bool, **fields: Any) -> AsyncIterator[ExportedMemory]:
    request = ExportRequest(page_size=EXPORT_PAGE_MAX, include_knowledge_bases=chunks, **at_any_time(chosen(fields)))
    async for memory in client.memories.export(request):
        yield ended_by_now(memory)


async def _archived(
    client: MemdClient, *, chunks: bool, since: str | None, until: str | None, **fields: Any
) -> AsyncIterator[ListedMemory]:
    """The archived memories, the last archived first; the times bound when that was."""
    fields.pop("namespace")
    first = None if since is None else _moment_of("--since", since, at_end=False)
    last = None if until is None else _moment_of("--until", until, at_end=True)
    request = MemoryListRequest(archived=True, include_knowledge_bases=chunks, limit=200, **chosen(fields))
    async for memory in client.memories.list_all(request):
        archived_at = memory.archived_at or memory.created_at
        if first is not None and archived_at < first:
            return
        if last is None or archived_at <= last:
            yield memory


def _moment_of(option: str, text: str, *, at_end: bool) -> int:
    try:
        return epoch_ms(text, at_end=at_end)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date", param_hint=f"'{option}'") from None


async def _first(found: AsyncIterator[Listed], maximum: int | None) -> tuple[list[Listed], bool]:
    """The first memories, and whether these are all."""
    rows: list[Listed] = []
    async for memory in found:
        if len(rows) == maximum:
            return rows, False
        rows.append(memory)
    return rows, True


def _show(rows: list[Listed], columns: list[str], form: Form, *, is_done: bool) -> None:
    if form is not Form.TEXT or rows:
        whole = {"memories": [row.to_wire() for row in rows], "isDone": is_done}
        right = {index for index, name in enumerate(columns) if name in NUMBERS}
        output.listing(form, whole, rows, columns, lambda row: [_VALUES[name](row) for name in columns], right=right)
    elif is_done:
        note("no memories match")
    over = sum(isinstance(row, ExportedMemory) and bool(row.ended) for row in rows)
    if form is Form.TEXT and over and "title" in columns and "until" not in columns:
        note(f"{over:,} of these {'has' if over == 1 else 'have'} ended; --columns title,from,until,id shows when")
    if form is Form.TEXT and not is_done:
        note("there are more; --all lists every memory, -n more of them")
