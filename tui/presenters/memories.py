"""Memories as table rows, and which of them a filter admits."""

from dataclasses import dataclass

from rich.text import Text

from memctl.text import age, count, one_line, printable
from memctl.wire.enums import Category, Store
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.memories import MemoryDetail

from ..colors import of_age, of_score
from .cells import Cell, TableRow, cell, number

PREVIEW_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What the table shows; store and category are asked of memd, the others are looked for in what it sends."""

    store: Store | None = None
    category: Category | None = None
    channel: str = ""
    tag: str = ""
    text: str = ""
    chunks: bool = False

    @property
    def looks_itself(self) -> bool:
        """Whether memtui has to read rows that it will not show."""
        return bool(self.channel or self.tag or self.text)

    def request(self, cursor: str | None, size: int) -> ExportRequest:
        """The request for the page at a cursor."""
        return ExportRequest(
            page_size=size,
            cursor=cursor,
            store=self.store,
            category=self.category,
            include_knowledge_bases=self.chunks,
        )

    def admits(self, memory: ExportedMemory) -> bool:
        """Whether a row is shown: channels by their beginning, tags whole, texts anywhere and case-blind."""
        if self.channel and not (memory.channel or "").startswith(self.channel):
            return False
        if self.tag and self.tag.strip().lower() not in memory.tags:
            return False
        needle = self.text.casefold()
        return not needle or needle in memory.title.casefold() or needle in memory.content.casefold()


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

    @classmethod
    def of(cls, memory: ExportedMemory | MemoryDetail) -> "Editable":
        """The editable part of a row or of a memory in full."""
        tags = tuple(memory.tags)
        return cls(memory.id, memory.title, memory.content, memory.store, memory.category, tags, memory.strength)


def memory_row(memory: ExportedMemory, now: int, *, leaving: bool = False) -> TableRow:
    """Age, store, category, title, tags, channel, strength; a row that is about to be archived is struck through."""
    style = "strike dim" if leaving else ""
    return TableRow(
        memory.id,
        (
            cell(age(memory.created_at, now), style or of_age(memory.created_at, now)),
            cell(memory.store, style or f"store.{memory.store}"),
            cell(memory.category, style),
            _title(memory, style),
            cell(" ".join(f"#{tag}" for tag in memory.tags), "dim"),
            cell(memory.channel, "dim"),
            number(memory.strength, style or of_score(memory.strength)),
        ),
    )


def _title(memory: ExportedMemory, style: str) -> Cell:
    mark = "▤ " if memory.knowledge_base_id else ""
    return cell(mark + memory.title, style or "bold")


def preview(memory: ExportedMemory) -> Text:
    """The beginning of a memory, for the pane next to the table."""
    facts = " · ".join(part for part in (memory.category, memory.channel, *(f"#{tag}" for tag in memory.tags)) if part)
    body = printable(memory.content[:PREVIEW_CHARACTERS])
    more = f"\n… {len(memory.content) - PREVIEW_CHARACTERS:,} more characters" * (
        len(memory.content) > PREVIEW_CHARACTERS
    )
    return Text.assemble(
        (printable(memory.title), "bold"),
        "\n",
        (memory.store, f"store.{memory.store}"),
        (f" · {one_line(facts, 200)}\n{memory.id}", "dim"),
        "\n\n",
        body,
        (more, "dim"),
    )


def page_line(page: int, rows: int, *, is_last: bool, looked_at: int | None) -> str:
    """Where one is in the list."""
    if not rows and page == 0:
        return "no memory matches"
    scanned = f", looked through {looked_at:,}" if looked_at is not None else ""
    more = "the last page" if is_last else "] next page"
    back = "[ previous · " if page else ""
    return f"page {page + 1}: {count(rows, 'memory', 'memories')}{scanned} · {back}{more}"
