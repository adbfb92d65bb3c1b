"""Table cells: stored text made harmless and short; never markup."""

from typing import NamedTuple

from rich.text import Text

from memctl.text import age, bar, one_line

LONGEST = 400
"""No cell shows more characters than this."""


class TableRow(NamedTuple):
    """A row of a table under its key."""

    key: str
    cells: tuple[Text, ...]


def cell(text: str | None, style: str = "") -> Text:
    """Stored text on one line; a terminal's commands, line ends and markup in it mean nothing."""
    return Text(one_line(text or "", LONGEST), style=style, no_wrap=True, overflow="ellipsis", end="")


def number(value: float, style: str = "") -> Text:
    """A number, to the right; thousands separated, fractions with two places."""
    text = f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
    return Text(text, style=style, justify="right", no_wrap=True, end="")


def share(value: float, width: int = 8) -> Text:
    """A share within 0 and 1 as a bar."""
    return Text(bar(value, width), style="cyan", no_wrap=True, end="")


def ago(then: int, now: int) -> str:
    """How long ago a moment was; epoch ms."""
    text = age(then, now)
    return text if text == "now" else f"{text} ago"
