"""The line of rooms at the top: where one is, and what each number key opens."""

from textual.content import Content
from textual.widgets import Static

from ..rooms import ROOMS

_GAP = 2
_TITLES_FROM_WIDTH = sum(len(f" {at} {entry.title} ") for at, entry in enumerate(ROOMS, 1)) + _GAP * (len(ROOMS) - 1)


class RoomTabs(Static):
    """One line; a click on a room opens it."""

    def __init__(self, current: str) -> None:
        super().__init__(id="rooms")
        self._current = current

    def render(self) -> Content:
        """The rooms, with their long titles where there is space."""
        wide = self.size.width >= _TITLES_FROM_WIDTH
        return Content(" " * _GAP).join(
            self._tab(at, entry.name, entry.title if wide else entry.short) for at, entry in enumerate(ROOMS, 1)
        )

    def _tab(self, at: int, name: str, title: str) -> Content:
        style = "reverse b $accent" if name == self._current else "not bold"
        return Content.from_markup(
            f"[@click=app.open_room('{name}')][{style}] $at $title [/][/]", at=str(at), title=title
        )
