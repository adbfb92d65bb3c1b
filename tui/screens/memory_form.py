"""The form for writing a memory, editing it, and superseding it by a new one."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static, TextArea

from memctl.wire.enums import Category, Store

from ..drafts import Draft
from ..periods import read_end, read_start
from ..presenters.memories import Editable
from ..selection import tags_of
from ..widgets.choice import Choice
from .dialogs import Confirm, Dialog


class MemoryForm(Dialog[Draft]):
    """Title, content, store, category, tags, period; ctrl+s accepts, and Esc asks before it discards anything.

    `draft` fills the fields instead of what is stored; `keep` takes what they say when memtui ends with the form open.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "accept", "Accept")]

    def __init__(
        self,
        question: str,
        yes: str,
        memory: Editable,
        *,
        draft: Draft | None = None,
        with_reason: bool = False,
        with_channel: bool = False,
        keep: Callable[[Draft], None] | None = None,
    ) -> None:
        super().__init__(f"{question}  (ctrl+s accepts, Esc cancels)", yes)
        self._memory = memory
        self._draft = draft or Draft(memory)
        self._with_reason = with_reason
        self._with_channel = with_channel
        self._keep = keep
        self._is_answered = False
        self._latest = self._draft

    def fields(self) -> ComposeResult:
        """The fields, filled with the draft or with what is stored."""
        memory = self._draft.memory
        # not selected, or the first letter typed would replace the title that is stored
        yield Input(memory.title, placeholder="title", id="title", max_length=500, compact=True, select_on_focus=False)
        classes = "-with-reason" if self._with_reason else ""
        yield TextArea(memory.content, id="content", classes=classes, soft_wrap=True, tab_behavior="focus")
        with Horizontal(classes="fields"):
            yield Choice(Store, value=memory.store, id="store")
            yield Choice(Category, value=memory.category, id="category")
            yield Input(" ".join(memory.tags), placeholder="tags", id="tags", compact=True)
            if self._with_channel:
                yield Input(memory.channel or "", placeholder="channel", id="channel", compact=True)
        with Horizontal(classes="fields"):
            yield Static("true from", classes="label")
            yield Input(memory.begin, placeholder="as the text says", id="begin", compact=True)
            yield Static("until", classes="label")
            yield Input(memory.end, placeholder="2027-01-31, +7d", id="end", compact=True)
        if self._with_reason:
            hint = "why is it superseded? (optional)"
            yield Input(self._draft.reason, placeholder=hint, id="reason", max_length=500, compact=True)

    def answer(self) -> Draft | None:
        """The draft; not without title and content, or with a period that cannot be read."""
        written = self._written()
        if not written.memory.title.strip() or not written.memory.content.strip():
            self.notify("title and content are required", severity="warning", markup=False)
            return None
        try:
            read_start(written.memory.begin)
            read_end(written.memory.end)
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return None
        self._is_answered = True
        return written

    def _written(self) -> Draft:
        """The values of the fields."""
        memory = replace(
            self._memory,
            title=self.query_one("#title", Input).value,
            content=self.query_one("#content", TextArea).text,
            store=Store(self.query_one("#store", Choice).chosen or self._memory.store),
            category=Category(self.query_one("#category", Choice).chosen or self._memory.category),
            tags=tuple(tags_of(self.query_one("#tags", Input).value)),
            channel=self._channel(),
            begin=self.query_one("#begin", Input).value.strip(),
            end=self.query_one("#end", Input).value.strip(),
        )
        return Draft(memory, self.query_one("#reason", Input).value if self._with_reason else "")

    def _channel(self) -> str | None:
        """The channel of a new memory; an edited one keeps its own."""
        return self.query_one("#channel", Input).value.strip() or None if self._with_channel else self._memory.channel

    def action_cancel(self) -> None:
        """Close without an answer; what was written is discarded only after a question."""
        if self._written() == Draft(self._memory):
            self._discard(sure=True)
        else:
            self.app.push_screen(Confirm("Discard your changes?", "Discard"), self._answer_discard)

    def _answer_discard(self, sure: bool | None) -> None:
        self._discard(sure=bool(sure))

    def _discard(self, *, sure: bool) -> None:
        if sure:
            self._is_answered = True
            self.dismiss(None)

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Choice.Changed)
    def _note_change(self) -> None:
        """Remember the values of the fields, which no longer exist when memtui ends."""
        self._latest = self._written()

    def on_unmount(self) -> None:
        """Keep the text when memtui ends in the middle of it."""
        if self._keep is not None and not self._is_answered and self._latest != Draft(self._memory):
            self._keep(self._latest)
