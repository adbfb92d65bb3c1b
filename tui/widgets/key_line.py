"""The line of keys at the bottom: what the most wanted ones do here; a click is as good as a key."""

from typing import cast

from textual import getters
from textual.content import Content
from textual.screen import Screen
from textual.signal import Signal
from textual.widgets import Static

from ..app import Memtui


class KeyLine(Static):
    """One line that follows the focus; drawn at once, where a footer of widgets would be rebuilt each time."""

    app = getters.app(Memtui)

    def on_mount(self) -> None:
        """Follow what is bound."""
        signal = self.screen.bindings_updated_signal  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        cast("Signal[Screen[None]]", signal).subscribe(self, self._changed)

    def _changed(self, _screen: Screen[None]) -> None:
        self.refresh()

    def render(self) -> Content:
        """Keys and what they do, once for each action."""
        shown: dict[str, Content] = {}
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            if enabled and binding.show and binding.action not in shown:
                markup = f"[@click=app.simulate_key('{binding.key}')][b $accent]$key[/] $text[/]"
                shown[binding.action] = Content.from_markup(
                    markup, key=self.app.get_key_display(binding), text=binding.description
                )
        return Content("  ").join(shown.values())
