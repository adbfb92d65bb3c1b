"""Memories: a table that holds one page, filters, a preview, and the changes to the row under the cursor."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Static

from memctl.wire.export import ExportedMemory

from ..messages import EdgeReached, Highlighted, Opened
from ..presenters import memories as rows
from ..presenters.memories import Editable, MemoryFilter
from ..widgets.memory_filters import MemoryFilters
from ..widgets.pane import Pane
from ..widgets.row_table import Column, RowTable
from .memory_changes import MemoryChanges
from .memory_pages import MemoryPages
from .room import RoomScreen

COLUMNS = (
    Column("age", 6),
    Column("store", 11, from_width=60),
    Column("category", 12),
    Column("title"),
    Column("tags", 18, from_width=110),
    Column("channel", 20, from_width=90),
    Column("str", 4, from_width=70),
)


class MemoriesScreen(RoomScreen):
    """See the module."""

    ROOM = "memories"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("right_square_bracket", "page(1)", "Next page", key_display="]"),
        Binding("left_square_bracket", "page(-1)", "Previous page", key_display="[", show=False),
        Binding("e", "change('edit')", "Edit"),
        Binding("a", "change('archive')", "Archive"),
        Binding("s", "change('supersede')", "Supersede"),
        Binding("b", "chunks", "Knowledge base chunks too", show=False),
        Binding("c", "clear_filters", "Clear the filters", show=False),
        Binding("y", "copy", "Copy the text", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._filter = MemoryFilter()
        self._at = 0
        self._is_last = True
        self._rows: dict[str, ExportedMemory] = {}
        self._leaving: set[str] = set()

    def body(self) -> ComposeResult:
        """Filters above, the table, and a preview where there is space."""
        yield MemoryFilters()
        with Horizontal():
            yield RowTable(COLUMNS, id="table", title="Memories")
            yield Pane(id="preview", classes="beside", title="Text")
        yield Static(id="where", classes="heading", markup=False)

    def on_mount(self) -> None:
        """Begin at the first page, with the table in focus."""
        self._pages = MemoryPages(self.client, self._filter)
        self._changes = MemoryChanges(self.app, self._mark, self._reread)
        self.resting_place().focus()

    def resting_place(self) -> Widget:
        """The table."""
        return self.query_one("#table", RowTable)

    def load(self) -> None:
        """Reload the current page."""
        self._pages.forget_ahead()
        self._turn_to(self._at)

    def _turn_to(self, at: int, cursor: str | int | None = None) -> None:
        table = self.query_one("#table", RowTable)
        place = cursor if cursor is not None else (table.current_key or 0)

        async def read() -> None:
            page = await self._pages.read(at, self._looking)
            self._at, self._is_last = at, page.is_last
            self._rows = {memory.id: memory for memory in page.rows}
            table.show([self._row(memory) for memory in page.rows], place)
            self._tell_where(page.looked_at if self._filter.looks_itself else None)
            table.say_when_empty(self._nothing())
            self.notice("")
            if not page.is_last:
                await self._pages.read_ahead(at + 1)

        self.ask(read)

    def _nothing(self) -> str:
        if self._filter == MemoryFilter():
            return "No memories yet\nAgents fill this. To write one yourself: n, or memctl capture TITLE CONTENT"
        return "Nothing matches\nc clears the filters, / changes them"

    def _row(self, memory: ExportedMemory) -> rows.TableRow:
        return rows.memory_row(memory, self.now, leaving=memory.id in self._leaving)

    def _looking(self, looked_at: int, found: int) -> None:
        self.query_one("#where", Static).update(f"looked through {looked_at:,}, found {found:,} … Esc stops")

    def _tell_where(self, looked_at: int | None) -> None:
        line = rows.page_line(self._at, len(self._rows), is_last=self._is_last, looked_at=looked_at)
        self.query_one("#where", Static).update(line)

    def on_highlighted(self, event: Highlighted) -> None:
        """Show the beginning of the memory under the cursor."""
        memory = self._rows.get(event.key or "")
        self.query_one("#preview", Pane).show(rows.preview(memory) if memory else None)

    def on_opened(self, event: Opened) -> None:
        """Show a memory in full."""
        from .memory import MemoryScreen

        self.app.push_screen(MemoryScreen(event.key))

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Moving on from the last row turns the page, and back from the first one."""
        self.action_page(event.direction)

    def action_page(self, direction: int) -> None:
        """Turn the page, if there is one."""
        at = self._at + direction
        if at >= 0 and (direction < 0 or not self._is_last):
            self._turn_to(at, 0 if direction > 0 else -1)

    def on_memory_filters_changed(self, event: MemoryFilters.Changed) -> None:
        """Start over with other filters."""
        self._filter = event.chosen
        self._pages = MemoryPages(self.client, self._filter)
        self._turn_to(0, 0)
        self.resting_place().focus()

    def action_filter(self) -> None:
        """Go to the filters."""
        self.query_one(MemoryFilters).begin()

    def action_chunks(self) -> None:
        """Show the chunks of knowledge bases too, or no longer."""
        shown = self.query_one(MemoryFilters).toggle_chunks()
        self.app.tell("knowledge base chunks are shown" if shown else "knowledge base chunks are hidden")

    def action_clear_filters(self) -> None:
        """Show everything."""
        self.query_one(MemoryFilters).clear()

    def action_copy(self) -> None:
        """Put the text on the clipboard; over ssh the terminal has to allow it."""
        memory = self._current()
        if memory is not None:
            self.app.copy_to_clipboard(memory.content)
            self.app.tell("copied")

    def action_change(self, what: str) -> None:
        """Edit, archive or supersede the memory under the cursor."""
        memory = self._current()
        if memory is not None:
            self.change(lambda: self._changes.carry_out(what, Editable.of(memory)))

    def _current(self) -> ExportedMemory | None:
        return self._rows.get(self.query_one("#table", RowTable).current_key or "")

    def _mark(self, memory_id: str, leaving: bool) -> None:
        (self._leaving.add if leaving else self._leaving.discard)(memory_id)
        memory = self._rows.get(memory_id)
        if memory is not None:
            self.query_one("#table", RowTable).replace(self._row(memory))

    def _reread(self) -> None:
        if self.is_mounted:
            self.load()
