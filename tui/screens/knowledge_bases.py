"""Knowledge bases: the list, new ones, import, archive and unarchive, delete permanently."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from memctl.text import one_line
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, KnowledgeBaseRow, ListKnowledgeBasesRequest

from ..presenters import knowledge_bases as rows
from ..presenters.cells import TableRow
from ..widget_messages import Highlighted, Opened
from ..widgets.pane import Pane
from ..widgets.row_table import Column, RowTable
from .dialogs import Ask, Confirm, Dialog
from .framed import COPY_ID, TableScreen

COLUMNS = (
    Column("name"),
    Column("chunks", 8),
    Column("characters", 11, from_width=70),
    Column("scope", 18, from_width=100),
    Column("agents", 18, from_width=80),
    Column("role", 20, from_width=130),
    Column("changed", 8),
)


@dataclass(frozen=True, slots=True)
class NewBase:
    """The fields of the form for a new knowledge base."""

    name: str
    description: str


class NewBaseForm(Dialog[NewBase]):
    """Name and description."""

    def __init__(self) -> None:
        super().__init__("A new knowledge base", "Create")

    def fields(self) -> ComposeResult:
        """Two lines."""
        yield Input(placeholder="name", id="name", max_length=200)
        yield Input(placeholder="description (optional)", id="description", max_length=2000)

    def answer(self) -> NewBase | None:
        """The new knowledge base; None without a name."""
        name = self.query_one("#name", Input).value.strip()
        return NewBase(name, self.query_one("#description", Input).value.strip()) if name else None

    def on_input_submitted(self) -> None:
        """Enter accepts."""
        self.action_accept()


class KnowledgeBasesScreen(TableScreen):
    """The list of knowledge bases and what can be done with them."""

    TAB = "knowledge_bases"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New"),
        Binding("i", "import", "Import"),
        Binding("a", "archive", "Archive or unarchive"),
        Binding("d", "delete", "Delete", show=False),
        Binding("A", "archived", "Include archived ones", show=False),
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._bases: dict[str, KnowledgeBaseRow] = {}
        self._with_archived = False

    def body(self) -> ComposeResult:
        """The table above the facts of the row under the cursor."""
        yield RowTable(COLUMNS, id="table", title="Knowledge bases")
        yield Pane(id="about", title="About")

    def load(self) -> None:
        """Read the list."""

        async def read() -> None:
            request = ListKnowledgeBasesRequest(include_inactive=self._with_archived)
            bases = (await self.client.knowledge_bases.list(request)).knowledge_bases
            self._bases = {base.id: base for base in bases}
            self.table.show(self._rows(), self.table.current_key or 0)
            self.table.say_when_empty(
                "No knowledge bases yet\nn creates one, i imports files into it, A shows archived ones"
            )
            self.notice("")

        self.ask(read)

    def _rows(self) -> list[TableRow]:
        return [rows.knowledge_base_row(base, self.now) for base in self._bases.values()]

    def redraw(self) -> None:
        """The table with the ages of now."""
        self.table.redraw(self._rows())

    def _current(self) -> KnowledgeBaseRow | None:
        return self._bases.get(self.table.current_key or "")

    def on_highlighted(self, event: Highlighted) -> None:
        """Describe the knowledge base under the cursor."""
        base = self._bases.get(event.key or "")
        self.query_one("#about", Pane).show(rows.about(base) if base else None)

    def on_opened(self, event: Opened) -> None:
        """Look into a knowledge base."""
        from .knowledge_base import KnowledgeBaseScreen

        self.app.push_screen(KnowledgeBaseScreen(self._bases[event.key]))

    def action_archived(self) -> None:
        """Show archived ones too, or no longer."""
        self._with_archived = not self._with_archived
        self.load()

    def action_new(self) -> None:
        """Make a knowledge base."""

        async def make() -> None:
            new = await self.app.push_screen_wait(NewBaseForm())
            if new is not None:
                request = CreateKnowledgeBaseRequest(name=new.name, description=new.description or None)
                base = await self.client.knowledge_bases.create(request)
                self.app.toast(f"created {one_line(base.name, 60)}")
                self.load()

        self.change(make)

    def action_import(self) -> None:
        """Fill the knowledge base under the cursor from files."""
        from .file_import import FileImportScreen

        base = self._current()
        if base is not None:
            self.app.push_screen(FileImportScreen(base), lambda sent: self.load() if sent else None)

    def action_archive(self) -> None:
        """Archive or unarchive a knowledge base; each undoes the other."""
        base = self._current()
        if base is None:
            return
        verb = "Unarchive" if base.archived else "Archive"
        action, inverse = self.client.knowledge_bases.archive, self.client.knowledge_bases.unarchive
        if base.archived:
            action, inverse = inverse, action

        async def change() -> None:
            question = f"{verb} “{one_line(base.name, 60)}” with its {base.chunk_count:,} chunks?"
            if await self.app.push_screen_wait(Confirm(question, verb)):
                await self._through(action(base.id))
                await self.app.undo.done(
                    f"{verb.lower()}d {one_line(base.name, 30)}", lambda: self._through(inverse(base.id))
                )

        self.change(change)

    def action_delete(self) -> None:
        """Remove an archived knowledge base permanently, after its name was typed."""
        base = self._current()
        if base is None:
            return
        if not base.archived:
            self.app.toast("archive it first (a); then A shows it and d deletes it")
            return

        async def change() -> None:
            question = f"Delete “{one_line(base.name, 60)}” permanently? Type its name to confirm."
            typed = await self.app.push_screen_wait(Ask(question, "Delete", placeholder=one_line(base.name, 60)))
            if typed is not None and typed == base.name.strip():
                await self._through(self.client.knowledge_bases.delete(base.id))
                self.app.toast("deleted")
            elif typed is not None:
                self.app.toast("the name does not match; nothing was deleted")

        self.change(change)

    async def _through(self, pages: AsyncIterator[object]) -> None:
        """Repeat resumable work until it is done."""
        async for _ in pages:
            pass
        if self.is_mounted:
            self.load()
