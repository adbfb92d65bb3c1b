"""The line of filters above the memories."""

from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Select

from memctl.wire.enums import Category, Store

from ..presenters.memories import FILTER_FROM, MemoryFilter
from .choice import Choice

PAUSE_SECONDS = 0.12
"""How long somebody rests while typing before the list follows."""


class MemoryFilters(Horizontal):
    """Store and category filter at once, texts while they are typed."""

    @dataclass
    class Changed(Message):
        """The filter has changed; `is_settled` is true when the user has finished typing."""

        chosen: MemoryFilter
        is_settled: bool

    def __init__(self) -> None:
        super().__init__(id="filters", classes="fields")
        self.border_title = "Filter"
        self._last = MemoryFilter()
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Five fields on one line."""
        yield Input(placeholder="find words", id="text", compact=True)
        yield Choice(Store, prompt="store", id="store")
        yield Choice(Category, prompt="category", id="category")
        yield Input(placeholder="channel", id="channel", compact=True)
        yield Input(placeholder="tag", id="tag", compact=True)

    def begin(self) -> None:
        """Fill in the text."""
        self.query_one("#text", Input).focus()

    def toggle_chunks(self) -> bool:
        """Show the chunks of knowledge bases too, or no longer; returns whether they are shown now."""
        self._post(replace(self._last, chunks=not self._last.chunks))
        return self._last.chunks

    def toggle_archive(self) -> None:
        """Show the archive, or what is active."""
        self._post(replace(self._last, archived=not self._last.archived))

    def clear(self) -> None:
        """No filter at all; the archive stays open."""
        with self.prevent(Select.Changed, Input.Changed):
            for select in self.query(Choice):
                select.clear()
            for field in self.query(Input):
                field.value = ""
        self._post(MemoryFilter(archived=self._last.archived))

    @on(Select.Changed)
    def _choose(self, event: Select.Changed) -> None:
        """A choice counts at once."""
        event.stop()
        self._post(self._chosen())

    @on(Input.Changed)
    def _follow(self, event: Input.Changed) -> None:
        """A text counts after a short rest."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE_SECONDS, self._follow_text)

    def _follow_text(self) -> None:
        chosen = self._chosen()
        if cell_len(chosen.text) not in range(1, FILTER_FROM):
            self._post(chosen, is_settled=False)

    @on(Input.Submitted)
    def _settle(self, event: Input.Submitted) -> None:
        """Enter accepts the typed text, and leaves the field."""
        event.stop()
        self._post(self._chosen(), always=True)

    def _post(self, chosen: MemoryFilter, *, is_settled: bool = True, always: bool = False) -> None:
        if self._timer is not None:
            self._timer.stop()
        if chosen != self._last or always:
            self._last = chosen
            self.post_message(self.Changed(chosen, is_settled))

    def _chosen(self) -> MemoryFilter:
        store, category = self.query_one("#store", Choice).chosen, self.query_one("#category", Choice).chosen
        channel, tag, text = (self.query_one(f"#{name}", Input).value.strip() for name in ("channel", "tag", "text"))
        return replace(
            self._last,
            store=Store(store) if store else None,
            category=Category(category) if category else None,
            channel=channel,
            tag=tag.lstrip("#"),
            text=text,
        )
