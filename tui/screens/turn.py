"""One turn in full: what was asked and what was answered."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from memctl.wire.messages import MessageRow

from ..conversation_reader import ConversationReader
from ..presenters import messages as words
from ..widgets.text_scroll import TextScroll
from .framed import FramedScreen


class TurnScreen(FramedScreen):
    """The messages of the turn that one message belongs to."""

    TAB = "messages"
    AUTO_FOCUS = "#turn"  # arrow keys scroll at once
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    def __init__(self, reader: ConversationReader, message: MessageRow) -> None:
        super().__init__()
        self._reader = reader
        self._message = message

    def body(self) -> ComposeResult:
        """The text, scrollable."""
        yield Static(f"turn {self._message.turn_id or '–'}", classes="heading", markup=False)
        with TextScroll(id="turn"):
            yield Static(words.message_text(self._message), id="turn-text", classes="text", markup=False)

    def default_focus(self) -> Widget | None:
        """The text."""
        return self.query_one("#turn")

    def load(self) -> None:
        """Ask for the other messages of the turn."""

        async def read() -> None:
            messages = await self._reader.turn_of(self._message)
            self.query_one("#turn-text", Static).update(words.turn_text(messages))

        self.ask(read)
