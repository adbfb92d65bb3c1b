"""The scheduled job `reflection`: the last day of every active user (contract 13)."""

from typing import Final

from memd.accounts.rounds import Tally, round_of_all
from memd.context import Context, Services
from memd.reflection import service

WINDOW_HOURS: Final = 24.0


async def reflect_all(services: Services) -> Tally:
    """Reflect for every user; rows = memories written."""
    return await round_of_all(services, reflect_on_the_day)


async def reflect_on_the_day(context: Context) -> int:
    """Reflect on the last 24 hours of one user; how many memories were written."""
    return len((await service.reflect(context, WINDOW_HOURS)).memory_ids)
