"""One figure in a titled panel."""

from rich.text import Text
from textual.widgets import Static


class Card(Static):
    """A number that is read from afar, and a line of words for it."""

    def show(self, title: str, number: str, words: str) -> None:
        """Show this figure."""
        self.border_title = title
        self.update(Text.assemble((number, "mark"), "\n", (words, "dim")))
