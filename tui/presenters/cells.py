"""Table cells: stored text made harmless and short; never markup."""

from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from memctl.text import age, bar, one_line

MAX_LENGTH = 400
"""No cell shows more characters than this."""


class Cell(NamedTuple):
    """A text in one style (of rich), to the left or to the right."""

    text: str
    style: str = ""
    right: bool = False

    def fitted(self, width: int) -> str:
        """The text in exactly this number of cells of the terminal."""
        length = cell_len(self.text)
        if length > width:
            return f"{set_cell_size(self.text, width - 1)}…" if width > 1 else "…" * width
        gap = " " * (width - length)
        return gap + self.text if self.right else self.text + gap


class TableRow(NamedTuple):
    """A row of a table under its key."""

    key: str
    cells: tuple[Cell, ...]


def cell(text: str | None, style: str = "") -> Cell:
    """Stored text on one line; a terminal's commands, line ends and markup in it mean nothing."""
    return Cell(one_line(text or "", MAX_LENGTH), style)


def number(value: float, style: str = "") -> Cell:
    """A number, to the right; thousands separated, fractions with two places."""
    return Cell(f"{value:,}" if isinstance(value, int) else f"{value:.2f}", style, right=True)


def share(value: float, width: int = 8, style: str = "bar") -> Cell:
    """A share within 0 and 1 as a bar."""
    return Cell(bar(value, width), style)


def ago(then: int, now: int) -> str:
    """How long ago a moment was; epoch ms."""
    text = age(then, now)
    return text if text == "now" else f"{text} ago"
