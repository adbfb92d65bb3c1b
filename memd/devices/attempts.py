"""Rate limits for device requests and wrong user codes (contract 9.3)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from memd.access.authentication.addresses import address_block
from memd.access.rate_limits.ledger import Ledger, LedgerSource
from memd.errors import NotFound, RateLimitExceeded

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000
STARTS_OF_ADDRESS: Final = 10
GUESSES_OF_ADDRESS: Final = 5
GUESSES_OF_USER: Final = 20
GUESSES_OF_ALL: Final = 100


class Attempts:
    """Counts starts, and wrong guesses per address, per user and over all."""

    def __init__(self, ledgers: LedgerSource) -> None:
        self._starts = ledgers.ledger("device_start", MINUTE_MS)
        self._of_address = ledgers.ledger("guess_address", MINUTE_MS)
        self._of_user = ledgers.ledger("guess_user", HOUR_MS)
        self._of_all = ledgers.ledger("guess_all", MINUTE_MS)

    async def start(self, address: str) -> None:
        """Count a start; `RateLimitExceeded` after ten in a minute."""
        await _take(self._starts, address_block(address), STARTS_OF_ADDRESS)

    @asynccontextmanager
    async def guess(self, address: str, user_id: UUID) -> AsyncGenerator[None]:
        """Around the look-up of a user code: a guess counts when the block raises `NotFound`.

        It is taken before the look-up and given back after a right one, so that guesses made at the same time cannot
        be more than those made one by one. `RateLimitExceeded` when there were too many.
        """
        ledgers = (
            (self._of_address, address_block(address), GUESSES_OF_ADDRESS),
            (self._of_user, str(user_id), GUESSES_OF_USER),
            (self._of_all, "", GUESSES_OF_ALL),
        )
        taken: list[tuple[Ledger, str]] = []
        try:
            for ledger, bucket, limit in ledgers:
                await _take(ledger, bucket, limit)
                taken.append((ledger, bucket))
            yield
        except NotFound:
            taken.clear()
            raise
        finally:
            for ledger, bucket in taken:
                await ledger.refund(bucket, 1)


async def _take(ledger: Ledger, bucket: str, limit: int) -> None:
    answer = await ledger.take(bucket, 1, limit)
    if not answer.allowed:
        raise RateLimitExceeded(answer.retry_after_ms or 1)
