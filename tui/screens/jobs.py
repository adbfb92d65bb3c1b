"""Jobs: the queue by kind, the schedule, and starting a job by hand."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from memctl.text import one_line

from ..presenters import jobs as rows
from ..widget_messages import Opened
from ..widgets.row_table import Column, RowTable
from .dialogs import Confirm
from .framed import FramedScreen

KINDS = (Column("kind"), Column("waiting", 9), Column("running", 9), Column("failed", 9))
SCHEDULE = (
    Column("job", 20),
    Column("schedule", 18, from_width=70),
    Column("last run", 10),
    Column("outcome"),
    Column("next", 10),
)


class JobsScreen(FramedScreen):
    """Refreshes automatically while visible."""

    TAB = "jobs"
    REFRESH_SECONDS = 5.0
    AUTO_FOCUS = "#schedule"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "run", "Run now")]

    def body(self) -> ComposeResult:
        """The schedule above the queue."""
        yield RowTable(SCHEDULE, id="schedule", title="Schedule")
        yield Static(id="queue", classes="heading", markup=False)
        yield Static(id="lag", classes="heading", markup=False)
        yield RowTable(KINDS, id="kinds", title="Queue")

    def default_focus(self) -> Widget:
        """The schedule."""
        return self.query_one("#schedule", RowTable)

    def load(self) -> None:
        """Read queue and schedule."""

        async def read() -> None:
            reply = await self.client.jobs.list()
            for name, shown in (
                ("schedule", rows.schedule_rows(reply, self.now)),
                ("kinds", rows.kind_rows(reply.queue)),
            ):
                table = self.query_one(f"#{name}", RowTable)
                table.show(shown, table.current_key or 0)
            self.query_one("#queue", Static).update(f"Queue: {rows.queue_line(reply.queue)}")
            self.query_one("#lag", Static).update(Text("Oldest waiting rows: ").append_text(rows.lag_text(reply.queue)))
            self.notice("")

        self.ask(read)

    def on_opened(self, event: Opened) -> None:
        """Enter runs a job of the schedule."""
        if event.table_id == "schedule":
            self.action_run()

    def action_run(self) -> None:
        """Start the job under the cursor now."""
        name = self.query_one("#schedule", RowTable).current_key
        if name is None:
            return

        async def start() -> None:
            if await self.app.push_screen_wait(Confirm(f"Run {one_line(name, 60)} now?", "Run")):
                await self.client.jobs.run(name)
                self.app.toast(f"{one_line(name, 60)} started")
                self.load()

        self.change(start)
