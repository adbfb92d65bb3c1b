"""The line at the top: is memd there, is it slow, who is asking, what is left of the credits, what may be undone."""

from textual import getters
from textual.content import Content
from textual.widgets import Static

from memctl.wire.limits import NO_LIMIT

from ..app import Link, Memtui


class StatusLine(Static):
    """One line; red with the way out when memd does not answer."""

    app = getters.app(Memtui)
    _drawn: tuple[str, str | None, int] = "", None, 0

    def on_mount(self) -> None:
        """Follow the connection, the user, the credits, and what may be undone."""
        self.watch(self.app, "link", self._follow)
        self.watch(self.app, "identity", self._named)
        self.set_interval(1.0, self._refresh_if_changed)

    def _follow(self, link: Link) -> None:
        self.set_class(link.failure is not None, "-offline")
        self.refresh()

    def _named(self, _identity: str) -> None:
        self.refresh()

    def _refresh_if_changed(self) -> None:
        """Poll the credits, the change to undo and the wait, which send no message when they change."""
        if self._drawn != (self._credits(), self.app.undo.label, self.app.waiting_seconds):
            self.refresh()

    def render(self) -> Content:
        """The state in words, none of it read as markup; in a narrow terminal what may be undone comes before all else."""
        self._drawn = credits_left, label, _ = self._credits(), self.app.undo.label, self.app.waiting_seconds
        link = self.app.link
        if link.failure is not None:
            return Content(f"✗ {link.failure}")
        parts = [Content.from_markup(f"[b $accent]◆ memd[/]  {self._dot()} $url", url=self.app.client.url)]
        parts += [Content(text) for text in (self.app.identity, credits_left) if text]
        between = Content.from_markup("  [$foreground 40%]│[/]  ")
        if not label:
            return between.join(parts)
        way_back = Content.from_markup("[b $warning] – u undoes[/]")
        undo = Content.from_markup("[b $warning]$label[/]", label=label)
        whole = between.join([*parts, undo + way_back])
        space = self.content_size.width
        if whole.cell_length <= space:
            return whole
        start = Content.from_markup("[b $accent]◆ memd[/]") + between
        return start + undo.truncate(space - start.cell_length - way_back.cell_length, ellipsis=True) + way_back

    def _dot(self) -> str:
        """Whether memd answers, as markup: a screen that stays empty is then one that still waits."""
        if not self.app.link.answered:
            return "[$warning]○[/] connecting to"
        seconds = self.app.waiting_seconds
        return f"[$warning]○ waiting {seconds} s for[/]" if seconds else "[$success]●[/]"

    def _credits(self) -> str:
        credits_left = self.app.client.credits
        if credits_left is None or credits_left.limit >= NO_LIMIT:
            return ""
        return f"{credits_left.remaining:,} of {credits_left.limit:,} credits"
