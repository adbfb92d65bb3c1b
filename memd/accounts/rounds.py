"""Going round the users with a piece of background work; what fails for one does not stop it for the others."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

import structlog

from memd.accounts import rounds_store as store
from memd.accounts.service import job_context
from memd.context import Context, Services
from memd.domain.ids import encode

log = structlog.get_logger()
PAGE: Final = 200
Work: TypeAlias = Callable[[Context], Awaitable[int]]
"""Does its work for one user and says how many rows it has changed."""


class RoundFailedError(Exception):
    """The work failed for some users; the others have been served."""


@dataclass(slots=True)
class Tally:
    """Users served and rows changed; `more` when a bound was reached, so that the next round should come soon."""

    users: int = 0
    rows: int = 0
    more: bool = False


async def round_of(services: Services, user_ids: Iterable[UUID], work: Work) -> Tally:
    """Do the work for each of these users that is active; `RoundFailedError` at the end when it failed for some."""
    tally, failed = Tally(), 0
    for user_id in user_ids:
        try:
            context = await job_context(services, user_id)
            if context is not None:
                tally.rows += await work(context)
                tally.users += 1
        except Exception:
            failed += 1
            log.exception("round.failed", userId=encode("usr", user_id), work=work.__name__)
    if failed:
        raise RoundFailedError(f"failed for {failed} of {failed + tally.users} users")
    return tally


async def round_of_all(services: Services, work: Work) -> Tally:
    """Do the work for every active user, as `round_of`."""
    return await round_of(services, [user_id async for user_id in _everybody(services)], work)


async def _everybody(services: Services) -> AsyncIterator[UUID]:
    after = UUID(int=0)
    while True:
        async with services.database.system() as session:
            page = await store.active_users(session, after, PAGE)
        for user_id in page:
            yield user_id
        if len(page) < PAGE:
            return
        after = page[-1]
