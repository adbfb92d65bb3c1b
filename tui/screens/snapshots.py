"""Snapshots of sessions and checkpoints of memories: two lists, and what the one under the cursor holds."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from memctl.wire.sessions import CheckpointRow
from memctl.wire.snapshots import ListSnapshotsRequest, SnapshotRow

from ..presenters import snapshots as words
from ..presenters.cells import TableRow
from ..widget_messages import EdgeReached, Highlighted, Opened
from ..widgets.row_table import Column, RowTable
from ..widgets.text_scroll import TextScroll
from .framed import COPY_ID, COPY_TEXT, FramedScreen

SNAPSHOTS = (
    Column("age", 7),
    Column("session"),
    Column("channel", 14, from_width=70),
    Column("msgs", 5),
    Column("tokens", 7, from_width=60),
    Column("reason", 12, from_width=80),
)
CHECKPOINTS = (
    Column("age", 7),
    Column("label"),
    Column("channel", 14, from_width=70),
    Column("mems", 5),
    Column("tags", 16, from_width=80),
)
CHECKPOINTS_SHOWN = 100


class SnapshotsScreen(FramedScreen):
    """The snapshots of sessions and the checkpoints of memories."""

    TAB = "snapshots"
    AUTO_FOCUS = "#snapshots"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "other", "Switch list"),
        COPY_TEXT,
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._cursor: str | None = None
        self._snapshots: list[SnapshotRow] = []
        self._checkpoints: list[CheckpointRow] = []
        self._shown: tuple[str, Text] | None = None
        self._has_read = False

    def body(self) -> ComposeResult:
        """Both lists, and the text."""
        with Horizontal():
            with Vertical(id="lists"):
                yield RowTable(SNAPSHOTS, id="snapshots", title="Snapshots of sessions")
                yield RowTable(CHECKPOINTS, id="checkpoints", title="Checkpoints of memories")
            with TextScroll(id="kept", classes="panel") as panel:
                panel.border_title = "Contents"
                yield Static(id="kept-text", markup=False)

    def on_mount(self) -> None:
        """Begin in the snapshots."""
        self._list = self._table("snapshots")

    def default_focus(self) -> Widget:
        """The snapshots."""
        return self._table("snapshots")

    @property
    def current_id(self) -> str | None:
        """The snapshot or checkpoint that is shown."""
        return self._shown[0] if self._shown else None

    def _table(self, name: str) -> RowTable:
        return self.query_one(f"#{name}", RowTable)

    def load(self) -> None:
        """Read both lists from the beginning."""

        async def read_checkpoints() -> None:
            table = self._table("checkpoints")
            self._checkpoints = (await self.client.sessions.list_checkpoints(CHECKPOINTS_SHOWN)).checkpoints
            table.say_when_empty("No checkpoints yet\nmemctl checkpoint create LABEL saves the state of memories")
            table.show(self._checkpoint_rows(), table.current_key or 0)
            self._leave_empty_list()

        self._read_snapshots(None)
        self.ask(read_checkpoints, "checkpoints")

    def _read_snapshots(self, cursor: str | None) -> None:
        async def read() -> None:
            table = self._table("snapshots")
            reply = await self.client.sessions.snapshots(ListSnapshotsRequest(cursor=cursor))
            table.say_when_empty("No snapshots yet\nHooks save them at compaction; to add one: memctl snapshot save")
            earlier = self._snapshots if cursor else []
            self._snapshots = [*earlier, *reply.snapshots]
            self._cursor = None if reply.is_done else reply.continue_cursor
            table.border_subtitle = f"{len(self._snapshots)} loaded · more below" if self._cursor else ""
            table.show(self._snapshot_rows(), table.current_key or 0)
            self._has_read = True
            self._leave_empty_list()
            self.notice("")

        self.ask(read)

    def _leave_empty_list(self) -> None:
        """Go on to the checkpoints where they are all there is, once both lists are read."""
        if self._has_read and not self._snapshots and self._checkpoints and self._table("snapshots").has_focus:
            self.action_other()

    def _snapshot_rows(self) -> list[TableRow]:
        return [words.snapshot_row(row, self.now) for row in self._snapshots]

    def _checkpoint_rows(self) -> list[TableRow]:
        return [words.checkpoint_row(row, self.now) for row in self._checkpoints]

    def redraw(self) -> None:
        """Both lists with the ages of now."""
        self._table("snapshots").redraw(self._snapshot_rows())
        self._table("checkpoints").redraw(self._checkpoint_rows())

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Read on at the end of the snapshots."""
        if event.direction > 0 and self._cursor is not None and self._table("snapshots").has_focus:
            self._read_snapshots(self._cursor)

    def on_highlighted(self, event: Highlighted) -> None:
        """Show the content of the row under the cursor of the list in focus."""
        if event.key is not None and self._table(event.table_id or "").has_focus:
            self._show(event.table_id == "snapshots", event.key)

    def _show(self, is_snapshot: bool, key: str) -> None:
        async def read() -> None:
            if is_snapshot:
                text = words.snapshot_text(await self.client.sessions.find_snapshot(key))
            else:
                text = words.checkpoint_text(await self.client.sessions.find_checkpoint(key))
            self._shown = key, text
            self.query_one("#kept-text", Static).update(text)

        if self._shown is None or self._shown[0] != key:
            self.ask(read, "text")

    def on_opened(self, event: Opened) -> None:
        """Go to the text, to scroll it."""
        self._list = self._table(event.table_id or "")
        self.query_one("#kept").focus()

    def action_other(self) -> None:
        """Go to the other list."""
        name = "checkpoints" if self._table("snapshots").has_focus else "snapshots"
        table = self._table(name)
        table.focus()
        if table.current_key is not None:
            self._show(name == "snapshots", table.current_key)

    def action_copy(self) -> None:
        """Put the text on the clipboard."""
        self.copy(self._shown[1].plain if self._shown else None)

    def action_leave(self) -> None:
        """From the text back to the list that it was opened from."""
        if self.focused is self.query_one("#kept"):
            self._list.focus()
        else:
            super().action_leave()
