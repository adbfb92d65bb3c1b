"""Names and values in two columns, in a titled panel."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text
from textual.widgets import Static


class Facts(Static):
    """A heading, and lines of name and value."""

    def show(self, heading: str, lines: Iterable[tuple[str, Text]]) -> None:
        """Show these lines."""
        self.border_title = heading
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, value in lines:
            table.add_row(name, value)
        self.update(table)
