"""Running background work for the users who have some; a failure for one user does not stop the others."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

import structlog

from memd.accounts import every_user_store as store
from memd.accounts.service import job_context
from memd.context import Context, Services
from memd.db.session import SystemSession
from memd.domain.ids import encode

log = structlog.get_logger()
Work: TypeAlias = Callable[[Context], Awaitable[int]]
"""Works for one user; returns the number of rows changed."""
Find: TypeAlias = Callable[[SystemSession], Awaitable[list[UUID]]]
"""Finds the users with work by what an index holds, however many other users there are."""


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


async def for_found_users(services: Services, find: Find, work: Work) -> JobResult:
    """Run the work for the users that `find` gives, as `for_users` does. A user without work costs nothing."""
    async with services.database.system() as session:
        found = await find(session)
    return await for_users(services, found, work)


def changed_since(since: int) -> Find:
    """Finds users whose memories or messages have changed at `since` (epoch ms) or later."""
    return lambda session: store.changed_since(session, since)


def with_memories(minimum: int) -> Find:
    """Finds users with at least a given number of active memories."""
    return lambda session: store.with_memories(session, minimum)
