"""The base of every screen of a tab: its frame, and its requests to memd.

A screen never waits: it asks in a worker, a newer question of the same kind replaces an older one, and leaving the
screen cancels what is still under way. It asks again when one comes back. A change goes on until it is done.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea
from textual.worker import Worker

from memctl.client import MemdClient

from ..app import Memtui
from ..presenters.failures import Failure
from ..widgets.key_line import KeyLine
from ..widgets.row_table import RowTable
from ..widgets.status_line import StatusLine
from ..widgets.tab_bar import TabBar

AGES_SECONDS = 5.0
COPY_ID = Binding("Y", "copy_id", "Copy the id", key_display="Y", show=False)
"""The key of screens whose rows have an id, which commands of memctl take."""
COPY_TEXT = Binding("y", "copy", "Copy the text", show=False)
"""The key of screens that have an `action_copy`."""
SUPERSEDE = Binding(
    "s", "change('supersede')", "Supersede", tooltip="replace by a new memory; the old one stays in the history"
)
"""The key of screens with memories to change."""


class FramedScreen(Screen[None]):
    """The frame around `body`: connection and tabs above, keys below."""

    app = getters.app(Memtui)
    TAB = ""
    REFRESH_SECONDS: ClassVar[float | None] = None
    """How often the screen is reloaded while it is visible; None for never."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "reload", "Refresh", show=False),
        Binding("escape", "leave", "Back", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._stale = True

    @property
    def client(self) -> MemdClient:
        """The connection."""
        return self.app.client

    @property
    def now(self) -> int:
        """The moment, epoch milliseconds."""
        return self.app.clock()

    def compose(self) -> ComposeResult:
        """The frame."""
        yield StatusLine()
        yield TabBar(self.TAB)
        yield from self.body()
        yield Static(id="notice", markup=False)
        yield KeyLine(id="keys")

    def body(self) -> ComposeResult:
        """The content of the screen."""
        yield from ()

    def load(self) -> None:
        """Ask memd for what the screen shows; called when it is entered and when it is refreshed."""

    def on_mount(self) -> None:
        """While the screen is visible, update the ages of rows, and reload it where it shows what changes by itself."""
        self.set_interval(AGES_SECONDS, self._redraw_ages)
        if self.REFRESH_SECONDS is not None:
            self.set_interval(self.REFRESH_SECONDS, self._load_again)

    def _redraw_ages(self) -> None:
        if self.is_current:
            self.redraw()

    def _load_again(self) -> None:
        if self.is_current and self.app.link.failure is None:
            self.load()

    def redraw(self) -> None:
        """Show again, without asking memd, the rows that say how long ago something was."""

    def default_focus(self) -> Widget | None:
        """The widget that has the focus when no field is being filled in."""
        return None

    @property
    def current_id(self) -> str | None:
        """The id of the row under the cursor, or of what else the screen is about; None where there is none."""
        table = self.default_focus()
        return table.current_key if isinstance(table, RowTable) else None

    def action_copy_id(self) -> None:
        """Put the id on the clipboard."""
        self.copy(self.current_id, "id copied")

    def copy(self, text: str | None, said: str = "copied") -> None:
        """Put a text on the clipboard, where there is one, and say so; over ssh the terminal has to allow it."""
        if text is not None:
            self.app.copy_to_clipboard(text)
            self.app.toast(said)

    def ask(self, work: Callable[[], Awaitable[None]], group: str = "load") -> None:
        """Talk to memd in the background."""
        self.run_worker(partial(self._answered, work), group=group, exclusive=True)

    async def _answered(self, work: Callable[[], Awaitable[None]]) -> None:
        """Show the answer, unless memtui has ended meanwhile and the widgets are gone."""
        try:
            await self.app.call_api(work, self.failed)
        except NoMatches:
            if self.query("#keys"):
                raise

    def change(self, work: Callable[[], Awaitable[None]]) -> None:
        """Go through the dialogs of a change and carry it out, in the background; leaving the screen does not stop it."""
        self.app.begin_change(work)

    def failed(self, failure: Failure) -> None:
        """Show why there is nothing to see, unless the status line does; what is shown already stays."""
        if not failure.offline:
            self.notice(str(failure))

    def notice(self, text: str) -> None:
        """A line below the content; an empty one removes it."""
        line = self.query_one("#notice", Static)
        line.update(text)
        line.display = bool(text)

    def on_screen_resume(self) -> None:
        """Load the screen if it was never loaded, or if loading was interrupted."""
        if self._stale:
            self._stale = False
            self.call_after_refresh(self.load)

    def on_screen_suspend(self) -> None:
        """Cancel what is under way, unless only a dialog is in front."""
        if not isinstance(self.app.screen, ModalScreen) and self._cancelled():
            self._stale = True

    def action_reload(self) -> None:
        """Reload everything."""
        self.notice("")
        self.load()

    def action_leave(self) -> None:
        """Leave a field; if no field has the focus, cancel the running request, or close a screen on top of another."""
        rest = self.default_focus()
        if isinstance(self.focused, Input | TextArea) and rest is not None:
            rest.focus()
        elif not self._cancelled() and len(self.app.screen_stack) > 1:
            self.dismiss()

    @property
    def is_asking(self) -> bool:
        """Whether a request of this screen is under way."""
        return bool(self._under_way())

    def _under_way(self) -> list[Worker[Any]]:
        return [worker for worker in self.workers if worker.node is self]

    def _cancelled(self) -> bool:
        """Cancel what is under way; returns whether anything was."""
        under_way = self._under_way()
        for worker in under_way:
            worker.cancel()
        return bool(under_way)


class TableScreen(FramedScreen):
    """A screen with one list of rows, the table `#table`, which has the focus."""

    AUTO_FOCUS = "#table"

    @property
    def table(self) -> RowTable:
        """The list."""
        return self.query_one("#table", RowTable)

    def default_focus(self) -> Widget:
        """The list."""
        return self.table
