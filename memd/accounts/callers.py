"""Who a key belongs to, believed for a moment: most requests come shortly after another one with the same key."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memd.access.principal import Principal

BELIEVED_S: Final = 0.25
MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Believed:
    principal: Principal
    until: float
    expires_at: int | None


class Callers:
    """The callers of the last quarter of a second, by the hash of their key; every process has its own.

    What ends a key or changes a user waits as long before it answers (`wait_out`), so that from then on no process
    believes what was true before. See decision 12.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` in seconds that never run backwards."""
        self._clock = clock
        self._known: dict[str, _Believed] = {}

    def moment(self) -> float:
        """When a look at the database begins; `believe` counts from there."""
        return self._clock()

    def believe(self, key_hash: str, principal: Principal, since: float, expires_at: int | None) -> None:
        """Keep what a look at the database that began at `since` has found; `expires_at` (epoch ms) is that of the key."""
        if len(self._known) >= MOST:
            self._known = {known: caller for known, caller in self._known.items() if caller.until > since}
        if len(self._known) < MOST:
            self._known[key_hash] = _Believed(principal, since + BELIEVED_S, expires_at)

    def get(self, key_hash: str, now: int) -> Principal | None:
        """The caller with this key, unless the database has to be asked; `now` in epoch ms."""
        known = self._known.get(key_hash)
        if known is None or known.until <= self._clock() or (known.expires_at is not None and known.expires_at <= now):
            return None
        return known.principal

    async def wait_out(self) -> None:
        """Wait until no process believes what it saw before now."""
        await asyncio.sleep(BELIEVED_S)
