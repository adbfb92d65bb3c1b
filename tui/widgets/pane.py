"""A text next to or below a table: as much of it as there is space for, drawn without a new layout of the screen."""

from rich.text import Text
from textual.widgets import Static


class Pane(Static):
    """Shows the beginning of a text; the screen of the thing itself shows all of it."""

    def __init__(self, *, id: str, classes: str = "", title: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=f"pane {classes}".strip(), markup=False)
        self.border_title = title

    def show(self, text: Text | None) -> None:
        """Show this text; None shows nothing."""
        self.update(text or Text(), layout=False)
