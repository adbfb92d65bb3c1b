"""A circuit breaker: after several timeouts in a row, calls to a remote service stop until a probe succeeds.

The probe runs in the background, so no request waits for a service that is known not to answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import psycopg
import structlog

from memd.db.errors import DatabaseStartError
from memd.embed.providers.provider import EmbedError

log = structlog.get_logger()
FAILURES: Final = 3
PROBE_S: Final = 2.0


class CircuitBreaker:
    """Closed while calls succeed; open after FAILURES in a row, or from the start, until a probe returns."""

    def __init__(self, probe: Callable[[], Awaitable[None]], *, interval_s: float = PROBE_S) -> None:
        """`probe` raises while the service does not answer; it runs every `interval_s` seconds while open."""
        self._probe = probe
        self._interval_s = interval_s
        self._failures = 0
        self._probing: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether calls are to be left out."""
        return self._probing is not None

    def record_success(self) -> None:
        """A call was answered in time."""
        self._failures = 0

    def record_failure(self) -> None:
        """A call was not answered in time."""
        self._failures += 1
        if self._failures >= FAILURES:
            self.open()

    def open(self) -> None:
        """Skip calls from now on, until a probe succeeds."""
        if self._probing is None:
            log.warning("embedder.unavailable")
            self._probing = asyncio.create_task(self._probe_until_answered(), name="probe embedder")

    async def close(self) -> None:
        """Stop probing."""
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)

    async def _probe_until_answered(self) -> None:
        while True:
            await asyncio.sleep(self._interval_s)
            try:
                await self._probe()
            except (EmbedError, DatabaseStartError, psycopg.Error) as error:
                log.info("embedder.probe_failed", reason=str(error))
            except Exception:
                log.exception("embedder.probe_failed")
            else:
                break
        self._failures, self._probing = 0, None
        log.info("embedder.recovered")
