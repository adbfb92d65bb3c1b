"""Conflicts: memories that give one attribute different values; both sides, and a decision."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from memctl.client.errors import Forbidden, NotFound
from memctl.text import count, one_line
from memctl.wire.conflicts import ConflictDecision, ConflictsRequest, ConflictState, DecideRequest, MemoryConflict
from memctl.wire.memories import MemoryDetail

from ..presenters import conflicts as words
from ..presenters.cells import TableRow
from ..widget_messages import EdgeReached, Highlighted, Opened
from ..widgets.pane import Pane
from ..widgets.row_table import Column, RowTable
from .dialogs import Confirm
from .framed import COPY_ID, TableScreen

COLUMNS = (
    Column("age", 7),
    Column("cert", 4),
    Column("subject", 16),
    Column("attribute", 12, from_width=70),
    Column("older"),
    Column("newer"),
    Column("state", 10, from_width=100),
)
STATES: Sequence[ConflictState] = tuple(ConflictState)
NONE = {
    ConflictState.SUPERSEDED: "No conflicts in which the newer memory won",
    ConflictState.KEPT: "No conflicts in which both memories were kept",
    ConflictState.REJECTED: "No conflicts that were dismissed",
}
QUESTIONS = {
    ConflictDecision.SUPERSEDE: ("{what}: let {new} supersede {old}, which goes to the archive?", "Supersede"),
    ConflictDecision.KEEP_BOTH: ("{what}: keep both {old} and {new}?", "Keep both"),
    ConflictDecision.REJECT: ("{what}: dismiss the conflict between {old} and {new}?", "Reject"),
}


class ConflictsScreen(TableScreen):
    """Pairs of memories that contradict each other, and what to decide about them."""

    TAB = "conflicts"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "decide('supersede')", "Newer wins", tooltip="the newer memory replaces the older one"),
        Binding("b", "decide('keep_both')", "Keep both"),
        Binding("x", "decide('reject')", "Not a conflict"),
        Binding("v", "state", "Switch state", tooltip="open, then those of each decision"),
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._state = ConflictState.OPEN
        self._conflicts: dict[str, MemoryConflict] = {}
        self._cursor: str | None = None

    def body(self) -> ComposeResult:
        """The list above the two sides."""
        yield RowTable(COLUMNS, id="table", title="Conflicts")
        with Horizontal(id="two-sides"):
            yield Pane(id="older", title="Older")
            yield Pane(id="newer", title="Newer")
        yield Static(id="where", classes="heading", markup=False)

    def load(self) -> None:
        """Read the list from the beginning."""
        self._read_page(None)

    def _read_page(self, cursor: str | None) -> None:
        async def read() -> None:
            reply = await self.client.conflicts.list(ConflictsRequest(state=self._state, cursor=cursor))
            earlier = self._conflicts if cursor else {}
            self._conflicts = earlier | {conflict.id: conflict for conflict in reply.conflicts}
            self._cursor = None if reply.is_done else reply.continue_cursor
            self._show()

        self.ask(read)

    def _show(self) -> None:
        self.table.border_subtitle = self._state
        self.table.say_when_empty(
            "No open conflicts\nmemd lists two memories that disagree here; v shows resolved ones"
            if self._state is ConflictState.OPEN
            else f"{NONE[self._state]}\nv switches to another state"
        )
        rows = self._rows()
        self.table.show(rows, self.table.current_key or 0)
        more = "" if self._cursor is None else " · more below"
        self.query_one("#where", Static).update(f"{count(len(rows), 'conflict')} {self._state}{more}")
        self.notice("")

    def _rows(self) -> list[TableRow]:
        return [words.conflict_row(conflict, self.now) for conflict in self._conflicts.values()]

    def redraw(self) -> None:
        """The list with the ages of now."""
        self.table.redraw(self._rows())

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Read on at the end of the list."""
        if event.direction > 0 and self._cursor is not None:
            self._read_page(self._cursor)

    def on_highlighted(self, event: Highlighted) -> None:
        """Show both sides of the conflict under the cursor."""
        conflict = self._conflicts.get(event.key or "")
        if conflict is None:
            for name in ("older", "newer"):
                self.query_one(f"#{name}", Pane).show(None)
            return

        async def read() -> None:
            sides = (
                ("older", conflict.old_title, conflict.old_value, conflict.old_id, "diff.removed"),
                ("newer", conflict.new_title, conflict.new_value, conflict.new_id, "diff.added"),
            )
            for name, title, value, memory_id, style in sides:
                memory = await self._memory(memory_id)
                self.query_one(f"#{name}", Pane).show(words.side(title, value, memory, style))

        self.ask(read, "sides")

    async def _memory(self, memory_id: str) -> MemoryDetail | None:
        try:
            return await self.client.memories.show(memory_id)
        except (NotFound, Forbidden):
            return None

    def on_opened(self, event: Opened) -> None:
        """Show the newer memory in full."""
        from .memory import MemoryScreen

        self.app.push_screen(MemoryScreen(self._conflicts[event.key].new_id, self.TAB))

    def action_state(self) -> None:
        """Show the conflicts of the next state."""
        self._state = STATES[(STATES.index(self._state) + 1) % len(STATES)]
        self.load()

    def action_decide(self, name: str) -> None:
        """Decide about the conflict under the cursor, after a question."""
        conflict = self._conflicts.get(self.table.current_key or "")
        if conflict is not None:
            self.change(lambda: self._decide(conflict, ConflictDecision(name)))

    async def _decide(self, conflict: MemoryConflict, decision: ConflictDecision) -> None:
        question, yes = QUESTIONS[decision]
        if await self.app.push_screen_wait(Confirm(question.format(**words.sides_named(conflict)), yes)):
            await self.client.conflicts.decide(conflict.id, DecideRequest(decision=decision))
            self.app.toast(f"{yes.lower()}: {one_line(conflict.subject, 40)}")
            self.load()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's name
        """Only an open conflict can be decided."""
        return action != "decide" or self._state is ConflictState.OPEN
