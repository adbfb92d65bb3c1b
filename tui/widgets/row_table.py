"""A table of rows that fits its width: one column takes what the others leave, scarce space drops columns.

It holds the rows it is given and no others. At either end it says so (`EdgeReached`), and the screen brings the next
page. Keys are those of vim beside the arrows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from tui.messages import EdgeReached, Highlighted, Opened
from tui.presenters.cells import TableRow

_PADDING = 2
_SCROLLBAR = 1
_LEAST_FLEXIBLE = 12


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `width` 0 takes what is left; below a table of `from_width` cells it is not shown."""

    label: str
    width: int = 0
    from_width: int = 0


class RowTable(DataTable[Text]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
        Binding("g", "scroll_top", "First row", show=False),
        Binding("G", "scroll_bottom", "Last row", show=False),
        Binding("ctrl+f", "page_down", "Page down", show=False),
        Binding("ctrl+b", "page_up", "Page up", show=False),
        Binding("ctrl+d", "half(1)", "Half a page down", show=False),
        Binding("ctrl+u", "half(-1)", "Half a page up", show=False),
        Binding("home", "scroll_top", "First row", show=False),
        Binding("end", "scroll_bottom", "Last row", show=False),
        Binding("l", "select_cursor", "Open", show=False),
    ]

    def __init__(self, columns: Sequence[Column], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, cursor_type="row", zebra_stripes=False, cell_padding=1, show_row_labels=False)
        self._all_columns = tuple(columns)
        self._shown: tuple[int, ...] = ()
        self._rows: list[TableRow] = []
        self._laid_out_for = 0

    @property
    def keys(self) -> list[str]:
        """The keys of the rows, in order."""
        return [row.key for row in self._rows]

    @property
    def current_key(self) -> str | None:
        """The key of the row under the cursor."""
        return self._rows[self.cursor_row].key if 0 <= self.cursor_row < len(self._rows) else None

    def show(self, rows: Sequence[TableRow], cursor: str | int = 0) -> None:
        """Replace the rows; the cursor goes to a key or a position (-1 is the last), the first row when it is gone."""
        self._rows = list(rows)
        self._lay_out(force=True)
        self._fill()
        keys = self.keys
        at = keys.index(cursor) if isinstance(cursor, str) and cursor in keys else cursor
        place = at % len(keys) if isinstance(at, int) and keys and -len(keys) <= at < len(keys) else 0
        self.move_cursor(row=place, animate=False)
        self.post_message(Highlighted(self.id, self.current_key))

    def replace(self, row: TableRow) -> None:
        """Show other cells for a row that is there."""
        keys = self.keys
        if row.key in keys:
            at = keys.index(row.key)
            self._rows[at] = row
            for place, index in enumerate(self._shown):
                self.update_cell_at((at, place), row.cells[index])  # pyright: ignore[reportArgumentType] - a pair will do

    def on_resize(self, event: events.Resize) -> None:
        """Fit the columns to the new width."""
        at = self.cursor_row
        if self._lay_out(width=event.size.width):
            self._fill()
            self.move_cursor(row=at, animate=False)

    def _lay_out(self, *, width: int = 0, force: bool = False) -> bool:
        """Choose and size the columns; whether anything changed."""
        width = width or self.size.width or self._laid_out_for or 80
        if width == self._laid_out_for and not force:
            return False
        self._laid_out_for = width
        shown = [at for at, column in enumerate(self._all_columns) if column.from_width <= width]
        taken = sum(self._all_columns[at].width + _PADDING for at in shown) + _SCROLLBAR
        self.clear(columns=True)
        for at in shown:
            column = self._all_columns[at]
            label = Text(column.label, justify="left", style="bold", end="")
            self.add_column(label, width=column.width or max(width - taken, _LEAST_FLEXIBLE))
        self._shown = tuple(shown)
        return True

    def _fill(self) -> None:
        for row in self._rows:
            self.add_row(*(row.cells[at] for at in self._shown), key=row.key)

    def action_cursor_down(self) -> None:
        """Move down, or ask for what follows."""
        if self.cursor_row >= len(self._rows) - 1:
            self.post_message(EdgeReached(1))
        super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Move up, or ask for what comes before."""
        if self.cursor_row <= 0:
            self.post_message(EdgeReached(-1))
        super().action_cursor_up()

    def action_page_down(self) -> None:
        """Move a page down, or ask for what follows."""
        if self.cursor_row >= len(self._rows) - 1:
            self.post_message(EdgeReached(1))
        super().action_page_down()

    def action_page_up(self) -> None:
        """Move a page up, or ask for what comes before."""
        if self.cursor_row <= 0:
            self.post_message(EdgeReached(-1))
        super().action_page_up()

    def action_half(self, direction: int) -> None:
        """Move half a page."""
        step = max(1, self.scrollable_content_region.height // 2)
        self.move_cursor(row=min(max(0, self.cursor_row + direction * step), max(0, len(self._rows) - 1)))

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Tell the screen in its own words."""
        event.stop()
        if event.row_key.value == self.current_key:
            self.post_message(Highlighted(self.id, self.current_key))

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Tell the screen in its own words."""
        event.stop()
        if event.row_key.value is not None:
            self.post_message(Opened(self.id, event.row_key.value))
