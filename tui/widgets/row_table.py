"""A table of rows that fits its width: one column takes what the others leave, scarce space drops columns.

It holds the rows it is given and no others, and draws only the lines that are seen. At either end it says so
(`EdgeReached`), and the screen brings the next page. Arrow keys and vim keys move.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memctl.folding import fold

from ..presenters.cells import Cell, TableRow
from ..widget_messages import EdgeReached, HeaderClicked, Highlighted, Opened

_MIN_FLEXIBLE = 8
"""Cells that a flexible column keeps; a table too narrow for it is cut off at the right."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: those of `width` 0 share what is left; in a table of fewer than `from_width` cells it is not shown."""

    label: str
    width: int = 0
    from_width: int = 0


class RowTable(ScrollView, can_focus=True):
    """Rows under columns; it shows those that fit."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-table--header",
        "row-table--cursor",
        "row-table--marked",
        "row-table--empty",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "step(1)", "Down", show=False),
        Binding("k,up", "step(-1)", "Up", show=False),
        Binding("pagedown,ctrl+f", "page(2)", "Page down", show=False),
        Binding("pageup,ctrl+b", "page(-2)", "Page up", show=False),
        Binding("ctrl+d", "page(1)", "Half a page down", show=False),
        Binding("ctrl+u", "page(-1)", "Half a page up", show=False),
        Binding("g,home", "row(0)", "First row", show=False),
        Binding("G,end", "row(-1)", "Last row", show=False),
        Binding("enter,l", "open", "Open", show=False),
    ]

    def __init__(self, columns: Sequence[Column], *, id: str | None = None, title: str = "", classes: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.border_title = title
        self._empty = ""
        self._base = Style()
        self._columns = tuple(columns)
        self._widths: list[tuple[int, int]] = []
        self._laid_out_for = -1
        self._rows: list[TableRow] = []
        self.marked: dict[str, None] = {}
        self._sorted_by: tuple[str, bool] = ("", False)
        self.cursor_row = 0

    @property
    def rows(self) -> Sequence[TableRow]:
        """The rows."""
        return self._rows

    @property
    def keys(self) -> list[str]:
        """The keys of the rows, in order."""
        return [row.key for row in self._rows]

    @property
    def current_key(self) -> str | None:
        """The key of the row under the cursor."""
        return self._rows[self.cursor_row].key if self._rows else None

    def show(self, rows: Sequence[TableRow], cursor: str | int = 0) -> None:
        """Replace the rows; the cursor goes to a key or a position (-1 is the last), and stays where it is when the key is gone."""
        self._rows = list(rows)
        self.virtual_size = Size(1, len(self._rows) + 1)
        keys = self.keys
        if isinstance(cursor, str):
            cursor = keys.index(cursor) if cursor in keys else min(self.cursor_row, len(keys) - 1)
        self.cursor_row = 0
        self.refresh()
        self.move_cursor(cursor if -len(keys) <= cursor < len(keys) else 0)

    def say_when_empty(self, text: str) -> None:
        """The text of a table without rows: a first line that says so, and lines of what to do."""
        self._empty = text
        self.refresh()

    def mark(self, keys: Iterable[str]) -> None:
        """Show the rows with these keys as selected."""
        self.marked = dict.fromkeys(keys)
        self.refresh()

    def say_sorted(self, label: str, *, descending: bool) -> None:
        """Show by an arrow in the heading which column the rows are sorted by."""
        self._sorted_by = (label, descending)
        self.refresh()

    def replace(self, row: TableRow) -> None:
        """Show other cells for a row that is there."""
        keys = self.keys
        if row.key in keys:
            self._rows[keys.index(row.key)] = row
            self.refresh()

    def redraw(self, rows: Sequence[TableRow]) -> None:
        """Show other cells for the rows that are there; nothing moves."""
        if self._rows != rows:
            self._rows = list(rows)
            self.refresh()

    def move_cursor(self, row: int) -> None:
        """Put the cursor on a row (-1 is the last), as near as there are rows, and show it."""
        last, before, top = len(self._rows) - 1, self.cursor_row, self.scroll_offset.y
        self.cursor_row = max(min(row if row >= 0 else last + 1 + row, last), 0)
        self._show_cursor()
        if self.scroll_offset.y == top:
            for at in {before, self.cursor_row}:
                self.refresh(Region(0, at - top + 1, self.size.width, 1))
        self.post_message(Highlighted(self.id, self.current_key))

    def _show_cursor(self) -> None:
        """Scroll to the cursor, even before the scroll bar for new rows appears."""
        self.scroll_to_region(Region(0, self.cursor_row, 1, 2), animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        self._show_cursor()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Work out once for all lines what depends on every widget around the table."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The heading at the top, then a row for each line."""
        width = self.scrollable_content_region.width
        self._lay_out(width)
        if y == 0:
            labels = [Cell(self._label(column)) for column in self._columns]
            return self._strip(labels, self.get_component_rich_style("row-table--header"), width)
        at = self.scroll_offset.y + y - 1
        if not self._rows:
            return self._empty_line(y, width)
        if at >= len(self._rows):
            return Strip.blank(width, self._base)
        return self._row_line(at, width)

    def _row_line(self, at: int, width: int) -> Strip:
        row = self._rows[at]
        marked = row.key in self.marked
        if at == self.cursor_row:
            edge = "●" if marked else "▌"
            return self._strip(row.cells, self.get_component_rich_style("row-table--cursor"), width, edge)
        if marked:
            return self._strip(row.cells, self.get_component_rich_style("row-table--marked"), width, "●")
        return self._strip(row.cells, self._base, width)

    def _label(self, column: Column) -> str:
        """The heading of a column, with an arrow when the rows are sorted by it."""
        label, descending = self._sorted_by
        if not label or column.label != label:
            return column.label
        arrow = "↓" if descending else "↑"
        return f"{label[: column.width - 1] if column.width else label}{arrow}"

    def _empty_line(self, y: int, width: int) -> Strip:
        """The hint of a table without rows, a third of the way down, folded where it is wider than the table."""
        lines = [part for line in self._empty.splitlines() for part in fold(line, width - 2, "").split("\n")]
        at = y - max((self.scrollable_content_region.height - len(lines)) // 3, 1)
        if not 0 <= at < len(lines):
            return Strip.blank(width, self._base)
        style = self.get_component_rich_style("row-table--empty") if at else self._base + Style(bold=True)
        text = Cell(lines[at]).fitted(min(cell_len(lines[at]), width))
        gap = (width - cell_len(text)) // 2
        return Strip([Segment(" " * gap, self._base), Segment(text, style)]).adjust_cell_length(width, self._base)

    def _strip(self, cells: Sequence[Cell], base: Style, width: int, edge: str = " ") -> Strip:
        """The cells in their columns; `edge` is the first character of the line."""
        find, segments = self.app.console.get_style, list[Segment]()
        for at, size in self._widths:
            style = base + find(cells[at].style) if cells[at].style else base
            segments += [Segment(" ", base), Segment(cells[at].fitted(size), style), Segment(" ", base)]
        segments[:1] = [Segment(edge, base + find("mark"))]
        return Strip(segments).adjust_cell_length(width, base)

    def _lay_out(self, width: int) -> None:
        """Choose the columns and their widths."""
        if width != self._laid_out_for:
            shown = [(at, column) for at, column in enumerate(self._columns) if column.from_width <= width]
            left = width - sum(column.width + 2 for _, column in shown)
            flexible = [at for at, column in shown if not column.width]
            share, rest = divmod(left, len(flexible) or 1)
            wide = {at: max(share + (nth < rest), _MIN_FLEXIBLE) for nth, at in enumerate(flexible)}
            self._widths = [(at, column.width or wide[at]) for at, column in shown]
            self._laid_out_for = width

    def action_step(self, direction: int) -> None:
        """Move by a row; beyond the ends, ask for what lies there."""
        if 0 <= self.cursor_row + direction < len(self._rows):
            self.move_cursor(self.cursor_row + direction)
        else:
            self.post_message(EdgeReached(direction))

    def action_page(self, halves: int) -> None:
        """Move by half pages; from the ends, ask for what lies beyond."""
        direction = 1 if halves > 0 else -1
        rows = max(1, (self.scrollable_content_region.height - 1) * abs(halves) // 2)
        if 0 <= self.cursor_row + direction < len(self._rows):
            self.move_cursor(max(self.cursor_row + direction * rows, 0))
        else:
            self.post_message(EdgeReached(direction))

    def action_row(self, row: int) -> None:
        """Go to a row."""
        self.move_cursor(row)

    def action_open(self) -> None:
        """Choose the row under the cursor."""
        if self.current_key is not None:
            self.post_message(Opened(self.id, self.current_key))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a click on the cursor opens."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        at = self.scroll_offset.y + offset.y - 1
        if offset.y == 0:
            self._click_heading(offset.x)
        elif at < len(self._rows):
            if at == self.cursor_row:
                self.action_open()
            else:
                self.move_cursor(at)

    def _click_heading(self, x: int) -> None:
        left = 0
        for at, size in self._widths:
            left += size + 2
            if x < left:
                self.post_message(HeaderClicked(self.id, self._columns[at].label))
                return

    def on_mouse_scroll_down(self) -> None:
        """The wheel at the end asks for what follows."""
        if self._rows and self.scroll_offset.y >= self.max_scroll_y:
            self.post_message(EdgeReached(1))

    def on_mouse_scroll_up(self) -> None:
        """The wheel at the beginning asks for what comes before."""
        if self._rows and self.scroll_offset.y <= 0:
            self.post_message(EdgeReached(-1))
