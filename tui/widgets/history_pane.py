"""The versions of a memory as a time line, and below what differs between two of them."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from memctl.wire.history import MemoryVersion

from ..presenters import history as words
from ..widget_messages import Highlighted, Opened
from .row_table import Column, RowTable

COLUMNS = (
    Column("", 1),
    Column("no", 3),
    Column("ago", 7),
    Column("what", 9),
    Column("who", 16, from_width=70),
    Column("changed"),
    Column("when", 16, from_width=100),
)


class HistoryPane(Vertical):
    """The version under the cursor is compared with the one before it, or with one that was marked by =."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("equals_sign", "base", "Compare with this", key_display="=")]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._versions: list[MemoryVersion] = []
        self._base: int | None = None
        self._now = 0

    def compose(self) -> ComposeResult:
        """The time line above, the comparison below."""
        yield RowTable(COLUMNS, id="timeline", title="Versions", classes="default-focus")
        with VerticalScroll(id="diff", classes="panel", can_focus=False) as panel:
            panel.border_title = "What changed"
            yield Static(id="diff-text", markup=False)

    @property
    def table(self) -> RowTable:
        """The time line."""
        return self.query_one("#timeline", RowTable)

    @property
    def older_version(self) -> int | None:
        """The version under the cursor, unless it is the stored one."""
        key = self.table.current_key
        newest = self._versions[-1].version if self._versions else None
        return None if key is None or int(key) == newest else int(key)

    def show(self, versions: Sequence[MemoryVersion], now: int) -> None:
        """Show these versions, oldest first; `now` in epoch ms."""
        self._versions, self._base, self._now = list(versions), None, now
        self._draw()

    def _draw(self) -> None:
        self.table.show(words.version_rows(self._versions, self._base, self._now), self.table.current_key or 0)

    def on_highlighted(self, event: Highlighted) -> None:
        """Compare the version under the cursor."""
        event.stop()
        self.query_one("#diff-text", Static).update(self._comparison(event.key) if event.key else "")

    def on_opened(self, event: Opened) -> None:
        """Compare all others with the version that was chosen: it is no memory that could be opened."""
        event.stop()
        self.action_base()

    def _comparison(self, key: str) -> words.Text:
        indexes = {str(version.version): index for index, version in enumerate(self._versions)}
        index = indexes[key]
        before = indexes.get(str(self._base), index) if self._base is not None else max(index - 1, 0)
        if before == index:
            return words.uncompared(self._versions[index], is_marked=self._base is not None)
        first, second = sorted((before, index))
        return words.comparison(self._versions[first], self._versions[second])

    def action_base(self) -> None:
        """Compare all others with the version under the cursor, or each with the one before it again."""
        key = self.table.current_key
        if key is not None:
            self._base = None if self._base == int(key) else int(key)
            self._draw()
