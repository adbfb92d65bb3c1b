"""Every key that works on the screen behind, in one list: first those of the screen, then those of every list."""

from collections.abc import Iterable
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.dom import DOMNode
from textual.screen import ModalScreen
from textual.widgets import Static

from ..app import Memtui
from ..widgets.text_scroll import TextScroll

_MOVES = (
    ("↑ ↓  k j", "row up, row down; continues on the next page"),
    ("PgUp PgDn  ctrl+b ctrl+f", "page up, page down"),
    ("ctrl+u ctrl+d", "half a page up, half a page down"),
    ("Home End  g G", "first row, last row"),
    ("Enter  l", "open"),
    ("Tab  shift+Tab", "next field, previous field"),
    ("1 to 9  F1 to F9", "screens; F keys also work in a text field"),
    ("space  *", "select a memory, or the whole page"),
    ("Esc  q", "back, quit"),
)


class KeyHelp(ModalScreen[None]):
    """Closes with any of Esc, ? and q."""

    app = getters.app(Memtui)

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q", "close", "Close")]

    def __init__(self, active: Iterable[ActiveBinding]) -> None:
        super().__init__()
        self._active = tuple(active)

    def compose(self) -> ComposeResult:
        """The list, scrollable where the terminal is small."""
        with TextScroll(classes="dialog") as box:
            box.border_title = "Keys · Esc closes"
            yield Static(self._table())

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="mark", no_wrap=True)
        table.add_column()
        table.add_row(Text("Here", style="bold"), "")
        for keys, text in self._own():
            table.add_row(keys, Text(text))
        table.add_row("", "")
        table.add_row(Text("Navigation", style="bold"), "")
        for keys, text in _MOVES:
            table.add_row(keys, text)
        return table

    def _own(self) -> list[tuple[str, str]]:
        """The keys of the screen and the application; one line for each action."""
        lines: dict[str, tuple[list[str], str]] = {}
        for node, binding, enabled, _ in self._active:
            if enabled and binding.description and _is_frame(node) and not _is_move(binding):
                about = f": {binding.tooltip}" if binding.tooltip else ""
                keys, _ = lines.setdefault(binding.action, ([], f"{binding.description}{about}"))
                keys.append(self.app.get_key_display(binding))
        return [("  ".join(keys), text) for keys, text in lines.values()]

    def action_close(self) -> None:
        """Back to the screen behind."""
        self.dismiss()


def _is_frame(node: DOMNode) -> bool:
    """Whether a key belongs to the screen or the application, and not to a widget."""
    return node.parent is None or node.parent.parent is None


def _is_move(binding: Binding) -> bool:
    return binding.action.startswith(("scroll", "app.focus_", "open_tab", "leave", "screen.copy_text"))
