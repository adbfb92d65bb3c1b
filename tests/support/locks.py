"""Waiting for a session to wait."""

import asyncio

from memd.context import Services


async def waiting_for(services: Services, pid: int) -> int:
    """The id of a session that waits for this one, once there is one; a transaction each time, as Postgres keeps the sessions that one has seen."""
    query = "SELECT min(pid) FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[%(pid)s::int]"
    while True:
        async with services.database.system() as session:
            waiting: int | None = await session.value(query, {"pid": pid})
        if waiting is not None:
            return waiting
        await asyncio.sleep(0.01)
