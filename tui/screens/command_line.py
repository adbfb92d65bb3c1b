"""The `:` line: a command is written, completed with Tab, and run with Enter."""

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..command_words import Command, completion, matching

SHOWN = 8


class CommandLine(ModalScreen[Command | None]):
    """Answers the chosen command; Esc answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel"),
        Binding("tab", "complete", "Complete", priority=True),
        Binding("down", "step(1)", "Next", priority=True),
        Binding("up", "step(-1)", "Previous", priority=True),
    ]

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = commands
        self._found = list(commands)
        self._at = 0

    def compose(self) -> ComposeResult:
        """The matches above the line, at the bottom of the screen."""
        with Vertical(id="command-box"):
            yield Static(id="matches")
            with Horizontal(id="command"):
                yield Static(":", id="colon")
                yield Input(placeholder="a screen, sort, theme or action; Tab completes", id="line", compact=True)

    def on_mount(self) -> None:
        """Show what there is."""
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what matches."""
        self._found, self._at = matching(self._commands, event.value), 0
        self._draw()

    def _draw(self) -> None:
        table = Table.grid(padding=(0, 2))
        first = max(min(self._at - SHOWN // 2, len(self._found) - SHOWN), 0)
        for index, command in enumerate(self._found[first : first + SHOWN], first):
            mark = "▌" if index == self._at else " "
            table.add_row(
                Text(mark, "mark"), Text(command.text, "mark" if index == self._at else ""), Text(command.about, "dim")
            )
        if not self._found:
            table.add_row("", Text("no such command", "warn"), "")
        self.query_one("#matches", Static).update(table)

    def action_step(self, direction: int) -> None:
        """Choose the next or the previous match."""
        if self._found:
            self._at = (self._at + direction) % len(self._found)
            self._draw()

    def action_complete(self) -> None:
        """Write as much as all matches have in common; the chosen match if that adds nothing."""
        line = self.query_one("#line", Input)
        text = completion(self._found, line.value)
        if text == line.value and self._found:
            text = self._found[self._at].text
        line.value = text
        line.cursor_position = len(text)

    def on_input_submitted(self) -> None:
        """Run the chosen match."""
        if self._found:
            self.dismiss(self._found[self._at])

    def action_cancel(self) -> None:
        """Close without a command."""
        self.dismiss(None)
