"""Memories: a table that holds one page, filters, sorts, a preview, and the changes to one row or several."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from memctl.wire.memory_listing import ListedMemory

from ..memory_pages import MemoryPage, MemoryPages
from ..presenters import memories as rows
from ..presenters.memories import MemoryFilter, SortKey
from ..widget_messages import EdgeReached, HeaderClicked, Highlighted, Opened
from ..widgets.memory_filters import MemoryFilters
from ..widgets.pane import Pane
from ..widgets.row_table import Column
from ..widgets.select_table import SelectTable
from .framed import COPY_ID, COPY_TEXT, SUPERSEDE, TableScreen
from .memory_changes import MemoryChanges
from .selection_changes import SelectionChanges

LIVE_SECONDS = 2.0
COLUMNS = (
    Column("age", 7),
    Column("store", 11, from_width=60),
    Column("category", 12),
    Column("title"),
    Column("tags", 18, from_width=100),
    Column("channel", 16, from_width=90),
    Column("used", 6, from_width=120),
    Column("str", 4, from_width=70),
)
NOTHING = "No memories yet\nAgents write them; to add one: n, or memctl capture TITLE CONTENT"
NOTHING_ARCHIVED = "The archive is empty\nv returns to the active memories; a archives one there, R restores it here"
NO_MATCH = "Nothing matches\nc clears the filters, / changes them, v switches between active and archived"


class MemoriesScreen(TableScreen):
    """The list of memories with filters, sorts and a preview."""

    TAB = "memories"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("n", "write", "New"),
        Binding("e", "change('edit')", "Edit"),
        Binding("a", "change('archive')", "Archive"),
        Binding("R", "change('restore')", "Restore", key_display="R"),
        Binding("o", "sort", "Sort"),
        Binding("O", "reverse", "Reverse the order", key_display="O", show=False),
        Binding("v", "archive", "Archive view", tooltip="the archived memories, or back to the active ones"),
        Binding("L", "live", "Live", key_display="L", tooltip="update the list as memories are stored, or stop"),
        Binding("t", "change('tag')", "Tag"),
        Binding("m", "change('move')", "Move to a channel"),
        SUPERSEDE,
        Binding("X", "change('delete')", "Delete permanently", key_display="X"),
        Binding("right_square_bracket", "page(1)", "Next page", key_display="]", show=False),
        Binding("left_square_bracket", "page(-1)", "Previous page", key_display="[", show=False),
        Binding("b", "chunks", "Include knowledge base chunks", show=False),
        Binding("c", "clear_filters", "Clear the filters", show=False),
        COPY_TEXT,
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._filter, self._order, self._at = MemoryFilter(), SortKey(), 0
        self._is_last, self._is_live = True, False
        self._rows: dict[str, ListedMemory] = {}
        self._leaving, self._fresh = set[str](), set[str]()

    def body(self) -> ComposeResult:
        """Filters above, the table, and a preview where there is space."""
        yield MemoryFilters()
        with Horizontal():
            yield SelectTable(COLUMNS, id="table", title="Memories")
            yield Pane(id="preview", classes="beside", title="Text")
        yield Static(id="where", classes="heading", markup=False)

    def on_mount(self) -> None:
        """Begin at the first page."""
        self._begin(self._filter, self._order)
        self._changes = MemoryChanges(self.app, self._mark, self._reread)
        self._bulk = SelectionChanges(self.app, self._done_with_selection, self._progress)
        self.set_interval(LIVE_SECONDS, self._look_again)

    @property
    def table(self) -> SelectTable:
        """The list, in which rows can be selected."""
        return self.query_one("#table", SelectTable)

    def _begin(self, chosen: MemoryFilter, order: SortKey) -> None:
        """Start the list over, with this filter and order."""
        self._filter, self._order, self._at = chosen, order, 0
        self._pages = MemoryPages(self.client, chosen, order)
        self.refresh_bindings()
        label = next((name for name, sort in rows.SORTED_COLUMNS.items() if sort is order.sort), "")
        self.table.say_sorted(label, descending=order.descending)
        self._say_title()

    def load(self) -> None:
        """Reload the current page."""
        self._pages.forget_ahead()
        self._turn_to(self._at)

    def _turn_to(self, at: int, cursor: str | int | None = None) -> None:
        row = cursor if cursor is not None else (self.table.current_key or 0)

        async def read() -> None:
            page = await self._pages.read(at)
            self._show(at, page, row)
            if not page.is_last:
                await self._pages.read_ahead(at + 1)

        self.ask(read)

    def _show(self, at: int, page: MemoryPage, row: str | int) -> None:
        self._at, self._is_last = at, page.is_last
        self._rows = {memory.id: memory for memory in page.rows}
        self.table.say_when_empty(self._nothing())
        self.table.show([self._row(memory) for memory in page.rows], row)
        self._tell_where()
        self.notice("")

    def _nothing(self) -> str:
        if not self._filter.is_empty:
            return NO_MATCH
        return NOTHING_ARCHIVED if self._filter.archived else NOTHING

    def _row(self, memory: ListedMemory) -> rows.TableRow:
        return rows.memory_row(memory, self.now, leaving=memory.id in self._leaving, fresh=memory.id in self._fresh)

    def _tell_where(self) -> None:
        pages = self._pages
        state = rows.ListState(
            self._at, len(self._rows), pages.total, pages.is_exact, self._is_last, len(self.table.selected)
        )
        self.query_one("#where", Static).update(rows.where_line(state))

    def _say_title(self) -> None:
        self.table.border_title = "Archive" if self._filter.archived else "Memories"
        self.table.border_subtitle = "● live" if self._is_live else ""

    def redraw(self) -> None:
        """The table with the ages of now."""
        self.table.redraw([self._row(memory) for memory in self._rows.values()])

    def _look_again(self) -> None:
        """While the table is watched, read the first page again and mark rows that were not there."""
        is_watched = self._is_live and self.is_current and self._at == 0
        if not is_watched or self.is_asking or self.app.link.failure is not None:
            return

        async def read() -> None:
            pages = MemoryPages(self.client, self._filter, self._order)
            page = await pages.read(0)
            self._pages = pages
            self._fresh |= {memory.id for memory in page.rows} - self._rows.keys() if self._rows else set()
            self._show(0, page, self.table.current_key or 0)

        self.ask(read, "live")

    def on_highlighted(self, event: Highlighted) -> None:
        """Show the beginning of the memory under the cursor."""
        memory = self._rows.get(event.key or "")
        self.query_one("#preview", Pane).show(rows.preview(memory) if memory else None)

    def on_opened(self, event: Opened) -> None:
        """Show a memory in full."""
        from .memory import MemoryScreen

        self.app.push_screen(MemoryScreen(event.key, self.TAB))

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Moving on from the last row turns the page, and back from the first one."""
        self.action_page(event.direction)

    def on_header_clicked(self, event: HeaderClicked) -> None:
        """Sort by the column, or the other way round."""
        if event.label in rows.SORTED_COLUMNS:
            self._sort(rows.sort_by(rows.SORTED_COLUMNS[event.label], self._order))

    def _sort(self, order: SortKey) -> None:
        self._begin(self._filter, order)
        self._turn_to(0, 0)

    def action_sort(self, column: str = "") -> None:
        """Sort by the next column, or by the named one."""
        named = rows.SORTED_COLUMNS.get(column)
        self._sort(rows.sort_by(named, self._order) if named else rows.next_sort(self._order))

    def action_reverse(self) -> None:
        """Turn the order round."""
        self._sort(rows.sort_by(self._order.sort, self._order))

    def action_page(self, direction: int) -> None:
        """Turn the page, if there is one."""
        at = self._at + direction
        if at >= 0 and (direction < 0 or not self._is_last):
            self._turn_to(at, 0 if direction > 0 else -1)

    def on_memory_filters_changed(self, event: MemoryFilters.Changed) -> None:
        """Start over with other filters."""
        self._begin(event.chosen, self._order)
        self._turn_to(0, 0)
        if event.is_settled:
            self.table.focus()

    def action_filter(self) -> None:
        """Go to the filters."""
        self.query_one(MemoryFilters).begin()

    def action_archive(self) -> None:
        """Show the archive, or the active memories again."""
        self.table.clear_selection()
        self.query_one(MemoryFilters).toggle_archive()

    def action_live(self) -> None:
        """Watch the list, or no longer."""
        self._is_live = not self._is_live
        self._fresh.clear()
        self._say_title()
        self.app.toast("live: new rows are marked ✦" if self._is_live else "live is off")

    def action_chunks(self) -> None:
        """Show the chunks of knowledge bases too, or no longer."""
        shown = self.query_one(MemoryFilters).toggle_chunks()
        self.app.toast("knowledge base chunks are shown" if shown else "knowledge base chunks are hidden")

    def action_clear_filters(self) -> None:
        """Show everything."""
        self.query_one(MemoryFilters).clear()

    def action_copy(self) -> None:
        """Put the text on the clipboard; over ssh the terminal has to allow it."""
        key = self.table.current_key

        async def copy() -> None:
            if key is not None:
                self.copy((await self.client.memories.show(key)).content)

        self.ask(copy, "copy")

    def on_selected(self) -> None:
        """Say how many rows are selected."""
        self._tell_where()

    def action_leave(self) -> None:
        """Leave a field; then give up the selection."""
        if self.focused is self.table and self.table.selected:
            self.table.clear_selection()
        else:
            super().action_leave()

    def action_write(self) -> None:
        """Store a new memory."""
        self.change(self._changes.write)

    def action_change(self, what: str) -> None:
        """Change the selected memories, or the one under the cursor."""
        key, chosen = self.table.current_key, self.table.selected
        if chosen and what in ("archive", "restore", "tag", "move", "delete"):
            self.change(lambda: self._bulk.carry_out(what, chosen))
        elif key is not None and what in ("tag", "move", "delete"):
            self.change(lambda: self._bulk.carry_out(what, [key]))
        elif key is not None:
            self.change(lambda: self._changes.carry_out(what, key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Restore works in the archive, archive outside of it."""
        if action == "change" and parameters[0] in ("restore", "archive"):
            return (parameters[0] == "restore") == self._filter.archived
        return True

    def _mark(self, memory_id: str, leaving: bool) -> None:
        (self._leaving.add if leaving else self._leaving.discard)(memory_id)
        memory = self._rows.get(memory_id)
        if memory is not None:
            self.table.replace(self._row(memory))

    def _progress(self, done: int, total: int) -> None:
        self.query_one("#where", Static).update(f"{done:,} of {total:,} …")

    def _done_with_selection(self) -> None:
        self.table.clear_selection()
        self._reread()

    def _reread(self) -> None:
        async def read() -> None:
            self._show(*await self._pages.read_again(self._at), self.table.current_key or 0)

        if self.is_mounted:
            self.ask(read)
