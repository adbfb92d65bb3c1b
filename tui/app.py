"""memtui: tabs as Textual modes, the connection's state, themes, and what every screen may ask of the application."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.worker import Worker

from memctl.client import MemdClient
from memctl.text import one_line
from memctl.wire.stats import StatsReply

from .colors import DARK, LIGHT, THEMES, styles
from .palette import commands
from .preferences import chosen_theme, remember_theme
from .presenters.failures import Expected, Failure, explain
from .score_log import ScoreLog
from .stylesheet import ParsedOnce
from .tabs import TABS, factories
from .undo import Undo

if TYPE_CHECKING:
    from .command_words import Command

HOLD_SECONDS = 6.0
"""How long a change that memd cannot undo waits before it is sent."""
PROBE_SECONDS = 3.0
"""How often the health of memd is polled, so that the status line is right even when memtui is idle."""

WIDTHS = ((0, "-narrow"), (110, "-wide"), (190, "-huge"))
HEIGHTS = ((0, "-low"), (24, "-short"), (30, "-tall"))
"""The class of every screen that is at least so wide and so high."""

Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Link:
    """The connection: None before the first answer, then the last failure to reach memd, or a link that works."""

    answered: bool = False
    failure: Failure | None = None


def now_ms() -> int:
    """The clock of the machine, epoch milliseconds."""
    return time.time_ns() // 1_000_000


class Memtui(App[None]):
    """The application, beginning in `tab`; `client` stays the caller's to open and close."""

    TITLE = "memtui"
    CSS_PATH = "theme.tcss"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[None]]]] = factories()
    DEFAULT_MODE = TABS[0].name
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{at},f{at}", f"open_tab('{entry.name}')", entry.title, show=False, id=entry.name)
            for at, entry in enumerate(TABS, 1)
        ),
        Binding("question_mark", "key_help", "Help", key_display="?"),
        Binding("colon", "command_line", "Command", key_display=":", tooltip="type an action or the name of a screen"),
        Binding("ctrl+p", "command_palette", "Actions", show=False, tooltip="search all that this screen can do"),
        Binding("u", "undo", "Undo", show=False, tooltip="take the last change back"),
        Binding("D", "switch_theme", "Light or dark", show=False),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+q", "quit", "Quit", show=False),
    ]

    link: reactive[Link] = reactive(Link())
    identity: reactive[str] = reactive("")

    def __init__(
        self,
        client: MemdClient,
        *,
        tab: str = TABS[0].name,
        clock: Callable[[], int] = now_ms,
        hold_seconds: float = HOLD_SECONDS,
        light: bool = False,
        early: asyncio.Task[StatsReply] | None = None,
    ) -> None:
        """`early` is a question for the figures of the overview that was asked before there was a screen for them."""
        self.DEFAULT_MODE = tab  # pyrefly: ignore[read-only] - App reads it next
        super().__init__()
        self.stylesheet = ParsedOnce(variables=self.get_css_variables())
        self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS = [*WIDTHS], [*HEIGHTS]
        self.client = client
        self.clock = clock
        self.early = early
        self.undo = Undo(self, hold_seconds)
        self.scores = ScoreLog()
        for theme in THEMES:
            self.register_theme(theme)
        self.console.push_theme(styles(dark=not light))
        kept = None if light else chosen_theme()
        self.theme = kept if kept in self.available_themes else LIGHT if light else DARK
        self.animation_level = "none"
        self._watch: Timer | None = None
        self._probe: Worker[None] | None = None
        self._change: Worker[bool] | None = None
        self._identity_loaded = False
        self._asked: list[float] = []

    @property
    def waiting_seconds(self) -> int:
        """The whole seconds that the oldest request of a screen has been under way; 0 if there is none."""
        return int(time.monotonic() - min(self._asked)) if self._asked else 0

    def get_screen(self, screen: Screen[Any] | str, screen_class: type[Screen[Any]] | None = None) -> Any:
        """The screen; a new one begins with the classes of its size, which Textual adds only after it has drawn it."""
        found = super().get_screen(screen, screen_class)
        if not found.is_running:
            measures = ((self.size.width, WIDTHS), (self.size.height, HEIGHTS))
            classes = [max(step for step in steps if step[0] <= cells)[1] for cells, steps in measures]
            found.add_class(*classes, update=False)
        return found

    async def call_api(self, work: Work, failed: Callable[[Failure], None] | None = None) -> None:
        """Send a request; a failure goes to `failed` or a notification, and no answer turns the status line red."""
        asked = time.monotonic()
        self._asked.append(asked)
        try:
            if await self._expecting(work, failed):
                self._reached()
        finally:
            self._asked.remove(asked)

    async def attempt(self, work: Work) -> bool:
        """The same for a change, which the user may still call off before memd is asked at all; whether it succeeded."""
        return await self._expecting(work, None)

    def begin_change(self, work: Work) -> None:
        """Go through a change in the background, unless another one is still under way: half of it must not be left."""
        if self._is_changing:
            self.toast("another change is still under way; try again when it is done")
            return
        self._change = self.run_worker(partial(self.attempt, work), group="change")

    @property
    def _is_changing(self) -> bool:
        return self._change is not None and not self._change.is_finished

    async def _expecting(self, work: Work, failed: Callable[[Failure], None] | None) -> bool:
        try:
            await work()
        except Expected as error:
            failure = explain(error)
            if failure.offline:
                self._lost(failure)
            else:
                self._reached()
            (failed or self._notify_failure)(failure)
            return False
        return True

    def _notify_failure(self, failure: Failure) -> None:
        self.notify(str(failure), severity="error", markup=False, timeout=8)

    def _lost(self, failure: Failure) -> None:
        self.link = Link(answered=self.link.answered, failure=failure)
        self._keep_watching()

    def _reached(self) -> None:
        self._keep_watching()
        if self.link != Link(answered=True):
            self.link = Link(answered=True)
        if not self._identity_loaded:
            self._identity_loaded = True
            self.run_worker(self._load_identity, group="identity")

    async def _load_identity(self) -> None:
        """Who the key belongs to, for the line at the top."""
        try:
            caller = await self.client.accounts.whoami()
        except Expected:
            return
        name = one_line(caller.external_id or caller.user_id, 40)
        self.identity = f"{name} (admin)" if caller.admin else name

    def _keep_watching(self) -> None:
        self._watch = self._watch or self.set_interval(PROBE_SECONDS, self._start_probe)

    def _start_probe(self) -> None:
        if self._probe is None or self._probe.is_finished:
            self._probe = self.run_worker(self._probe_memd, group="probe")

    async def _probe_memd(self) -> None:
        """Notice that memd is gone, or there again."""
        try:
            await self.client.health.alive()
        except Expected as error:
            if (failure := explain(error)).offline:
                self._lost(failure)
        else:
            await self._returned()

    async def _returned(self) -> None:
        """Once memd answers again, the current screen reloads."""
        if self.link.failure is None:
            return
        self._reached()
        self.toast("memd answers again")
        await self.screen.run_action("reload")

    def toast(self, text: str) -> None:
        """Show a message for a few seconds."""
        self.notify(text, markup=False, timeout=4)

    async def action_open_tab(self, name: str) -> None:
        """Show the tab's own screen and close what was opened from it. A dialog has to be answered first."""
        if not isinstance(self.screen, ModalScreen):
            await self.switch_mode(name)
            while len(self.screen_stack) > 1:
                self.pop_screen()

    async def action_switch_theme(self) -> None:
        """Switch between the light and the dark theme."""
        await self.action_theme(LIGHT if self.current_theme.dark else DARK)

    async def action_theme(self, name: str) -> None:
        """Choose a theme."""
        self.theme = name
        await self.screen.run_action("reload")

    def action_command_line(self) -> None:
        """Write a command."""
        from .command_words import all_commands
        from .screens.command_line import CommandLine

        screen = self.screen
        if not isinstance(screen, ModalScreen):
            self.push_screen(CommandLine(all_commands(self, screen)), self._run_command)

    def _run_command(self, command: "Command | None") -> None:
        if command is not None:
            self.call_later(self.run_action, command.action, command.node)

    def watch_theme(self) -> None:
        """Apply the colours of the chosen theme to the styles of rows and texts."""
        self.console.pop_theme()
        self.console.push_theme(styles(dark=self.current_theme.dark))
        if self.is_running:
            remember_theme(self.theme)

    def action_key_help(self) -> None:
        """Show every key that works here."""
        from .screens.key_help import KeyHelp

        self.push_screen(KeyHelp(self.screen.active_bindings.values()))

    def action_undo(self) -> None:
        """Take the last change back."""
        self.run_worker(self._undo, group="undo")

    async def _undo(self) -> None:
        label = self.undo.label
        if label is None:
            self.toast("nothing to undo")
            return

        async def revert() -> None:
            await self.undo.revert()
            self.toast(f"undone: {label}")
            await self.screen.run_action("reload")

        await self.attempt(revert)

    async def action_quit(self) -> None:
        """Send what is held, and leave; what memd did not take, or not all of, is said in the shell."""
        lost = await self.undo.flush()
        is_cut_off = self._is_changing and not isinstance(self.screen, ModalScreen)  # a dialog comes first
        cut_off = "a change was still under way; memd may have only a part of it" if is_cut_off else ""
        self.exit(message=Text("\n".join(filter(None, (lost, cut_off)))) or None)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What Ctrl+P searches: every tab, and everything that a key does here."""
        return commands(self, screen)
