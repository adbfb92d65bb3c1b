"""One memory in full: text, recall text, history, scores, the conversation behind it, its neighbours in the graph.

Each tab asks memd when it is opened first.
"""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static, TabbedContent, TabPane

from memctl.text import one_line, printable
from memctl.wire.history import HistoryRequest, RestoreRequest
from memctl.wire.limits import RECALL_TEXT_MAX
from memctl.wire.memories import MemoryDetail
from memctl.wire.recall import RecallRequest

from ..presenters import memory as words
from ..presenters import neighbourhood as graph
from ..presenters.markdown import rendered
from ..widget_messages import Opened
from ..widgets.facts import Facts
from ..widgets.history_pane import HistoryPane
from ..widgets.row_table import Column, RowTable
from ..widgets.text_scroll import TextScroll
from .dialogs import Confirm
from .framed import COPY_ID, COPY_TEXT, SUPERSEDE, FramedScreen
from .memory_changes import MemoryChanges

PANES = {
    "text": "Text",
    "recall-text": "Recall text",
    "history": "History",
    "scores": "Scores",
    "trace": "Trace",
    "graph": "Graph",
}
VERSIONS = 20
"""Superseded memories that are followed in either direction."""
VERSIONS_SHOWN = 200
NEIGHBOURS = (Column("n", 3), Column("by", 12, from_width=60), Column("title"))
COLUMNS = (
    Column("", 1),
    Column("since", 16),
    Column("str", 4),
    Column("conf", 4),
    Column("used", 5),
    Column("state", 10),
    Column("title"),
)


