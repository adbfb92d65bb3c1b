"""How many bytes of bodies this process holds, in all and of each caller: requests until answered, replies until sent."""

from collections import Counter
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import Final

from memd.db.connections.fair_queue import CALLER
from memd.errors import ServerBusy

MAX_BYTES: Final = 1 << 30
MAX_BYTES_OF_CALLER: Final = 256 << 20
"""Four imports of the maximum size at once; bodies of callers without a key count as those of one caller."""


class BodyBytes:
    """Counts the bytes that `receiving` bodies hold; raises `ServerBusy` for a body that exceeds the limit."""

    def __init__(self) -> None:
        self._held = Counter[Hashable]()

    @contextmanager
    def receiving(self) -> Generator["Held"]:
        """The bytes of one body, which are given back at the end of the block."""
        held = Held(self._held, CALLER.get())
        try:
            yield held
        finally:
            held.release()


class Held:
    """The bytes of one body."""

    def __init__(self, all_held: Counter[Hashable], caller: Hashable) -> None:
        self._all, self._caller, self._size = all_held, caller, 0

    def add(self, size: int) -> None:
        """Count a part of the body."""
        if self._all[self._caller] + size > MAX_BYTES_OF_CALLER or self._all.total() + size > MAX_BYTES:
            raise ServerBusy
        self._all[self._caller] += size
        self._size += size

    def release(self) -> None:
        """Stop counting the body."""
        self._all[self._caller] -= self._size
        if not self._all[self._caller]:
            del self._all[self._caller]


BODIES: Final = BodyBytes()
"""The bodies of requests that are not answered yet: what is parsed of them takes as much memory, or more."""
REPLIES: Final = BodyBytes()
"""The replies that are not sent yet: a page of messages may hold 40 MB of texts, and a client may read it slowly."""
