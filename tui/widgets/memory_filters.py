"""The line of filters above the memories."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Select

from memctl.wire.enums import Category, Store

from ..presenters.memories import MemoryFilter
from .choice import Choice


class MemoryFilters(Horizontal):
    """Store and category filter at once, the texts with Enter."""

    @dataclass
    class Changed(Message):
        """Other memories are wanted."""

        chosen: MemoryFilter

    def __init__(self) -> None:
        super().__init__(id="filters", classes="fields")
        self.border_title = "Filter"
        self._last = MemoryFilter()
        self._chunks = False

    def compose(self) -> ComposeResult:
        """Five fields on one line."""
        yield Choice(Store, prompt="store", id="store")
        yield Choice(Category, prompt="category", id="category")
        yield Input(placeholder="channel", id="channel", compact=True)
        yield Input(placeholder="tag", id="tag", compact=True)
        yield Input(placeholder="text", id="text", compact=True)

    def begin(self) -> None:
        """Fill in the text."""
        self.query_one("#text", Input).focus()

    def toggle_chunks(self) -> bool:
        """Show the chunks of knowledge bases too, or no longer; whether they are shown now."""
        self._chunks = not self._chunks
        self._tell()
        return self._chunks

    def clear(self) -> None:
        """No filter at all."""
        with self.prevent(Select.Changed):
            for select in self.query(Choice):
                select.clear()
        for field in self.query(Input):
            field.value = ""
        self._chunks = False
        self._tell()

    def on_select_changed(self, event: Select.Changed) -> None:
        """A choice counts at once."""
        event.stop()
        self._tell()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A text counts with Enter."""
        event.stop()
        self._tell()

    def _tell(self) -> None:
        chosen = self._chosen()
        if chosen != self._last:
            self._last = chosen
            self.post_message(self.Changed(chosen))

    def _chosen(self) -> MemoryFilter:
        store, category = self.query_one("#store", Choice).chosen, self.query_one("#category", Choice).chosen
        channel, tag, text = (self.query_one(f"#{name}", Input).value.strip() for name in ("channel", "tag", "text"))
        return MemoryFilter(
            store=Store(store) if store else None,
            category=Category(category) if category else None,
            channel=channel,
            tag=tag.lstrip("#"),
            text=text,
            chunks=self._chunks,
        )
