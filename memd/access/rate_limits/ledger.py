"""Counted windows per bucket: in this process, or in Redis when several replicas share them.

A refusal must spend nothing and the window's end must be exact to the millisecond; so the memory form is the pure rule
of `memd.domain.accounts.credits` and the Redis form the same rule as one script.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog

from memd.domain.accounts.credits import CreditWindow, Debit, debit, refund, retry_after_ms, running_window

log = structlog.get_logger()
MAX_BUCKETS: Final = 100_000


class Ledger(Protocol):
    """Windows of one kind and length, by bucket name."""

    async def peek(self, bucket: str) -> CreditWindow:
        """The window that holds now; no window is started and nothing is taken."""
        ...

    async def take(self, bucket: str, cost: int, limit: int, minimum: int | None = None) -> Debit:
        """Take `cost` of `limit`, else what is left if that is at least `minimum`, else nothing; the first call starts the window."""
        ...

    async def refund(self, bucket: str, cost: int) -> None:
        """Undo `take` in the current window."""
        ...


class LedgerSource(Protocol):
    """Where ledgers are kept: this process, the process that started it, or Redis."""

    def ledger(self, kind: str, window_ms: int) -> Ledger:
        """The ledger of this kind; names of buckets are its own."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class MemoryLedger:
    """Windows of this process; ended ones are dropped, and the oldest when there are too many."""

    def __init__(self, window_ms: int, clock: Callable[[], int]) -> None:
        self._window_ms = window_ms
        self._clock = clock
        self._windows: OrderedDict[str, CreditWindow] = OrderedDict()

    def __len__(self) -> int:
        return len(self._windows)

    async def peek(self, bucket: str) -> CreditWindow:
        """The window that holds now."""
        return running_window(self._windows.get(bucket), self._clock(), self._window_ms)

    async def take(self, bucket: str, cost: int, limit: int, minimum: int | None = None) -> Debit:
        """Take `cost` of `limit`; atomic, since there is no await inside."""
        now = self._clock()
        answer = debit(self._windows.get(bucket), cost, limit, now, self._window_ms, minimum=minimum)
        if answer.allowed:
            self._keep(bucket, answer.window, now)
        return answer

    async def refund(self, bucket: str, cost: int) -> None:
        """Undo `take`, unless the window has ended."""
        window = self._windows.get(bucket)
        if window is not None and window.start <= self._clock() < window.end:
            self._windows[bucket] = refund(window, cost)

    def _keep(self, bucket: str, window: CreditWindow, now: int) -> None:
        """Store the window; a new one goes to the end, so the order is that of the ends."""
        known = self._windows.get(bucket)
        self._windows[bucket] = window
        if known is not None and known.start != window.start:
            self._windows.move_to_end(bucket)
        while self._windows:
            oldest = next(iter(self._windows))
            if len(self._windows) <= MAX_BUCKETS and self._windows[oldest].end > now:
                break
            del self._windows[oldest]


_TAKE = """
local cost, limit, length, least = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local left = redis.call('PTTL', KEYS[1])
local used = 0
if left > 0 then used = tonumber(redis.call('GET', KEYS[1])) else left = length end
local free = math.max(0, limit - used)
if cost > free then
  if least < 0 or free < least then return {0, used, left, 0} end
  cost = free
end
used = used + cost
redis.call('SET', KEYS[1], used, 'PX', left)
return {1, used, left, cost}
"""
_GIVE_BACK = """
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  redis.call('SET', KEYS[1], math.max(0, tonumber(redis.call('GET', KEYS[1])) - tonumber(ARGV[1])), 'PX', left)
end
return left
"""


class RedisLedger:
    """Windows that replicas share; while Redis is unreachable each replica counts locally, and logs that."""

    def __init__(self, redis: Any, kind: str, window_ms: int, clock: Callable[[], int]) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)
        self._refund = redis.register_script(_GIVE_BACK)
        self._prefix = f"memd:{kind}:"
        self._window_ms = window_ms
        self._clock = clock
        self._alone = MemoryLedger(window_ms, clock)

    async def peek(self, bucket: str) -> CreditWindow:
        """The window that holds now; one round trip."""
        from redis.exceptions import RedisError

        key = self._prefix + bucket
        try:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.get(key)
                pipe.pttl(key)
                used, remaining = await pipe.execute()
        except RedisError as error:
            _warn(error)
            return await self._alone.peek(bucket)
        return (
            self._window(int(used or 0), remaining)
            if remaining > 0
            else running_window(None, self._clock(), self._window_ms)
        )

    async def take(self, bucket: str, cost: int, limit: int, minimum: int | None = None) -> Debit:
        """Take `cost` of `limit` in one script, so atomically over all replicas."""
        from redis.exceptions import RedisError

        try:
            allowed, used, remaining, taken = await self._take(
                keys=[self._prefix + bucket], args=[cost, limit, self._window_ms, -1 if minimum is None else minimum]
            )
        except RedisError as error:
            _warn(error)
            return await self._alone.take(bucket, cost, limit, minimum)
        window = self._window(used, remaining)
        refused_for = None if allowed else retry_after_ms(window, self._clock())
        return Debit(allowed=bool(allowed), window=window, retry_after_ms=refused_for, taken=taken)

    async def refund(self, bucket: str, cost: int) -> None:
        """Undo `take`, unless the window has ended."""
        from redis.exceptions import RedisError

        try:
            await self._refund(keys=[self._prefix + bucket], args=[cost])
        except RedisError as error:
            _warn(error)
            await self._alone.refund(bucket, cost)

    def _window(self, used: int, left_ms: int) -> CreditWindow:
        return CreditWindow(start=self._clock() + left_ms - self._window_ms, used=used, length=self._window_ms)


def _warn(error: Exception) -> None:
    log.warning("limits.redis_unavailable", error=type(error).__name__)


class Ledgers:
    """Makes ledgers behind one `memory://` or `redis://` (`rediss://`) address."""

    def __init__(self, url: str, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._redis: Any = None if url.startswith("memory:") else _connect(url)
        self._ledgers: dict[str, Ledger] = {}

    def ledger(self, kind: str, window_ms: int) -> Ledger:
        """The ledger of this kind, the same one at each call; names of buckets are its own."""
        if kind not in self._ledgers:
            self._ledgers[kind] = self._make(kind, window_ms)
        return self._ledgers[kind]

    def _make(self, kind: str, window_ms: int) -> Ledger:
        if self._redis is None:
            return MemoryLedger(window_ms, self._clock)
        return RedisLedger(self._redis, kind, window_ms, self._clock)

    async def close(self) -> None:
        """Close the connections."""
        if self._redis is not None:
            await self._redis.aclose()


def _connect(url: str) -> Any:
    """A client that connects when it is first used; it comes with the extra `memd-server[redis]`."""
    from redis import asyncio as client

    redis: Any = client
    return redis.from_url(url, socket_timeout=1, socket_connect_timeout=1, decode_responses=True)
