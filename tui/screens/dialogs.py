"""Dialogs: a question to confirm, and a line of text to give."""

from typing import ClassVar, Generic, TypeVar

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static
from textual.widgets.button import ButtonVariant

from memctl.text import printable

from ..app import Memtui

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer | None], Generic[Answer]):
    """A box in the middle; Esc answers None."""

    app = getters.app(Memtui)
    YES: ClassVar[ButtonVariant] = "primary"
    YES_KEY: ClassVar[str] = ""
    NO: ClassVar[str] = "Cancel"
    """The button that answers None; none where there is nothing to cancel."""
    NO_KEY: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, question: str, yes: str) -> None:
        super().__init__()
        self._question = question
        self._yes = yes

    def compose(self) -> ComposeResult:
        """Question, fields, buttons."""
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static(Text(printable(self._question)), classes="question")
            yield from self.fields()
            with Horizontal(classes="buttons"):
                yield Button(self._yes + self.YES_KEY, variant=self.YES, id="yes", compact=True)
                if self.NO:
                    yield Button(self.NO + self.NO_KEY, id="no", compact=True)

    def fields(self) -> ComposeResult:
        """The fields to fill in."""
        yield from ()

    def answer(self) -> Answer | None:
        """The values of the fields; None when they are incomplete, and the dialog stays open."""
        raise NotImplementedError

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Close with the answer."""
        answer = self.answer()
        if answer is not None:
            self.dismiss(answer)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A click does the same as the key."""
        if event.button.id == "yes":
            self.action_accept()
        else:
            self.action_cancel()


class Confirm(Dialog[bool]):
    """Yes or no; y and n answer too, and Enter is the button in focus, at first Cancel, or yes where nothing can be lost."""

    AUTO_FOCUS = "#no"
    YES = "warning"
    YES_KEY = " (y)"
    NO_KEY = " (n)"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "accept", "Yes"), Binding("n", "cancel", "No")]

    def __init__(self, question: str, yes: str, *, harmless: bool = False) -> None:
        super().__init__(question, yes)
        self._harmless = harmless

    def on_mount(self) -> None:
        """Put the focus on yes where nothing can be lost."""
        if self._harmless:
            self.query_one("#yes", Button).focus()

    def answer(self) -> bool:
        """True: the question was confirmed."""
        return True


class Ask(Dialog[str]):
    """One line of text."""

    def __init__(self, question: str, yes: str, *, placeholder: str = "", value: str = "") -> None:
        super().__init__(question, yes)
        self._placeholder = placeholder
        self._value = value

    def fields(self) -> ComposeResult:
        """The line."""
        yield Input(self._value, placeholder=self._placeholder, id="line")

    def answer(self) -> str | None:
        """The line, trimmed; a blank one is not an answer."""
        return self.query_one(Input).value.strip() or None

    def on_input_submitted(self) -> None:
        """Enter accepts."""
        self.action_accept()
