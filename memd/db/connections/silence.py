"""Notices a server that keeps its connections and answers nothing: a frozen machine, a network that drops packets.

Nothing else would end what waits for it: no connection is lost, and the statement timeout is the server's own. Neither
does a long wait alone show it: so a new connection asks, and a server that is merely slow answers that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Any, Final

import structlog
from psycopg import AsyncConnection
from psycopg.pq import TransactionStatus

from memd.cancellation import cancel_and_wait
from memd.db.connections.answers import answers

log = structlog.get_logger()
SLOW_S: Final = 1.0
"""How long a request waits for a connection, or uses one, before the server is asked; and the pause between two questions."""
SLICE_S: Final = 0.5
SLICES: Final = 8
"""The server is silent when it has not answered for so many slices. A process that was suspended itself loses one slice."""


class SilenceWatch:
    """Watches the server of one pool while requests wait for it; `run` is its background task."""

    def __init__(self, conninfo: str, on_silence: Callable[[], Awaitable[None]]) -> None:
        """`on_silence` is called when the server is found silent, and each time that it still does not answer."""
        self.is_silent = False
        self._conninfo = conninfo
        self._on_silence = on_silence
        self._waiting_since: dict[object, float] = {}
        self._answered_at = 0.0

    def begin(self, what: object) -> None:
        """From now on `what`, a request for a connection or a connection in use, may wait for the server."""
        self._waiting_since[what] = monotonic()

    def end(self, what: object) -> None:
        """It no longer does; a connection that is idle again is an answer."""
        self._waiting_since.pop(what, None)
        if isinstance(what, AsyncConnection) and what.pgconn.transaction_status == TransactionStatus.IDLE:
            self._answered_at = monotonic()

    def in_use(self) -> Iterator[AsyncConnection[Any]]:
        """The connections in use."""
        return (each for each in [*self._waiting_since] if isinstance(each, AsyncConnection))

    async def run(self) -> None:
        """Ask whenever something waits for SLOW_S, until cancelled."""
        while True:
            await asyncio.sleep(SLICE_S)
            try:
                if self.is_silent or self._is_slow():
                    await self._ask()
            except Exception:
                log.exception("database.watch_failed")

    def _is_slow(self) -> bool:
        end = monotonic() - SLOW_S
        return self._answered_at < end and any(since < end for since in self._waiting_since.values())

    async def _ask(self) -> None:
        was_silent, self.is_silent = self.is_silent, not await self._is_answered()
        if self.is_silent:
            if not was_silent:
                log.warning("database.silent", waiting=len(self._waiting_since))
            await self._on_silence()
        elif was_silent:
            log.warning("database.answers_again")

    async def _is_answered(self) -> bool:
        """Whether a new connection, or one in use, gets an answer before all slices are over."""
        begun = monotonic()
        question = asyncio.create_task(self._answers())
        try:
            for _ in range(SLICES):
                await asyncio.wait([question], timeout=SLICE_S)
                if question.done() or self._answered_at > begun:
                    return True
        finally:
            await cancel_and_wait([question], again_after_s=1)
        return False

    async def _answers(self) -> None:
        """Return when the server answers."""
        while True:
            if await answers(self._conninfo):
                self._answered_at = monotonic()
                return
            await asyncio.sleep(SLICE_S)
