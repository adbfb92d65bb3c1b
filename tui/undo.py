"""Undoing changes: what memd can reverse is reversed, what it cannot is held for a short time before it is sent.

memd has no way back from superseding, so such a change waits; until it is sent, it can be undone completely. A held
change is sent when another change begins and when memtui ends.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.app import App
from textual.timer import Timer

from memctl.client.errors import NotReachable

Step = Callable[[], Awaitable[None]]
Send = Callable[[], Awaitable[str]]
"""Sends what is held; returns what to tell the user if memd does not take it, empty if it does."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """The last change: what it was, how it is undone, and for a held one how it is sent."""

    label: str
    revert: Step
    send: Send | None = None


class Undo:
    """The last change of the session."""

    def __init__(self, app: App[None], hold_seconds: float) -> None:
        self._app = app
        self._seconds = hold_seconds
        self._last: Undoable | None = None
        self._timer: Timer | None = None

    @property
    def label(self) -> str | None:
        """The change that would be undone."""
        return self._last.label if self._last else None

    @property
    def held(self) -> bool:
        """Whether a change still waits to be sent."""
        return self._last is not None and self._last.send is not None

    async def done(self, label: str, revert: Step) -> None:
        """Remember a change that has been made."""
        await self.flush()
        self._last = Undoable(label, revert)

    async def hold(self, label: str, send: Send, revert: Step) -> None:
        """Send a change after a delay, unless it is undone first."""
        await self.flush()
        self._last = Undoable(label, revert, send)
        self._timer = self._app.set_timer(self._seconds, self._run_out)

    def _run_out(self) -> None:
        self._app.run_worker(self.flush, group="undo", exit_on_error=True)

    async def flush(self) -> str:
        """Send the change that is held, if any; it cannot be undone afterwards. What was not sent, empty if all was."""
        last, self._last = self._last, None
        self._stop()
        return await last.send() if last is not None and last.send is not None else ""

    async def revert(self) -> str | None:
        """Take the last change back; its label, or None when there is none. While memd is away, it stays the last one."""
        last, self._last = self._last, None
        self._stop()
        if last is None:
            return None
        try:
            await last.revert()
        except NotReachable:
            self._last = self._last or last
            raise
        return last.label

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
