"""The line above the keys: is memd there, what is left of the credits, and what may be taken back."""

from textual import getters
from textual.content import Content
from textual.widgets import Static

from ..app import Link, Memtui

_UNMETERED = 999_999


class StatusLine(Static):
    """One line; red with the way out when memd does not answer."""

    app = getters.app(Memtui)

    def on_mount(self) -> None:
        """Follow the connection, and count down what is held."""
        self.watch(self.app, "link", self._follow)
        self.set_interval(1.0, self.refresh)

    def _follow(self, link: Link) -> None:
        self.set_class(link.failure is not None, "-offline")
        self.refresh()

    def render(self) -> Content:
        """The state in words; none of it is read as markup."""
        link = self.app.link
        if link.failure is not None:
            return Content(f"✗ {link.failure}")
        state = "●" if link.answered else "○ connecting to"
        parts = [f"{state} {self.app.client.url}", self._credits()]
        label = self.app.undo.label
        if label:
            parts.append(f"{label} – u undoes")
        return Content("  ·  ".join(part for part in parts if part))

    def _credits(self) -> str:
        left = self.app.client.credits
        if left is None or left.limit >= _UNMETERED:
            return ""
        return f"{left.remaining:,} of {left.limit:,} credits"
