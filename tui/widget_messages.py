"""Messages from the widgets to the screens."""

from dataclasses import dataclass

from textual.message import Message


@dataclass
class EdgeReached(Message):
    """The cursor of a table would go beyond its first (-1) or last (+1) row."""

    direction: int


@dataclass
class Highlighted(Message):
    """The cursor of a table has moved to the row with this key; None when there is no row."""

    table_id: str | None
    key: str | None


@dataclass
class Opened(Message):
    """The row with this key was chosen with Enter or a click."""

    table_id: str | None
    key: str


@dataclass
class HeaderClicked(Message):
    """The heading of the column with this label was clicked."""

    table_id: str | None
    label: str


@dataclass
class Selected(Message):
    """Other rows of a table are selected."""

    table_id: str | None
