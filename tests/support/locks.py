"""Waiting for a session to wait."""

import asyncio

from memd.context import Services


async def waiting_for(services: Services, pid: int) -> None:
    """Return when a session waits for this one; a transaction each time, as Postgres keeps the sessions that one has seen."""
    query = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[%(pid)s::int])"
    while True:
        async with services.database.system() as session:
            if await session.value(query, {"pid": pid}):
                return
        await asyncio.sleep(0.01)
