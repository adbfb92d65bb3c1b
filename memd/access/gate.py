"""How much a caller may: credits per minute and requests at once (contract 2.2, 1.7)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from memd.access.principal import Principal


@dataclass(frozen=True, slots=True)
class RateView:
    """The numbers of the rate headers; `reset` in Unix seconds, `warning` the percentage used from 90 on."""

    limit: int
    remaining: int
    reset: int
    warning: int | None = None


class Gate:
    """Counts credits and requests at once."""

    async def debit(self, principal: Principal, cost: int) -> RateView:
        """Take `cost` credits; `RateLimitExceeded` when they are not there, and then nothing is taken."""
        raise NotImplementedError

    async def view(self, principal: Principal) -> RateView:
        """The caller's numbers, nothing taken."""
        raise NotImplementedError

    async def view_address(self, address: str) -> RateView:
        """The numbers of an unauthenticated address, nothing taken."""
        raise NotImplementedError

    async def debit_address(self, address: str) -> RateView:
        """Take one from the bucket of an address that could not authenticate; `RateLimitExceeded` when empty."""
        raise NotImplementedError

    @asynccontextmanager
    async def slot(self, principal: Principal) -> AsyncIterator[None]:
        """Hold one of the caller's places; waits its turn, then `RateLimitExceeded`."""
        raise NotImplementedError
        yield
