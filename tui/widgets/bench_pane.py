"""One side of the recall bench: settings, ranked rows or dropped ones, and why the row under the cursor has its rank."""

from collections.abc import Sequence

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from memctl.wire.enums import RecallMode, Store
from memctl.wire.recall import RecallReply, RecallRequest

from ..app import Memtui
from ..presenters import recall as rows
from ..typed_numbers import typed_float, typed_integer
from ..widget_messages import Highlighted
from .choice import Choice
from .pane import Pane
from .row_table import Column, RowTable

RANKED = (
    Column("#", 2),
    Column("±", 3, from_width=50),
    Column("rel", 4),
    Column("", 6, from_width=60),
    Column("title"),
    Column("kind", 22, from_width=70),
)
DROPPED = (
    Column("#", 2),
    Column("rel", 4),
    Column("why it was left out"),
    Column("lanes", 14, from_width=90),
    Column("memory", 30, from_width=60),
)


class BenchPane(Vertical):
    """Builds the request of its settings, and shows the reply."""

    app = getters.app(Memtui)

    def __init__(self, pane_id: str) -> None:
        super().__init__(id=pane_id, classes="bench")
        self._reply: RecallReply | None = None
        self._with_ended = False

    def compose(self) -> ComposeResult:
        """Settings on one line, two tables of which one is shown, the explanation."""
        with Horizontal(classes="fields") as settings:
            settings.border_title = "Setting"
            yield Choice(RecallMode, prompt="mode", id="mode")
            yield Choice([], prompt="KB", id="base")
            yield Choice(Store, prompt="store", id="store")
            yield Input(placeholder="channel", id="channel", compact=True)
            yield Input(placeholder="agent", id="agent", compact=True)
            yield Input(placeholder="limit", id="limit", type="integer", compact=True)
            yield Input(placeholder="min evidence", id="evidence", type="number", compact=True)
        yield RowTable(RANKED, id="ranked", title="Ranked")
        yield RowTable(DROPPED, id="dropped", title="Dropped")
        yield Static(id="summary", classes="heading", markup=False)
        yield Pane(id="why", title="Why this rank")

    def on_mount(self) -> None:
        """The ranked rows first."""
        self.query_one("#dropped").display = False

    def offer_bases(self, bases: Sequence[tuple[str, str]]) -> None:
        """The knowledge bases to choose from, name and id."""
        self.query_one("#base", Choice).offer(bases)

    def request(self, query: str) -> RecallRequest:
        """The request of these settings; pydantic's ValidationError when they do not hold together."""
        mode, base, store = (self.query_one(f"#{name}", Choice).chosen for name in ("mode", "base", "store"))
        channel, agent, limit, evidence = (
            self.query_one(f"#{name}", Input).value.strip() for name in ("channel", "agent", "limit", "evidence")
        )
        return RecallRequest(
            query=query,
            mode=RecallMode(mode) if mode else None,
            knowledge_base_id=base,
            store=Store(store) if store else None,
            channel=channel or None,
            agent_id=agent or None,
            limit=typed_integer(limit),
            min_evidence=typed_float(evidence),
            all_channels=not (channel or agent),
            include_ended=self._with_ended,
        )

    @property
    def ids(self) -> list[str] | None:
        """The ranked memories; None before the first recall."""
        return None if self._reply is None else [memory.id for memory in self._reply.memories]

    @property
    def reply(self) -> RecallReply | None:
        """The rows of the last recall."""
        return self._reply

    def take(self, reply: RecallReply) -> None:
        """Hold a reply; `show` shows it."""
        self._reply = reply

    def show(self, other: Sequence[str] | None) -> None:
        """Show the reply, against the ranking of the other side where there is one."""
        if self._reply is None:
            return
        ranked = [rows.recalled_row(rank, memory, other) for rank, memory in enumerate(self._reply.memories, 1)]
        self.query_one("#ranked", RowTable).show(ranked)
        self.query_one("#dropped", RowTable).show(rows.dropped_rows(self._reply))
        self.query_one("#summary", Static).update(rows.reply_line(self._reply))

    @property
    def table(self) -> RowTable:
        """The table that is shown."""
        ranked, dropped = self.query_one("#ranked", RowTable), self.query_one("#dropped", RowTable)
        return dropped if dropped.display else ranked

    def toggle_dropped(self) -> None:
        """Show what was left out instead of what was found, or back."""
        ranked, dropped = self.query_one("#ranked", RowTable), self.query_one("#dropped", RowTable)
        dropped.display, ranked.display = ranked.display, dropped.display
        self.table.focus()

    def toggle_ended(self) -> None:
        """Ask for memories that have ended too, or for those alone that are true now."""
        self._with_ended = not self._with_ended
        self.query_one(".fields").border_title = "Setting, with ended memories" if self._with_ended else "Setting"
        self.query_one("#ranked", RowTable).border_title = "Ranked, ended too" if self._with_ended else "Ranked"

    def on_highlighted(self, event: Highlighted) -> None:
        """Explain the row under the cursor."""
        if event.table_id == "ranked":
            self._explain(event.key)

    def on_resize(self) -> None:
        """Redraw the bars for the current size."""
        self._explain(self.query_one("#ranked", RowTable).current_key)

    def _explain(self, key: str | None) -> None:
        if self._reply is None:
            return
        why = self.query_one("#why", Pane)
        memory = next((memory for memory in self._reply.memories if memory.id == key), None)
        if memory is None:
            why.show(Text(rows.nothing_line(self._reply), style="dim"))
        else:
            why.show(rows.explanation(memory, self._reply.diagnostics, self.app.clock(), why.content_size.width))
