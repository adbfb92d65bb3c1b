"""The tab bar at the top: the current tab, and what each number key opens."""

from collections.abc import Sequence
from functools import cache

from textual.content import Content
from textual.widgets import Static

from ..tabs import TABS, TabEntry

_GAP = 2


def _width(titles: Sequence[str]) -> int:
    return sum(len(f" {index} {title} ") for index, title in enumerate(titles, 1)) + _GAP * (len(titles) - 1)


_LONG_FROM = _width([entry.title for entry in TABS])
_SHORT_FROM = _width([entry.short for entry in TABS])
_BRIEF_FROM = sum(len(f" {index} {entry.brief} ") for index, entry in enumerate(TABS, 1)) + max(
    len(entry.short) - len(entry.brief) for entry in TABS
)


class TabBar(Static):
    """One line; a click on a tab opens it."""

    def __init__(self, current: str) -> None:
        super().__init__(id="tab-bar")
        self.auto_links = False  # their own colours say what can be clicked
        self._current = current

    def render(self) -> Content:
        """The tabs, with titles as long as there is space for, at the least with that of the current tab."""
        width = self.size.width
        gap = " " * (_GAP if width >= _SHORT_FROM else 0)
        return Content(gap).join(
            _tab(index, entry.name, self._title(entry, width), is_current=entry.name == self._current)
            for index, entry in enumerate(TABS, 1)
        )

    def _title(self, entry: TabEntry, width: int) -> str:
        if width >= _LONG_FROM:
            return entry.title
        if width >= _SHORT_FROM or entry.name == self._current:
            return entry.short
        return entry.brief if width >= _BRIEF_FROM else ""


@cache
def _tab(index: int, name: str, title: str, *, is_current: bool) -> Content:
    """The number and the title of a tab; cached, because parsing the markup takes longer than drawing it."""
    style = "reverse b $accent" if is_current else "not bold"
    return Content.from_markup(
        f"[@click=app.open_tab('{name}')][{style}] $label [/][/]", label=f"{index} {title}".strip()
    )
