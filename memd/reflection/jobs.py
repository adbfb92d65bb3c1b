"""The scheduled job `reflection`: the last day of every active user (contract 13)."""

from typing import Final

from memd.accounts.every_user import JobResult, changed_since, for_found_users
from memd.context import Context, Services
from memd.memories.history.following import archive_all_outdated
from memd.reflection import service

WINDOW_HOURS: Final = 24.0


async def reflect_all(services: Services) -> JobResult:
    """Reflect for every user with changes in that time; rows = memories written."""
    since = services.clock() - int(WINDOW_HOURS * service.HOUR_MS)
    return await for_found_users(services, changed_since(since), reflect_on_the_day)


async def reflect_on_the_day(context: Context) -> int:
    """Reflect on the last 24 hours of one user; how many memories were written.

    Derived memories that repeat what has gone are archived before: those of releases that left them.
    """
    await archive_all_outdated(context)
    return len((await service.reflect(context, WINDOW_HOURS)).memory_ids)
