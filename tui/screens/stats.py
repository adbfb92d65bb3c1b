"""Overview: the main figures, activity by day, counts by store and category, usage, queue and schedules."""

import asyncio

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Grid
from textual.widget import Widget
from textual.widgets import Static

from memctl.background import schedule_of
from memctl.wire.accounts import AuthReply
from memctl.wire.health import VersionReply
from memctl.wire.stats import ActivityReply, ActivityRequest

from ..presenters import activity as days
from ..presenters import jobs as queue_words
from ..presenters import stats as figures
from ..widgets.card import Card
from ..widgets.facts import Facts
from ..widgets.text_scroll import TextScroll
from .framed import FramedScreen

CARDS = 4


class StatsScreen(FramedScreen):
    """Totals at a glance; refreshes automatically."""

    TAB = "stats"
    REFRESH_SECONDS = 15.0
    AUTO_FOCUS = "#overview"

    def __init__(self) -> None:
        super().__init__()
        self._auth: AuthReply | None = None
        self._version: VersionReply | None = None
        self._days: ActivityReply | None = None

    def body(self) -> ComposeResult:
        """The main figures, the activity, and what belongs to them."""
        with TextScroll(id="overview"):
            with Grid(id="cards"):
                for _ in range(CARDS):
                    yield Card(classes="panel")
            yield Static(id="activity", classes="panel", markup=False)
            with Grid(id="figures"):
                yield Facts(id="stores", classes="panel")
                yield Facts(id="categories", classes="panel")
                yield Facts(id="facts", classes="panel")
                yield Facts(id="work", classes="panel")

    def default_focus(self) -> Widget | None:
        """The whole page scrolls."""
        return self.query_one("#overview")

    def load(self) -> None:
        """Each part appears as soon as it is there."""
        self.ask(self._load_figures, "figures")
        self.ask(self._load_activity, "activity")
        self.ask(self._load_work, "work")

    async def _load_figures(self) -> None:
        early, self.app.early = self.app.early, None
        stats = await (early or self.client.stats())
        self._show_figures(stats)
        if self._version is None:
            self._auth, self._version = await asyncio.gather(
                self.client.accounts.whoami(), self.client.health.version()
            )
            self._show_figures(stats)
        self.notice("")

    def _show_figures(self, stats: figures.StatsReply) -> None:
        for card, figure in zip(self.query(Card), figures.cards(stats), strict=True):
            card.show(*figure)
        self.query_one("#facts", Facts).show("Memory", figures.facts(stats, self._auth, self._version))
        self.query_one("#stores", Facts).show("By store", figures.distribution(stats.memory_count.by_store))
        self.query_one("#categories", Facts).show("By category", figures.distribution(stats.memory_count.by_category))

    async def _load_activity(self) -> None:
        self._days = await self.client.stats.activity(ActivityRequest())
        self._show_activity()

    def on_resize(self) -> None:
        """As many weeks as there is space for."""
        self.call_after_refresh(self._show_activity)

    def _show_activity(self) -> None:
        panel = self.query_one("#activity", Static)
        panel.border_title = "Activity"
        if self._days is None:
            return
        panel.border_subtitle = days.caption(self._days)
        width = panel.content_size.width
        lines = days.calendar(self._days, width)
        panel.update(lines.append("\n\n").append_text(days.curve(days.totals(self._days)[-width:])))

    async def _load_work(self) -> None:
        reply = await self.client.jobs.list()
        lines = [("queue", Text(queue_words.queue_line(reply.queue)))]
        for job in reply.scheduled:
            outcome = queue_words.outcome(job)
            lines.append((job.name, Text.assemble((outcome.text, outcome.style), f"  {schedule_of(job)}")))
        self.query_one("#work", Facts).show("Queue and schedule", lines)