class MemoryScreen(FramedScreen):
    """One memory in full, shown in the tab it was opened from; Esc goes back there."""

    AUTO_FOCUS = "TextScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("e", "change('edit')", "Edit"),
        Binding("a", "change('archive')", "Archive"),
        SUPERSEDE,
        Binding("R", "restore", "Restore", key_display="R"),
        Binding("M", "raw", "Markdown or plain text", key_display="M", show=False),
        Binding("right", "tab(1)", "Next tab", show=False),
        Binding("l", "tab(1)", "Next tab", show=False, priority=True),  # in a table too, where it would open a row
        Binding("left,h", "tab(-1)", "Previous tab", show=False),
        COPY_TEXT,
        COPY_ID,
    ]

    def __init__(self, memory_id: str, tab: str) -> None:
        super().__init__()
        self.TAB = tab
        self._memory_id = memory_id
        self._memory: MemoryDetail | None = None
        self._read: set[str] = set()
        self._raw = False

    def body(self) -> ComposeResult:
        """The heading above the tabs."""
        yield Static(id="memory-heading", classes="text panel", markup=False)
        with TabbedContent(id="memory-tabs"):
            for pane, title in PANES.items():
                with TabPane(title, id=pane):
                    yield from self._pane(pane)

    def _pane(self, pane: str) -> ComposeResult:
        if pane == "history":
            yield HistoryPane(id="history-pane")
            return
        with TextScroll():
            if pane == "scores":
                yield Facts(id="memory-facts")
                yield RowTable(COLUMNS, id="versions", title="Supersession")
                yield Static(id="session-scores", classes="text", markup=False)
            else:
                yield Static(id=f"{pane}-text", classes="text", markup=False)
        if pane == "graph":
            yield RowTable(NEIGHBOURS, id="neighbours", title="Memories nearby")

    def on_mount(self) -> None:
        """Changes made here are shown here."""
        self._changes = MemoryChanges(self.app, self._mark, self._reread)

    def default_focus(self) -> Widget | None:
        """The text of the open tab."""
        pane = self.query_one(TabbedContent).active_pane
        return pane.query(".default-focus, TextScroll").first() if pane else None

    @property
    def current_id(self) -> str:
        """The memory, whatever row of a tab the cursor is on."""
        return self._memory_id

    def load(self) -> None:
        """Read the memory, and the tab that is open."""
        self._read.clear()

        async def read() -> None:
            memory = await self.client.memories.show(self._memory_id)
            self._memory = memory
            self.query_one("#memory-heading", Static).update(words.heading(memory))
            self._show_text(memory)
            self.refresh_bindings()
            self.query_one("#recall-text-text", Static).update(
                Text(printable(memory.recall_text or memory.content[:RECALL_TEXT_MAX]))
            )
            self.query_one("#memory-facts", Facts).show("Now", words.facts(memory))
            self.query_one("#session-scores", Static).update(words.score_text(self.app.scores.of(memory.id)))
            self.notice("")
            await self._read_pane(self.query_one(TabbedContent).active)

        self.ask(read)

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """Ask for what this tab shows."""
        pane = event.tabbed_content.active
        if self._memory is not None and pane not in self._read:
            self.ask(lambda: self._read_pane(pane), "pane")
        self.refresh_bindings()

    async def _read_pane(self, pane: str) -> None:
        readers: dict[str, Callable[[MemoryDetail], Awaitable[None]]] = {
            "history": self._read_history,
            "scores": self._read_versions,
            "trace": self._read_trace,
            "graph": self._read_graph,
        }
        if self._memory is not None and pane in readers and pane not in self._read:
            await readers[pane](self._memory)
            self._read.add(pane)

    async def _read_history(self, memory: MemoryDetail) -> None:
        reply = await self.client.history.versions(memory.id, HistoryRequest(limit=VERSIONS_SHOWN))
        self.query_one(HistoryPane).show(reply.versions, self.now)

    def _show_text(self, memory: MemoryDetail) -> None:
        dark = self.app.current_theme.dark
        self.query_one("#text-text", Static).update(rendered(memory.content, dark=dark, raw=self._raw))

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
        """Read the graph that memd sends with the results of a recall: the memory's own title brings its own part."""
        request = RecallRequest(query=memory.title, limit=20, all_channels=True)
        reply = await self.client.recall(request)
        self.query_one("#graph-text", Static).update(graph.neighbourhood(memory.id, reply.graph_context))
        table = self.query_one("#neighbours", RowTable)
        table.say_when_empty("None\nmemories about the same things appear here")
        table.show(graph.neighbour_rows(memory.id, reply))

    def on_opened(self, event: Opened) -> None:
        """Show another version in full."""
        if event.key != self._memory_id:
            self.app.push_screen(MemoryScreen(event.key, self.TAB))

    def action_tab(self, direction: int) -> None:
        """The next or the previous tab."""
        tabs = self.query_one(TabbedContent)
        names = [*PANES]
        tabs.active = names[(names.index(tabs.active) + direction) % len(names)]
        self._focus_text()

    def _focus_text(self) -> None:
        rest = self.default_focus()
        if rest is not None:
            rest.focus()

    def action_copy(self) -> None:
        """Put the text on the clipboard."""
        self.copy(self._memory.content if self._memory else None)

    def action_change(self, what: str) -> None:
        """Edit, archive or supersede this memory."""
        memory = self._memory
        if memory is not None:
            self.change(lambda: self._changes.carry_out(what, memory.id))

    def action_raw(self) -> None:
        """Show the text as Markdown, or as it was written."""
        self._raw = not self._raw
        if self._memory is not None:
            self._show_text(self._memory)

    def action_restore(self) -> None:
        """Take the memory out of the archive, or give it back the version under the cursor of the history."""
        self.change(self._restore)

    async def _restore(self) -> None:
        version = self._older_version
        if version is None:
            await self._changes.carry_out("restore", self._memory_id)
        elif await self.app.push_screen_wait(Confirm(f"Restore version {version}?", "Restore", harmless=True)):
            await self._give_back(version)

    async def _give_back(self, version: int) -> None:
        """Restore a version; taking it back restores the one of before."""
        before = await self.client.memories.show(self._memory_id)
        await self.client.history.restore(before.id, RestoreRequest(version=version))
        self._reread()

        async def revert() -> None:
            await self.client.history.restore(before.id, RestoreRequest(version=before.versions))

        await self.app.undo.done(f"restored version {version} of {one_line(before.title, 30)}", revert)

    @property
    def _older_version(self) -> int | None:
        """The version under the cursor of the history, when that is open and it is not the stored one."""
        is_open = self.query_one(TabbedContent).active == "history"
        return self.query_one(HistoryPane).older_version if is_open else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Restore works on archived memories, and in the history; archive on active ones."""
        is_archived = self._memory is not None and self._memory.archived
        if action == "restore":
            return is_archived or (self.is_mounted and self.query_one(TabbedContent).active == "history")
        return not (action == "change" and parameters[0] in ("archive", "supersede") and is_archived)

    def _mark(self, _memory_id: str, leaving: bool) -> None:
        if self.is_mounted:
            self.query_one("#memory-heading", Static).set_class(leaving, "-leaving")

    def _reread(self) -> None:
        if self.is_mounted:
            self.load()
