"""The scheduled job `reflection`: the last day of every active user (contract 13)."""

from dataclasses import replace
from typing import Final

from memd.accounts.every_user import JobResult, changed_since, for_found_users
from memd.context import Context, Services
from memd.memories.history.derived import archive_outdated_backlog
from memd.reflection import service

WINDOW_HOURS: Final = 24.0
MAX_RUNS: Final = 10
"""Of one user; each reads at most 30 memories of a channel and project, and takes at most 20 seconds of a chat model."""


async def reflect_all(services: Services) -> JobResult:
    """Reflect for every user with changes in that time; rows = memories written."""
    since = services.clock() - int(WINDOW_HOURS * service.HOUR_MS)
    return await for_found_users(services, changed_since(since), reflect_on_the_day)


async def reflect_on_the_day(context: Context) -> int:
    """Reflect on the last 24 hours of one user until nothing new is left, or no summary is written; the memories written.

    Derived memories whose sources are gone, which earlier releases left behind, are archived first.
    """
    await archive_outdated_backlog(context)
    written = 0
    for _ in range(MAX_RUNS):
        done = await service.reflect(replace(context, now=context.services.clock()), WINDOW_HOURS)
        written += len(done.memory_ids)
        if not done.unfinished:
            break
    return written
