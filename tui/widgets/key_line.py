"""The line of keys at the bottom: what the most used ones do here; a click does the same as the key."""

from functools import cache
from typing import cast

from textual import getters
from textual.content import Content
from textual.screen import Screen
from textual.signal import Signal
from textual.widgets import Input, Static

from ..app import Memtui

_IN_A_FIELD = (
    ("enter", "enter", "Accept"),
    ("tab", "tab", "Next field"),
    ("escape", "esc", "Leave the field"),
    ("f1", "F1 to F9", "Screens"),
)
"""The keys of a field, how they are shown, and what they do."""


class KeyLine(Static):
    """One line that follows the focus; drawn at once, where a footer of widgets would be rebuilt each time."""

    app = getters.app(Memtui)

    def on_mount(self) -> None:
        """Follow what is bound."""
        self.auto_links = False  # their own colours say what can be clicked
        signal = self.screen.bindings_updated_signal
        cast("Signal[Screen[None]]", signal).subscribe(self, self._changed)

    def _changed(self, _screen: Screen[None]) -> None:
        self.refresh()

    def render(self) -> Content:
        """Keys and what they do, once for each action: as many as fit; those of the application always do.

        In a field most keys are letters, and only those that lead out of it are shown.
        """
        if isinstance(self.screen.focused, Input):
            return Content("  ").join(_named(*key) for key in _IN_A_FIELD)
        shown: dict[str, Content] = {}
        always: dict[str, Content] = {}
        for node, binding, enabled, _ in self.screen.active_bindings.values():
            if enabled and binding.show and binding.action not in shown:
                (always if node is self.app else shown)[binding.action] = _named(
                    binding.key, self.app.get_key_display(binding), binding.description
                )
        return Content("  ").join(_fitted([*shown.values()], [*always.values()], self.size.width))


@cache
def _named(key: str, display: str, text: str) -> Content:
    """A key and what it does; cached, because parsing the markup takes longer than drawing it."""
    return Content.from_markup(f"[@click=app.simulate_key('{key}')][b $accent]$key[/] $text[/]", key=display, text=text)


def _fitted(keys: list[Content], always: list[Content], width: int) -> list[Content]:
    """The first of the keys that fit into `width` cells together with those that are always shown."""
    remaining = width - sum(key.cell_length + 2 for key in always)
    fitting: list[Content] = []
    for key in keys:
        remaining -= key.cell_length + 2
        if remaining < 0:
            break
        fitting.append(key)
    return [*fitting, *always]
