"""One memory in full: text, recall text, scores and their history, the conversation behind it, its graph links.

Each tab asks memd when it is opened first.
"""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static, TabbedContent, TabPane

from memctl.text import printable
from memctl.wire.memories import MemoryDetail
from memctl.wire.recall import RecallRequest

from ..messages import Opened
from ..presenters import memory as words
from ..presenters.memories import Editable
from ..widgets.facts import Facts
from ..widgets.row_table import Column, RowTable
from ..widgets.text_scroll import TextScroll
from .memory_changes import MemoryChanges
from .room import RoomScreen

TABS = ("text", "recall-text", "scores", "trace", "graph")
VERSIONS = 20
"""Superseded memories that are followed in either direction."""
COLUMNS = (
    Column("", 1),
    Column("since", 16),
    Column("str", 4),
    Column("conf", 4),
    Column("used", 5),
    Column("state", 10),
    Column("title"),
)


class MemoryScreen(RoomScreen):
    """See the module."""

    ROOM = "memories"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("e", "change('edit')", "Edit"),
        Binding("a", "change('archive')", "Archive"),
        Binding("s", "change('supersede')", "Supersede"),
        Binding("right,l", "tab(1)", "Next tab", show=False),
        Binding("left,h", "tab(-1)", "Previous tab", show=False),
        Binding("y", "copy", "Copy the text", show=False),
    ]

    def __init__(self, memory_id: str) -> None:
        super().__init__()
        self._id = memory_id
        self._memory: MemoryDetail | None = None
        self._read: set[str] = set()

    def body(self) -> ComposeResult:
        """The heading above five tabs."""
        yield Static(id="memory-heading", classes="text panel", markup=False)
        with TabbedContent(id="memory-tabs"):
            for tab, title in zip(TABS, ("Text", "Recall text", "Scores", "Trace", "Graph"), strict=True):
                with TabPane(title, id=tab), TextScroll():
                    yield from self._tab(tab)

    def _tab(self, tab: str) -> ComposeResult:
        if tab == "scores":
            yield Facts(id="memory-facts")
            yield RowTable(COLUMNS, id="versions", title="Versions")
            yield Static(id="session-scores", classes="text", markup=False)
        else:
            yield Static(id=f"{tab}-text", classes="text", markup=False)

    def on_mount(self) -> None:
        """Changes made here are shown here."""
        self._changes = MemoryChanges(self.app, self._mark, self._reread)
        self._focus_text()

    def resting_place(self) -> Widget | None:
        """The text of the open tab."""
        pane = self.query_one(TabbedContent).active_pane
        return pane.query_one(TextScroll) if pane else None

    def load(self) -> None:
        """Read the memory, and the tab that is open."""
        self._read.clear()

        async def read() -> None:
            memory = await self.client.memories.show(self._id)
            self._memory = memory
            self.query_one("#memory-heading", Static).update(words.heading(memory))
            self.query_one("#text-text", Static).update(Text(printable(memory.content)))
            self.query_one("#recall-text-text", Static).update(
                Text(printable(memory.recall_text or memory.content[:600]))
            )
            self.query_one("#memory-facts", Facts).tell("Now", words.facts(memory))
            self.query_one("#session-scores", Static).update(words.score_text(self.app.scores.of(memory.id)))
            self.notice("")
            await self._read_tab(self.query_one(TabbedContent).active)

        self.ask(read)

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """Ask for what this tab shows."""
        tab = event.tabbed_content.active
        if self._memory is not None and tab not in self._read:
            self.ask(lambda: self._read_tab(tab), "tab")

    async def _read_tab(self, tab: str) -> None:
        readers: dict[str, Callable[[MemoryDetail], Awaitable[None]]] = {
            "scores": self._read_versions,
            "trace": self._read_trace,
            "graph": self._read_graph,
        }
        if self._memory is not None and tab in readers and tab not in self._read:
            await readers[tab](self._memory)
            self._read.add(tab)

    async def _read_versions(self, memory: MemoryDetail) -> None:
        """Follow the memories that were superseded, back and forth."""
        versions = {memory.id: memory}
        for onward in ("supersedes_memory_id", "superseded_by_memory_id"):
            step: str | None = getattr(memory, onward)
            while step is not None and step not in versions and len(versions) <= VERSIONS:
                versions[step] = await self.client.memories.show(step)
                step = getattr(versions[step], onward)
        self.query_one("#versions", RowTable).show(words.version_rows([*versions.values()], memory.id))

    async def _read_trace(self, memory: MemoryDetail) -> None:
        reply = await self.client.memories.trace(memory.id)
        self.query_one("#trace-text", Static).update(words.trace_text(reply))

    async def _read_graph(self, memory: MemoryDetail) -> None:
        """The server tells the graph around the result of a recall; the memory's own title brings its own part."""
        request = RecallRequest(query=memory.title, limit=20, all_channels=True)
        reply = await self.client.recall(request)
        self.query_one("#graph-text", Static).update(words.graph_text(memory.id, reply.graph_context))

    def on_opened(self, event: Opened) -> None:
        """Show another version in full."""
        if event.key != self._id:
            self.app.push_screen(MemoryScreen(event.key))

    def action_tab(self, direction: int) -> None:
        """The next or the previous tab."""
        tabs = self.query_one(TabbedContent)
        tabs.active = TABS[(TABS.index(tabs.active) + direction) % len(TABS)]
        self._focus_text()

    def _focus_text(self) -> None:
        rest = self.resting_place()
        if rest is not None:
            rest.focus()

    def action_copy(self) -> None:
        """Put the text on the clipboard; over ssh the terminal has to allow it."""
        if self._memory is not None:
            self.app.copy_to_clipboard(self._memory.content)
            self.app.tell("copied")

    def action_change(self, what: str) -> None:
        """Edit, archive or supersede this memory."""
        memory = self._memory
        if memory is not None:
            self.change(lambda: self._changes.carry_out(what, Editable.of(memory)))

    def _mark(self, _memory_id: str, leaving: bool) -> None:
        if self.is_mounted:
            self.query_one("#memory-heading", Static).set_class(leaving, "-leaving")

    def _reread(self) -> None:
        if self.is_mounted:
            self.load()
