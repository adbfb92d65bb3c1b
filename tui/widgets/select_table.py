"""A table whose rows can be selected; rows stay selected on other pages."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType

from ..widget_messages import Selected
from .row_table import RowTable


class SelectTable(RowTable):
    """Space selects a row, * all rows that are there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Select"),
        Binding("asterisk", "select_all", "Select the whole page", key_display="*", show=False),
    ]

    @property
    def selected(self) -> list[str]:
        """The keys of the selected rows, those of other pages included, in the order of their selection."""
        return [*self.marked]

    def clear_selection(self) -> None:
        """Select nothing."""
        self._select(())

    def _select(self, keys: Iterable[str]) -> None:
        self.mark(keys)
        self.post_message(Selected(self.id))

    def action_select(self) -> None:
        """Select the row under the cursor, or no longer, and go on to the next."""
        key = self.current_key
        if key is not None:
            before = self.selected
            self._select([other for other in before if other != key] if key in before else [*before, key])
            self.move_cursor(min(self.cursor_row + 1, len(self.rows) - 1))

    def action_select_all(self) -> None:
        """Select every row that is there, or none of all when they are."""
        keys = self.keys
        self._select(() if set(keys) <= set(self.selected) else [*self.selected, *keys])
