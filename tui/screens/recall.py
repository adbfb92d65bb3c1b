"""Recall bench: one query, its ranked rows with the parts of every score, what was dropped, two settings side by side."""

import asyncio
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from memctl.text import one_line

from ..presenters.recall import memory_of
from ..widget_messages import Opened
from ..widgets.bench_pane import BenchPane
from .framed import COPY_ID, FramedScreen


class RecallScreen(FramedScreen):
    """A query and its ranked rows with the parts of their scores."""

    TAB = "recall"
    AUTO_FOCUS = "#query"  # Esc leaves the field, and F1 to F9 lead on from it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "query", "Query", key_display="/"),
        Binding("s", "side_by_side", "Compare settings", tooltip="the same query under two settings, side by side"),
        Binding("d", "dropped", "Dropped rows", tooltip="what was found but left out, and why; or back"),
        Binding("e", "ended", "With ended memories", tooltip="include what is no longer true, or not"),
        Binding("w", "other_side", "Switch side", show=False),
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._bases: list[tuple[str, str]] = []
        self._query = ""

    def body(self) -> ComposeResult:
        """The query above one or two panes."""
        with Horizontal(classes="fields") as line:
            line.border_title = "Query"
            yield Input(
                placeholder="query; Enter recalls, Esc leaves (10 credits per setting)",
                id="query",
                compact=True,
            )
        with Horizontal(id="sides"):
            yield BenchPane("first")

    def default_focus(self) -> Widget:
        """The table of the first side."""
        return self._panes[0].table

    @property
    def current_id(self) -> str | None:
        """The memory under the cursor of the side in focus, ranked or dropped."""
        key = next((pane for pane in self._panes if pane.has_focus_within), self._panes[0]).table.current_key
        return None if key is None else memory_of(key)

    @property
    def _panes(self) -> list[BenchPane]:
        """One side or two."""
        return [*self.query(BenchPane)]

    def load(self) -> None:
        """Read which knowledge bases there are; ask the query again, if there is one."""

        async def read() -> None:
            bases = (await self.client.knowledge_bases.list()).knowledge_bases
            self._bases = [(base.name, base.id) for base in bases]
            for pane in self.query(BenchPane):
                pane.offer_bases(self._bases)
            if not self._query:
                self._panes[0].table.say_when_empty("Try a recall\n/ enters a query; s compares two settings")
            self.notice("")

        self.ask(read, "bases")
        self._recall()

    def on_input_submitted(self) -> None:
        """Ask."""
        self._query = self.query_one("#query", Input).value.strip()
        self._recall()
        self._panes[0].table.focus()

    def _recall(self) -> None:
        query, panes = self._query, self._panes
        if not query:
            return

        async def read() -> None:
            requests = [pane.request(query) for pane in panes]
            replies = await asyncio.gather(*(self.client.recall(request, debug=True) for request in requests))
            for pane, reply in zip(panes, replies, strict=True):
                pane.take(reply)
                self.app.scores.note(
                    self.now, one_line(query, 60), ((each.id, each.relevance) for each in reply.memories)
                )
            self._show(panes)
            self.notice("")

        self.ask(read)

    def _show(self, panes: list[BenchPane]) -> None:
        rankings = [pane.ids for pane in panes]
        for index, pane in enumerate(panes):
            pane.show(rankings[1 - index] if len(panes) == 2 else None)

    def on_opened(self, event: Opened) -> None:
        """Show a memory in full, also a dropped one."""
        from .memory import MemoryScreen

        self.app.push_screen(MemoryScreen(memory_of(event.key), self.TAB))

    def action_query(self) -> None:
        """Change the query."""
        self.query_one("#query", Input).focus()

    async def action_side_by_side(self) -> None:
        """Show a second setting, or only the first."""
        if len(self._panes) == 2:
            await self.query_one("#second").remove()
        else:
            second = BenchPane("second")
            await self.query_one("#sides").mount(second)
            second.offer_bases(self._bases)
        self.query_one("#sides").set_class(len(self._panes) == 2, "-pair")
        self._show(self._panes)
        self._recall()
        self._panes[-1].table.focus()

    def action_leave(self) -> None:
        """Leave a field; then end the comparison."""
        if len(self._panes) == 2 and not isinstance(self.focused, Input):
            self.call_later(self.action_side_by_side)
        else:
            super().action_leave()

    def action_other_side(self) -> None:
        """Go to the other side."""
        panes = self._panes
        current = next((index for index, pane in enumerate(panes) if pane.has_focus_within), 0)
        panes[(current + 1) % len(panes)].table.focus()

    def action_ended(self) -> None:
        """Ask again with memories that have ended, or without."""
        for pane in self._panes:
            pane.toggle_ended()
        self._recall()

    def action_dropped(self) -> None:
        """Show what was left out and why, or back."""
        for pane in self._panes:
            pane.toggle_dropped()
        self._panes[0].table.focus()
