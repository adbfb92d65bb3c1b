"""Limits that the supervising process counts, as its children use them (decision 31): one round trip for each call."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final
from uuid import UUID

from memd.access.http.request_durations import Durations, DurationsByKind, RequestKind
from memd.access.rate_limits.ledger import Ledger
from memd.access.rate_limits.limits import Limits
from memd.domain.accounts.credits import CreditWindow, Debit
from memd.errors import RateLimitExceeded, ServerBusy
from memd.processes.frames import Frames
from memd.processes.limits_service import END
from memd.processes.status import ProcessStatus

ERRORS: Final = {error.__name__: error for error in (RateLimitExceeded, ServerBusy)}


class LimitsClient(Frames):
    """The child's end of the connection."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    def received(self, message: list[Any]) -> None:
        """Hand an answer to the call that waits for it."""
        number, value, *error = message
        waiting = self._waiting.pop(number, None)
        if waiting is None or waiting.done():
            return
        if error:
            name, retry_after_ms = error
            waiting.set_exception(ERRORS[name](retry_after_ms))
        else:
            waiting.set_result(value)

    def connection_lost(self, exc: Exception | None) -> None:
        """Refuse what waits: this process is about to end."""
        super().connection_lost(exc)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ServerBusy())

    async def call(self, operation: str, *arguments: object) -> Any:
        """The value of an operation; `RateLimitExceeded` or `ServerBusy` when it is refused."""
        return await self._answer(next(self._numbers), operation, arguments)

    def notify(self, operation: str, *arguments: object) -> None:
        """Send an operation without waiting for its result; it is started before all later calls."""
        self.send(next(self._numbers), operation, *arguments)

    @asynccontextmanager
    async def holding(self, operation: str, *arguments: object) -> AsyncGenerator[None]:
        """Hold a slot for the block."""
        number = next(self._numbers)
        await self._answer(number, operation, arguments)
        try:
            yield
        finally:
            self.send(number, END)

    async def status(self) -> ProcessStatus:
        """The processes of this memd."""
        return ProcessStatus(*await self.call("status"))

    async def _answer(self, number: int, operation: str, arguments: tuple[object, ...]) -> Any:
        if self._transport is None:
            raise ServerBusy
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send(number, operation, *arguments)
        try:
            return await waiting
        except asyncio.CancelledError:
            self._waiting.pop(number, None)
            self.send(number, END)
            raise


class SharedDurations:
    """The requests of all processes, counted in the supervising process."""

    def __init__(self, client: LimitsClient) -> None:
        self._client = client

    def add(self, kind: RequestKind, seconds: float) -> None:
        """Count a request."""
        self._client.notify("answered", kind, seconds)

    async def read(self) -> DurationsByKind:
        """The counts now; `ServerBusy` when the supervising process has gone."""
        found = await self._client.call("durations")
        return {RequestKind(*kind): Durations(buckets, seconds) for kind, buckets, seconds in found}


class SharedLedger:
    """A ledger in the supervising process."""

    def __init__(self, client: LimitsClient, kind: str, window_ms: int) -> None:
        self._client = client
        self._name = kind, window_ms

    async def peek(self, bucket: str) -> CreditWindow:
        """The window that holds now."""
        return CreditWindow(*await self._client.call("peek", *self._name, bucket))

    async def take(self, bucket: str, cost: int, limit: int, minimum: int | None = None) -> Debit:
        """As `MemoryLedger.take`."""
        allowed, window, *others = await self._client.call("take", *self._name, bucket, cost, limit, minimum)
        return Debit(allowed, CreditWindow(*window), *others)

    async def refund(self, bucket: str, cost: int) -> None:
        """Undo `take`."""
        self._client.notify("refund", *self._name, bucket, cost)


class SharedLedgers:
    """Ledgers in the supervising process."""

    def __init__(self, client: LimitsClient) -> None:
        self._client = client

    def ledger(self, kind: str, window_ms: int) -> Ledger:
        """The ledger of this kind."""
        return SharedLedger(self._client, kind, window_ms)

    async def close(self) -> None:
        """Nothing to close: the connection belongs to the process."""


class SharedConcurrency:
    """Places that the supervising process hands out, in the order in which requests of all processes asked."""

    def __init__(self, client: LimitsClient) -> None:
        self._client = client

    @asynccontextmanager
    async def hold(self, user_id: UUID, limit: int | None) -> AsyncGenerator[None]:
        """As `ConcurrencyLimiter.hold`."""
        async with self._client.holding("hold", str(user_id), limit):
            yield

    @asynccontextmanager
    async def hold_shared(self, own: tuple[UUID, int | None], shared: tuple[UUID, int | None]) -> AsyncGenerator[None]:
        """As `ConcurrencyLimiter.hold_shared`."""
        async with self._client.holding("hold_shared", str(own[0]), own[1], str(shared[0]), shared[1]):
            yield

    @asynccontextmanager
    async def admit(self, caller: str) -> AsyncGenerator[None]:
        """As `ConcurrencyLimiter.admit`."""
        async with self._client.holding("admit", caller):
            yield


class SharedLookupTurns:
    """Turns of key lookups that the supervising process hands out."""

    def __init__(self, client: LimitsClient) -> None:
        self._client = client

    async def wait_turn(self, address: str) -> None:
        """As `LookupTurns.wait_turn`."""
        await self._client.call("wait_turn", address)


def shared_limits(client: LimitsClient) -> Limits:
    """The limits behind a connection.

    Credits that are kept in Redis are reached through the supervising process, too.
    """
    return Limits(SharedConcurrency(client), SharedLookupTurns(client), SharedLedgers(client))
