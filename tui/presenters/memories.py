"""Memories as table rows, and which of them a list asks for."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.text import Text

from memctl.text import age, count, one_line, period, printable
from memctl.wire.enums import Category, Store
from memctl.wire.memories import MemoryDetail
from memctl.wire.memory_listing import ListedMemory, MemoryListRequest, MemorySort, SortOrder

from ..colors import of_age, of_score
from ..periods import typed_end, typed_start
from .cells import Cell, TableRow, cell, number

FILTER_FROM: Final = 3
"""Cells of a text from which the list is filtered as one types: less is the beginning of nearly every row.

Two ideographs are four cells, and a word.
"""


class SortKey(NamedTuple):
    """A sort and its direction."""

    sort: MemorySort = MemorySort.CREATED
    descending: bool = True


SORTED_COLUMNS: Final = {
    "age": MemorySort.CREATED,
    "store": MemorySort.STORE,
    "category": MemorySort.CATEGORY,
    "title": MemorySort.TITLE,
    "used": MemorySort.USED,
    "str": MemorySort.STRENGTH,
}
"""The columns of the table by which memd sorts."""
_RISING: Final = {MemorySort.TITLE, MemorySort.STORE, MemorySort.CATEGORY}


def sort_by(sort: MemorySort, now: SortKey) -> SortKey:
    """The order after a column was chosen: its usual direction at first, the other one when it is chosen again."""
    return SortKey(sort, not now.descending if sort is now.sort else sort not in _RISING)


def next_sort(now: SortKey) -> SortKey:
    """The order by the column after the current one."""
    sorts = [*SORTED_COLUMNS.values()]
    sort = sorts[(sorts.index(now.sort) + 1) % len(sorts)]
    return SortKey(sort, sort not in _RISING)


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories the table shows; memd filters."""

    store: Store | None = None
    category: Category | None = None
    channel: str = ""
    tag: str = ""
    text: str = ""
    chunks: bool = False
    archived: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing but the archive is asked for."""
        return self in (MemoryFilter(), MemoryFilter(archived=True))

    def request(self, order: SortKey, cursor: str | None, size: int) -> MemoryListRequest:
        """The request for the page at a cursor."""
        return MemoryListRequest(
            sort=order.sort,
            order=SortOrder.DESC if order.descending else SortOrder.ASC,
            archived=self.archived,
            store=self.store,
            category=self.category,
            channel=self.channel or None,
            tag=self.tag or None,
            text=self.text or None,
            include_knowledge_bases=self.chunks,
            limit=size,
            cursor=cursor,
        )


@dataclass(frozen=True, slots=True)
class Editable:
    """The part of a memory that the forms change."""

    id: str
    title: str
    content: str
    store: Store
    category: Category
    tags: tuple[str, ...]
    strength: float
    channel: str | None = None
    begin: str = ""
    end: str = ""
    """The sides of the period as they are typed, empty where it is open."""

    @classmethod
    def of(cls, memory: MemoryDetail) -> "Editable":
        """The editable part of a memory in full."""
        return cls(
            memory.id,
            memory.title,
            memory.content,
            memory.store,
            memory.category,
            tuple(memory.tags),
            memory.strength,
            memory.channel,
            typed_start(memory.valid_from),
            typed_end(memory.valid_until),
        )


NEW: Final = Editable("new", "", "", Store.EPISODIC, Category.CONVERSATION, (), 1.0)
"""The defaults of the form for a new memory: the store and category that a capture has without them (contract 6.1)."""


def memory_row(memory: ListedMemory, now: int, *, leaving: bool = False, fresh: bool = False) -> TableRow:
    """Age, store, category, title, tags, channel, last use, strength; struck through when it is about to be archived.

    A `fresh` row came while the table was being watched.
    """
    style = "strike dim" if leaving else ""
    then = memory.archived_at or memory.created_at
    old = age(then, now)
    return TableRow(
        memory.id,
        (
            cell(f"✦{old}" if fresh else old, style or ("mark" if fresh else of_age(then, now))),
            cell(memory.store, style or f"store.{memory.store}"),
            cell(memory.category, style),
            _title(memory, now, style),
            cell(" ".join(f"#{tag}" for tag in memory.tags), "dim"),
            cell(memory.channel, "dim"),
            cell(age(memory.last_accessed_at, now), "dim"),
            number(memory.strength, style or of_score(memory.strength)),
        ),
    )


def _title(memory: ListedMemory, now: int, style: str) -> Cell:
    """The title, dimmed where recall does not find the memory because of its period."""
    mark = "▤ " if memory.knowledge_base_id else ""
    outside = _outside(memory, now)
    return cell(
        f"{mark}({outside}) {memory.title}" if outside else mark + memory.title, style or ("dim" if outside else "bold")
    )


def _outside(memory: ListedMemory, now: int) -> str:
    """The state of a memory whose period excludes now: `ended`, or `from 2027-01-01`."""
    if memory.valid_until is not None and memory.valid_until <= now:
        return "ended"
    return period(memory.valid_from, None) if memory.valid_from is not None and memory.valid_from > now else ""


def preview(memory: ListedMemory) -> Text:
    """The beginning of a memory, for the pane next to the table."""
    when = period(memory.valid_from, memory.valid_until)
    facts = " · ".join(part for part in (memory.category, memory.channel, *(f"#{tag}" for tag in memory.tags)) if part)
    left_out = memory.length - len(memory.excerpt)
    return Text.assemble(
        (printable(memory.title), "bold"),
        "\n",
        (memory.store, f"store.{memory.store}"),
        (f" · {one_line(facts, 200)}\n{memory.id}", "dim"),
        (f"\n{_fate(memory)}" if memory.archived else "", "warn"),
        (f"\ntrue {when}" if when else "", "dim"),
        "\n\n",
        printable(memory.excerpt),
        (f"\n… {left_out:,} more characters; Enter shows all" if left_out > 0 else "", "dim"),
    )


def _fate(memory: ListedMemory) -> str:
    """Why a memory is in the archive."""
    if memory.superseded_by_memory_id:
        return f"superseded by {memory.superseded_by_memory_id}"
    return f"archived by {memory.archived_by}" if memory.archived_by else "archived"


class ListState(NamedTuple):
    """The line below the list: the position, and the selection."""

    page: int
    rows: int
    total: int | None
    is_exact: bool
    is_last: bool
    selected: int = 0


def where_line(state: ListState) -> str:
    """The position in the list, its length, and the number of selected rows."""
    if not state.rows and state.page == 0:
        return "no memories match"
    total = "" if state.total is None else f" of {state.total:,}{'' if state.is_exact else '+'}"
    more = "last page" if state.is_last else "] next page"
    parts = [f"page {state.page + 1}: {count(state.rows, 'memory', 'memories')}{total}"]
    if state.selected:
        parts.append(f"{state.selected:,} selected")
    return " · ".join([*parts, *(["[ previous"] if state.page else []), more])
