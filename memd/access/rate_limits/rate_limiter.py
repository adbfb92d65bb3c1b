"""Rate limits of a caller: credits per minute and concurrent requests (contract 2.2, 1.7)."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from uuid import UUID, uuid5

import structlog

from memctl.wire.limits import NO_LIMIT
from memd.access.authentication.addresses import address_block
from memd.access.authentication.principal import Principal
from memd.access.authentication.sign_ins import SignIns
from memd.access.rate_limits.limits import Limits
from memd.domain.accounts.credits import (
    ADDRESS_CREDITS,
    WINDOW_MS,
    Allowance,
    CreditWindow,
    Debit,
    RateView,
    retry_after_ms,
    warning_percent,
)
from memd.domain.ids import encode
from memd.errors import AlreadyRunning, RateLimitExceeded

log = structlog.get_logger()


class RateLimiter:
    """Counts credits and concurrent requests; a user's numbers hold over all keys of the user."""

    def __init__(self, limits: Limits, clock: Callable[[], int]) -> None:
        self._clock = clock
        self.limits = limits
        self.sign_ins = SignIns(limits.turns)
        self._concurrency = limits.concurrency
        self.ledgers = limits.ledgers
        self._users = self.ledgers.ledger("user", WINDOW_MS)
        self._addresses = self.ledgers.ledger("address", WINDOW_MS)

    async def debit(self, principal: Principal, cost: int, minimum: int | None = None) -> RateView:
        """Take `cost` credits; `RateLimitExceeded` when they are not there, and then nothing is taken.

        With `minimum`, what is left is taken where that is less than `cost`, but no less than `minimum`. What an end user
        spends is taken from the end user and from its account, or from neither.
        """
        spent, own = await self._debit(principal.user_id, principal.allowance, cost, minimum)
        if principal.account is None:
            return replace(own, taken=spent)
        account = principal.account
        try:
            allowed, shared = await self._debit(account.user_id, account.allowance, spent, minimum)
        except RateLimitExceeded:
            await self._users.refund(str(principal.user_id), spent)
            raise
        if allowed < spent:
            await self._users.refund(str(principal.user_id), spent - allowed)
            own = await self._view(principal.user_id, principal.allowance)
        return replace(_tighter(own, shared), taken=allowed)

    async def give_back(self, principal: Principal, credits_taken: int) -> RateView:
        """Undo a `debit` that took so many credits, of an end user from its account too; the numbers then."""
        for payer in filter(None, (principal, principal.account)):
            if payer.allowance.credits_per_minute is not None:
                await self._users.refund(str(payer.user_id), credits_taken)
        return await self.view(principal)

    async def _debit(self, user_id: UUID, limits: Allowance, cost: int, minimum: int | None) -> tuple[int, RateView]:
        """Take from one bucket; how much, and its numbers."""
        limit = limits.credits_per_minute
        if limit is None or cost == 0:
            return cost, await self._view(user_id, limits)
        answer = await self._users.take(str(user_id), cost, limit, minimum)
        self._check(answer)
        before = answer.window.used - answer.taken
        if warning_percent(answer.window.used, limit) and not warning_percent(before, limit):
            log.warning("credits.warning", userId=encode("usr", user_id), limit=limit)
        return answer.taken, RateView.of(answer.window, limit)

    async def view(self, principal: Principal) -> RateView:
        """The caller's numbers, nothing taken; of an end user and its account those with fewer credits left."""
        own = await self._view(principal.user_id, principal.allowance)
        if principal.account is None:
            return own
        return _tighter(own, await self._view(principal.account.user_id, principal.account.allowance))

    async def _view(self, user_id: UUID, limits: Allowance) -> RateView:
        limit = limits.credits_per_minute
        if limit is None:
            return RateView.of(CreditWindow(self._clock()), NO_LIMIT)
        return RateView.of(await self._users.peek(str(user_id)), limit)

    async def view_address(self, address: str) -> RateView:
        """The numbers of an unauthenticated address, nothing taken."""
        return RateView.of(await self._addresses.peek(address_block(address)), ADDRESS_CREDITS)

    async def debit_address(self, address: str) -> RateView:
        """Take one from the bucket of an address that could not authenticate; `RateLimitExceeded` when empty."""
        answer = await self._addresses.take(address_block(address), 1, ADDRESS_CREDITS)
        self._check(answer)
        return RateView.of(answer.window, ADDRESS_CREDITS)

    async def refund_address(self, address: str) -> None:
        """Undo `debit_address`: the key that was looked up is valid."""
        await self._addresses.refund(address_block(address), 1)

    def slot(self, principal: Principal) -> AbstractAsyncContextManager[None]:
        """Hold one of the caller's slots; waits its turn, then `RateLimitExceeded`; `ServerBusy` over all users.

        An end user also holds one of its account's, whose share of the server all its end users have together.
        """
        own = principal.user_id, principal.allowance.concurrent_requests
        if principal.account is None:
            return self._concurrency.hold(*own)
        account = principal.account
        return self._concurrency.hold_shared(own, (account.user_id, account.allowance.concurrent_requests))

    @asynccontextmanager
    async def alone(self, principal: Principal, work: str) -> AsyncGenerator[None]:
        """Hold the only slot of a user for some work, named in English; waits its turn, then `AlreadyRunning`.

        For work that begins by looking what is left to do: several at once would do all of it several times.
        """
        async with AsyncExitStack() as held:
            try:
                await held.enter_async_context(self._concurrency.hold(uuid5(principal.user_id, work), 1))
            except RateLimitExceeded:
                raise AlreadyRunning(work) from None
            yield

    def open_slot(self, address: str) -> AbstractAsyncContextManager[None]:
        """Hold a slot of the server for a request without a user; `ServerBusy` when its address holds its share."""
        return self._concurrency.admit(address_block(address))

    async def close(self) -> None:
        """Close the connections."""
        await self.ledgers.close()

    def _check(self, answer: Debit) -> None:
        if not answer.allowed:
            raise RateLimitExceeded(answer.retry_after_ms or retry_after_ms(answer.window, self._clock()))


def _tighter(own: RateView, shared: RateView) -> RateView:
    """The numbers of the bucket that is used up first."""
    return own if own.remaining <= shared.remaining else shared
