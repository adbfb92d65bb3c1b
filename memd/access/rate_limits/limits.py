"""Where the limits of callers are counted: in this process, or in the process that started it (`memd.processes`)."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from memd.access.authentication.sign_ins import LocalLookupTurns, LookupTurns
from memd.access.rate_limits.concurrency_limiter import ConcurrencyLimiter
from memd.access.rate_limits.ledger import Ledgers, LedgerSource
from memd.settings import Settings


class Concurrency(Protocol):
    """Running and waiting requests by caller; the methods are those of `ConcurrencyLimiter`."""

    def hold(self, user_id: UUID, limit: int | None) -> AbstractAsyncContextManager[None]:
        """Hold one of a user's slots."""
        ...

    def hold_shared(
        self, own: tuple[UUID, int | None], shared: tuple[UUID, int | None]
    ) -> AbstractAsyncContextManager[None]:
        """Hold a slot of an end user and one of its account."""
        ...

    def admit(self, caller: str) -> AbstractAsyncContextManager[None]:
        """Hold a slot of the server for a request without a user."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """All counts that several processes of a machine share."""

    concurrency: Concurrency
    turns: LookupTurns
    ledgers: LedgerSource


def local_limits(settings: Settings, clock: Callable[[], int]) -> Limits:
    """Limits that this process counts, on one event loop; credits in Redis when the settings name one."""
    return Limits(
        ConcurrencyLimiter(
            settings.limits_queue_wait_s,
            settings.limits_max_in_flight,
            settings.limits_max_running,
            settings.http_request_timeout_s,
        ),
        LocalLookupTurns(),
        Ledgers(settings.limits_storage, clock),
    )
