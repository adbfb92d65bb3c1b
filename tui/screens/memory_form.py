"""The form for editing a memory, and for superseding it by a new one."""

from dataclasses import dataclass, replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, TextArea

from memctl.wire.enums import Category, Store
from tui.presenters.memories import Editable
from tui.screens.dialogs import Dialog
from tui.widgets.choice import Choice


@dataclass(frozen=True, slots=True)
class Draft:
    """What the form says."""

    memory: Editable
    reason: str = ""


class MemoryForm(Dialog[Draft]):
    """Title, content, store, category, tags; ctrl+s accepts."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "accept", "Accept")]

    def __init__(self, question: str, yes: str, memory: Editable, *, with_reason: bool = False) -> None:
        super().__init__(f"{question}  (ctrl+s accepts, Esc cancels)", yes)
        self._memory = memory
        self._with_reason = with_reason

    def fields(self) -> ComposeResult:
        """The fields, filled with what is stored."""
        memory = self._memory
        yield Input(memory.title, placeholder="title", id="title", max_length=500, compact=True)
        yield TextArea(memory.content, id="content", soft_wrap=True, tab_behavior="focus")
        with Horizontal(classes="fields"):
            yield Choice(Store, value=memory.store, id="store")
            yield Choice(Category, value=memory.category, id="category")
            yield Input(" ".join(memory.tags), placeholder="tags", id="tags", compact=True)
        if self._with_reason:
            yield Input(placeholder="why is it superseded? (optional)", id="reason", max_length=500, compact=True)

    def answer(self) -> Draft | None:
        """The draft; not without title and content."""
        title, content = self.query_one("#title", Input).value, self.query_one("#content", TextArea).text
        if not title.strip() or not content.strip():
            self.notify("title and content are needed", severity="warning", markup=False)
            return None
        memory = replace(
            self._memory,
            title=title,
            content=content,
            store=Store(self.query_one("#store", Choice).chosen or self._memory.store),
            category=Category(self.query_one("#category", Choice).chosen or self._memory.category),
            tags=tuple(self.query_one("#tags", Input).value.replace("#", " ").lower().split()),
        )
        return Draft(memory, self.query_one("#reason", Input).value if self._with_reason else "")
