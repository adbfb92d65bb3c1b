"""Failed sign-ins cost the database nothing: they are counted by address before a key is looked up (contract 1.3, step 3).

A key that was valid in this process before is not counted. For an address without credits the look-ups of other keys are
spaced out, so that a valid key behind the same address waits but is not refused (contract 1.4).
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol

from memd.access.authentication.addresses import address_block
from memd.access.authentication.principal import Principal
from memd.errors import RateLimitExceeded, Unauthorized

MAX_KNOWN: Final = 10_000
MAX_WAITING: Final = 50
SPACING_S: Final = 0.1
RETRY_AFTER_MS: Final = 5_000


class LookupTurns(Protocol):
    """Spaces out key lookups of an address."""

    async def wait_turn(self, address: str) -> None:
        """Wait until the address may have another key looked up; `RateLimitExceeded` when too many wait already."""
        ...


class LocalLookupTurns:
    """Lookup turns that are counted in this process; belongs to one event loop."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._next_at: dict[str, float] = {}

    async def wait_turn(self, address: str) -> None:
        """Wait until the address may have another key looked up; `RateLimitExceeded` when too many wait already."""
        block = address_block(address)
        if self._waiting[block] >= MAX_WAITING:
            raise RateLimitExceeded(RETRY_AFTER_MS)
        self._waiting[block] += 1
        now = time.monotonic()
        self._next_at = {each: next_at for each, next_at in self._next_at.items() if next_at > now}
        turn = self._next_at.get(block, now)
        self._next_at[block] = turn + SPACING_S
        try:
            await asyncio.sleep(turn - now)
        except asyncio.CancelledError:
            if block in self._next_at:  # a cancelled turn does not delay others
                self._next_at[block] -= SPACING_S
            raise
        finally:
            self._waiting[block] -= 1
            if not self._waiting[block]:
                del self._waiting[block]


class SignIns:
    """The keys that were valid in this process, and running lookups; belongs to one event loop."""

    def __init__(self, turns: LookupTurns) -> None:
        self._turns = turns
        self._known: OrderedDict[str, None] = OrderedDict()
        self._lookups: dict[tuple[str, str], asyncio.Task[Principal]] = {}

    def is_known(self, key_hash: str) -> bool:
        """Whether the key was valid when it was last looked up."""
        return key_hash in self._known

    def remember(self, key_hash: str, *, valid: bool) -> None:
        """Note the result of a look-up; of valid keys, the ones used last are kept."""
        if not valid:
            self._known.pop(key_hash, None)
            return
        self._known[key_hash] = None
        self._known.move_to_end(key_hash)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)

    async def share(
        self, key_hash: str, address: str, look_up: Callable[[], Coroutine[Any, Any, Principal]]
    ) -> Principal:
        """The caller found by a running lookup of the same key from the same address, or by `look_up`.

        When the running one is refused, each request makes its own, so that each failure is counted.
        """
        name = (key_hash, address)
        running = self._lookups.get(name)
        if running is not None:
            with suppress(Unauthorized, RateLimitExceeded):
                return await asyncio.shield(running)
            return await look_up()
        task = self._lookups[name] = asyncio.create_task(look_up())
        task.add_done_callback(partial(self._ended, name))
        return await asyncio.shield(task)

    def _ended(self, name: tuple[str, str], task: asyncio.Task[Principal]) -> None:
        del self._lookups[name]
        if not task.cancelled():
            task.exception()  # the requests that waited for it may all be gone

    async def wait_turn(self, address: str) -> None:
        """As `LookupTurns`."""
        await self._turns.wait_turn(address)
