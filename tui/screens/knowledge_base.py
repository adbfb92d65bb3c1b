"""One knowledge base: its chunks page by page, and a bench for queries."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static, TabbedContent, TabPane

from memctl.text import count
from memctl.wire.kb_query import QueryHit, QueryKnowledgeBaseRequest
from memctl.wire.knowledge_bases import ChunkRow, KnowledgeBaseRow, ListChunksRequest

from ..presenters import knowledge_bases as rows
from ..typed_numbers import typed_float, typed_integer
from ..widget_messages import EdgeReached, Highlighted, Opened
from ..widgets.pane import Pane
from ..widgets.row_table import Column, RowTable
from .framed import COPY_ID, COPY_TEXT, FramedScreen

PAGE = 100
CHUNKS = (Column("part", 8), Column("title", 28), Column("text"), Column("key", 30, from_width=110))
HITS = (Column("#", 2), Column("rel", 4), Column("similarity", 10), Column("title", 24), Column("text"))


class KnowledgeBaseScreen(FramedScreen):
    """The chunks of one knowledge base, and queries to it."""

    TAB = "knowledge_bases"
    AUTO_FOCUS = "#chunk-table"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("slash", "query", "Query", key_display="/"),
        Binding("right_square_bracket", "page(1)", "Next page", key_display="]"),
        Binding("left_square_bracket", "page(-1)", "Previous page", key_display="[", show=False),
        Binding("i", "import", "Import"),
        Binding("c", "chunks", "Chunks"),
        COPY_TEXT,
        COPY_ID,
    ]

    def __init__(self, base: KnowledgeBaseRow) -> None:
        super().__init__()
        self._base = base
        self._starts: list[str | None] = [None]
        self._at = 0
        self._is_last = True
        self._chunks: dict[str, ChunkRow] = {}
        self._hits: dict[str, QueryHit] = {}

    def body(self) -> ComposeResult:
        """Facts, then two tabs, then the text under the cursor."""
        yield Static(rows.about(self._base), id="about", classes="text", markup=False)
        with TabbedContent(id="tabs"):
            with TabPane("Chunks", id="chunks"):
                yield RowTable(CHUNKS, id="chunk-table", title="Chunks")
                yield Static(id="where", classes="heading", markup=False)
            with TabPane("Query", id="query"):
                with Horizontal(classes="fields"):
                    yield Input(placeholder="query", id="question", compact=True)
                    yield Input("10", placeholder="limit", id="limit", type="integer", compact=True)
                    yield Input(placeholder="threshold 0–1", id="threshold", type="number", compact=True)
                yield RowTable(HITS, id="hit-table", title="Ranked chunks")
                yield Static(id="lanes", classes="heading", markup=False)
        yield Pane(id="chunk", title="Text")

    def default_focus(self) -> Widget:
        """The table of the open tab."""
        return self.query_one("#hit-table" if self._querying else "#chunk-table")

    @property
    def _querying(self) -> bool:
        return self.is_mounted and self.query_one("#tabs", TabbedContent).active == "query"

    def load(self) -> None:
        """Read the page of chunks that is shown, and the facts."""
        self._turn_to(self._at, self.query_one("#chunk-table", RowTable).current_key or 0)

    def _turn_to(self, at: int, cursor: str | int) -> None:
        async def read() -> None:
            request = ListChunksRequest(limit=PAGE, cursor=self._starts[at])
            page = await self.client.knowledge_bases.chunk_page(self._base.id, request)
            self._at, self._is_last = at, page.is_done or not page.continue_cursor
            self.refresh_bindings()
            if not self._is_last and len(self._starts) == at + 1:
                self._starts.append(page.continue_cursor)
            self._chunks = {chunk.id: chunk for chunk in page.memories}
            self.query_one("#chunk-table", RowTable).show([rows.chunk_row(chunk) for chunk in page.memories], cursor)
            more = "last page" if self._is_last else "] next page"
            self.query_one("#where", Static).update(f"page {at + 1}: {count(len(page.memories), 'chunk')} · {more}")
            self.query_one("#chunk-table", RowTable).say_when_empty("No chunks yet\ni imports files and folders")
            self.notice("")
            self._base = await self._facts()
            self.query_one("#about", Static).update(rows.about(self._base))

        self.ask(read)

    async def _facts(self) -> KnowledgeBaseRow:
        return (await self.client.knowledge_bases.show(self._base.id, 1)).knowledge_base

    def action_page(self, direction: int) -> None:
        """Turn the page, if there is one."""
        at = self._at + direction
        if not self._querying and at >= 0 and (direction < 0 or not self._is_last):
            self._turn_to(at, 0 if direction > 0 else -1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys that turn the page work where there is a page to turn to, that of the chunks where they are not shown."""
        if action == "chunks":
            return self._querying
        if action != "page":
            return True
        return not self._querying and (not self._is_last if parameters[0] == 1 else self._at > 0)

    def on_tabbed_content_tab_activated(self) -> None:
        """Other keys work in the other tab."""
        self.refresh_bindings()

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Moving on from the last row turns the page."""
        self.action_page(event.direction)

    def on_highlighted(self, event: Highlighted) -> None:
        """Show the text under the cursor."""
        pane = self.query_one("#chunk", Pane)
        if event.table_id == "hit-table":
            hit = self._hits.get(event.key or "")
            pane.show(rows.hit_text(hit) if hit else None)
        else:
            chunk = self._chunks.get(event.key or "")
            pane.show(rows.chunk_text(chunk) if chunk else None)

    def on_opened(self, event: Opened) -> None:
        """A chunk is a memory: show it as one."""
        from .memory import MemoryScreen

        self.app.push_screen(MemoryScreen(event.key, self.TAB))

    def action_query(self) -> None:
        """Go to the query bench."""
        self.query_one("#tabs", TabbedContent).active = "query"
        self.query_one("#question", Input).focus()

    def action_chunks(self) -> None:
        """Back to the chunks."""
        self.query_one("#tabs", TabbedContent).active = "chunks"
        self.query_one("#chunk-table").focus()

    def on_input_submitted(self) -> None:
        """Ask the query."""
        question = self.query_one("#question", Input).value.strip()
        limit, threshold = (self.query_one(f"#{name}", Input).value for name in ("limit", "threshold"))

        async def read() -> None:
            request = QueryKnowledgeBaseRequest(
                query=question, limit=typed_integer(limit), threshold=typed_float(threshold)
            )
            reply = await self.client.knowledge_bases.query(self._base.id, request)
            self._hits = {hit.chunk_id: hit for hit in reply.results}
            table = self.query_one("#hit-table", RowTable)
            table.show(rows.hit_rows(reply))
            self.query_one("#lanes", Static).update(rows.query_line(reply))
            self.query_one("#hit-table", RowTable).say_when_empty("Nothing found\na lower threshold finds more")
            self.notice("")
            table.focus()

        if question:
            self.ask(read)

    def action_leave(self) -> None:
        """Leave a field, then the queries, then the knowledge base."""
        if self._querying and not isinstance(self.focused, Input) and not self.is_asking:
            self.action_chunks()
        else:
            super().action_leave()

    def action_copy(self) -> None:
        """Put the text under the cursor on the clipboard."""
        shown = (self._hits if self._querying else self._chunks).get(self.current_id or "")
        self.copy(shown.content if shown else None)

    def action_import(self) -> None:
        """Fill this knowledge base from files."""
        from .file_import import FileImportScreen

        self.app.push_screen(FileImportScreen(self._base), lambda sent: self.load() if sent else None)
