"""Overview: counts by store and category, usage, queue and schedules, growth."""

import asyncio

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Grid
from textual.widget import Widget
from textual.widgets import Sparkline, Static

from memctl.wire.accounts import AuthReply
from memctl.wire.export import ExportRequest
from memctl.wire.health import VersionReply

from ..presenters import jobs as queue_words
from ..presenters import stats as figures
from ..widgets.facts import Facts
from ..widgets.text_scroll import TextScroll
from .room import RoomScreen

EVERY_SECONDS = 15.0
SAMPLE = 100
"""How many of the newest memories the growth is drawn from."""


class StatsScreen(RoomScreen):
    """Totals at a glance; refreshes automatically."""

    ROOM = "stats"

    def __init__(self) -> None:
        super().__init__()
        self._auth: AuthReply | None = None
        self._version: VersionReply | None = None

    def body(self) -> ComposeResult:
        """The growth above figures and distributions."""
        with TextScroll(id="overview"):
            yield Static(id="growth-caption", markup=False)
            yield Sparkline(id="growth")
            with Grid(id="figures"):
                yield Facts(id="facts")
                yield Facts(id="stores")
                yield Facts(id="categories")
                yield Facts(id="work")

    def on_mount(self) -> None:
        """Refresh periodically while the screen is visible."""
        self.query_one("#overview").focus()
        self.set_interval(EVERY_SECONDS, self._again)

    def resting_place(self) -> Widget | None:
        """The whole page scrolls."""
        return self.query_one("#overview")

    def _again(self) -> None:
        if self.is_current and self.app.link.failure is None:
            self.load()

    def load(self) -> None:
        """Each part appears as soon as it is there."""
        self.ask(self._load_figures, "figures")
        self.ask(self._load_growth, "growth")
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
        self.query_one("#facts", Facts).tell("Memory", figures.facts(stats, self._auth, self._version))
        self.query_one("#stores", Facts).tell("By store", figures.distribution(stats.memory_count.by_store))
        self.query_one("#categories", Facts).tell("By category", figures.distribution(stats.memory_count.by_category))

    async def _load_growth(self) -> None:
        page = await self.client.memories.export_page(ExportRequest(page_size=SAMPLE, include_knowledge_bases=False))
        created = [memory.created_at for memory in page.memories]
        growth = figures.growth(created, self.now, all_seen=page.pagination.is_done)
        self.query_one("#growth-caption", Static).update(f"Growth: {growth.caption}")
        self.query_one(Sparkline).data = growth.counts

    async def _load_work(self) -> None:
        reply = await self.client.jobs.list()
        lines = [("queue", Text(queue_words.queue_line(reply.queue)))]
        for job in reply.scheduled:
            outcome = queue_words.outcome(job)
            lines.append((job.name, Text.assemble((outcome.text, outcome.style), f"  {queue_words.rhythm(job)}")))
        self.query_one("#work", Facts).tell("Queue and schedule", lines)
