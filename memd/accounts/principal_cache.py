"""A cache of principals by API key: most requests come shortly after another one with the same key."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

from memd.access.authentication.principal import Principal

TTL_S: Final = 0.25
MAX_ENTRIES: Final = 1_000
CacheKey: TypeAlias = str | tuple[UUID, str]
"""The hash of a key, or a service key's id with the name of an end user."""


@dataclass(frozen=True, slots=True)
class _Entry:
    principal: Principal
    until: float
    expires_at: int | None


class PrincipalCache:
    """Principals by the hash of their key, and for end users by service key and name, with a TTL of a quarter of a second; every process has its own.

    Every request that revokes a key or changes a user waits for the TTL (`wait_ttl`) before it answers, so that no process serves
    the old state after the reply. See decision 12.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` in seconds that never run backwards."""
        self._clock = clock
        self._known: dict[CacheKey, _Entry] = {}

    def moment(self) -> float:
        """The time now. Take it before reading the database: the TTL of `put` starts there."""
        return self._clock()

    def put(self, key: CacheKey, principal: Principal, since: float, expires_at: int | None) -> None:
        """Cache a principal that was read at `since`; `expires_at` (epoch ms) is that of the key."""
        if len(self._known) >= MAX_ENTRIES:
            self._known = {known: caller for known, caller in self._known.items() if caller.until > since}
        if len(self._known) < MAX_ENTRIES:
            self._known[key] = _Entry(principal, since + TTL_S, expires_at)

    def get(self, key: CacheKey, now: int) -> Principal | None:
        """The cached principal of a key that has not expired; None on a miss. `now` in epoch ms."""
        known = self._known.get(key)
        if known is None or known.until <= self._clock() or (known.expires_at is not None and known.expires_at <= now):
            return None
        return known.principal

    async def wait_ttl(self) -> None:
        """Wait until every cache entry made before now has expired, in every process."""
        await asyncio.sleep(TTL_S)
