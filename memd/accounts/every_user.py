"""Running background work for each user; a failure for one user does not stop the others."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

import structlog

from memd.accounts import every_user_store as store
from memd.accounts.service import job_context
from memd.context import Context, Services
from memd.domain.ids import encode

log = structlog.get_logger()
PAGE: Final = 200
Work: TypeAlias = Callable[[Context], Awaitable[int]]
"""Works for one user; returns the number of rows changed."""


class SomeUsersFailedError(Exception):
    """The work failed for some users and was done for the others."""


@dataclass(slots=True)
class JobResult:
    """Users processed and rows changed; `more` when a limit was reached and the job should run again soon."""

    users: int = 0
    rows: int = 0
    more: bool = False


async def for_users(services: Services, user_ids: Iterable[UUID], work: Work) -> JobResult:
    """Run the work for each of these users that is active; `SomeUsersFailedError` at the end if it failed for any."""
    result, failed = JobResult(), 0
    for user_id in user_ids:
        try:
            context = await job_context(services, user_id)
            if context is not None:
                result.rows += await work(context)
                result.users += 1
        except Exception:
            failed += 1
            log.exception("job.user_failed", userId=encode("usr", user_id), work=work.__name__)
    if failed:
        raise SomeUsersFailedError(f"failed for {failed} of {failed + result.users} users")
    return result


async def for_each_user(services: Services, work: Work) -> JobResult:
    """Run the work for every active user, as `for_users` does."""
    return await for_users(services, [user_id async for user_id in _active_users(services)], work)


async def _active_users(services: Services) -> AsyncIterator[UUID]:
    after = UUID(int=0)
    while True:
        async with services.database.system() as session:
            page = await store.active_users(session, after, PAGE)
        for user_id in page:
            yield user_id
        if len(page) < PAGE:
            return
        after = page[-1]
