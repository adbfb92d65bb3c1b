"""The supervising process counts limits and requests for its children: one service per child and connection (decision 31).

A message is `[number, operation, argument…]`, the answer `[number, value]` or `[number, None, error, retryAfterMs]`.
Operations run concurrently. `[number, "end"]` releases what `hold` or `admit` holds, and cancels a call that waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final
from uuid import UUID

import structlog

from memd.access.http.request_durations import RequestDurations, RequestKind
from memd.access.rate_limits.ledger import Ledger
from memd.access.rate_limits.limits import Limits
from memd.domain.accounts.credits import CreditWindow
from memd.errors import MemdError, RateLimitExceeded, ServerBusy
from memd.processes.frames import Frames
from memd.processes.status import ReadStatus

log = structlog.get_logger()
END: Final = "end"
WireWindow = tuple[int, int, int]


class LimitsService(Frames):
    """Answers one child; when the child ends, everything that it holds is released."""

    def __init__(self, limits: Limits, status: ReadStatus, durations: RequestDurations) -> None:
        super().__init__()
        self._limits = limits
        self._status = status
        self._durations = durations
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._operations: Mapping[str, Callable[..., Awaitable[object]]] = {
            "peek": self._peek,
            "take": self._take,
            "refund": self._refund,
            "wait_turn": limits.turns.wait_turn,
            "status": self._read_status,
            "answered": self._answered,
            "durations": self._read_durations,
        }
        self._permits: Mapping[str, Callable[..., AbstractAsyncContextManager[None]]] = {
            "hold": self._hold,
            "hold_shared": self._hold_shared,
            "admit": limits.concurrency.admit,
        }

    def received(self, message: list[Any]) -> None:
        """Start the call, or end it."""
        number, operation, *arguments = message
        if operation == END:
            if (call := self._calls.pop(number, None)) is not None:
                call.cancel()
            return
        self._calls[number] = asyncio.create_task(self._answer(number, operation, arguments))

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything."""
        super().connection_lost(exc)
        for call in self._calls.values():
            call.cancel()
        self._calls.clear()

    async def _answer(self, number: int, operation: str, arguments: list[Any]) -> None:
        try:
            if operation in self._permits:
                async with self._permits[operation](*arguments):
                    self.send(number, None)
                    await asyncio.get_running_loop().create_future()  # until the call is cancelled
            else:
                self.send(number, await self._operations[operation](*arguments))
        except (RateLimitExceeded, ServerBusy) as error:
            self._refuse(number, error)
        except Exception:
            log.exception("limits.call_failed", operation=operation)
            self._refuse(number, ServerBusy())
        finally:
            self._calls.pop(number, None)

    def _refuse(self, number: int, error: MemdError) -> None:
        self.send(number, None, type(error).__name__, error.fields["retryAfterMs"])

    def _ledger(self, kind: str, window_ms: int) -> Ledger:
        return self._limits.ledgers.ledger(kind, window_ms)

    async def _peek(self, kind: str, window_ms: int, bucket: str) -> WireWindow:
        return _wire(await self._ledger(kind, window_ms).peek(bucket))

    async def _take(
        self, kind: str, window_ms: int, bucket: str, cost: int, limit: int, minimum: int | None
    ) -> tuple[bool, WireWindow, int | None, int]:
        answer = await self._ledger(kind, window_ms).take(bucket, cost, limit, minimum)
        return answer.allowed, _wire(answer.window), answer.retry_after_ms, answer.taken

    async def _refund(self, kind: str, window_ms: int, bucket: str, cost: int) -> None:
        await self._ledger(kind, window_ms).refund(bucket, cost)

    def _hold(self, user_id: str, limit: int | None) -> AbstractAsyncContextManager[None]:
        return self._limits.concurrency.hold(UUID(user_id), limit)

    def _hold_shared(
        self, own_id: str, own_limit: int | None, shared_id: str, shared_limit: int | None
    ) -> AbstractAsyncContextManager[None]:
        return self._limits.concurrency.hold_shared((UUID(own_id), own_limit), (UUID(shared_id), shared_limit))

    async def _read_status(self) -> object:
        status = await self._status()
        return status.reports, status.pids

    async def _answered(self, kind: tuple[str, str, int], seconds: float) -> None:
        self._durations.add(RequestKind(*kind), seconds)

    async def _read_durations(self) -> object:
        found = await self._durations.read()
        return [(kind, each.buckets, each.seconds) for kind, each in found.items()]


def _wire(window: CreditWindow) -> WireWindow:
    return window.start, window.used, window.length
