"""How much text of batches may be in work: reading it takes a second for 200,000 characters, and one thread does it."""

from collections import Counter
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import Final

from memd.db.connections.fair_queue import CALLER
from memd.errors import RefusedAtOnce

MAX_CHARACTERS: Final = 4_000_000
"""What is read in the time of a request."""
CHARACTERS_PER_MS: Final = 200


class BatchAdmission:
    """Counts the characters of the batches in work, by caller (`CALLER`: of end users the account); of one event loop."""

    def __init__(self) -> None:
        self._held = Counter[Hashable]()

    @contextmanager
    def admitted(self, characters: int) -> Generator[None]:
        """Count a batch during the block.

        `RefusedAtOnce` for one that would not be done in the time of a request, after which `retryAfterMs` the
        batches before it probably are. The first batch of a caller is always accepted.
        """
        caller, total = CALLER.get(), self._held.total()
        if caller in self._held and total + characters > MAX_CHARACTERS:
            raise RefusedAtOnce(max(1000, min(total, MAX_CHARACTERS) // CHARACTERS_PER_MS))
        self._held[caller] += characters
        try:
            yield
        finally:
            self._held[caller] -= characters
            if not self._held[caller]:
                del self._held[caller]


BATCHES: Final = BatchAdmission()
"""The batches of this process."""
