"""Which replica runs the schedule: the one that holds an advisory lock, on a dedicated connection.

A leader that dies loses its connection and with it the lock; another takes over within `POLL_S`. The connection is
tested as often, so that a leader that was cut off steps back. Its statements ask for a lock and read no table, and they
belong to that connection: they are here rather than in a store.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import psycopg
import structlog

from memd.db.advisory_locks import Fixed
from memd.logs import Repeats

log = structlog.get_logger()
POLL_S: Final = 5.0
_KEEPALIVE: Final = (
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 2",
)
Callback: TypeAlias = Callable[[], Awaitable[None]]


async def lead(conninfo: str, on_lead: Callback, on_follow: Callback) -> None:
    """Try for the lead until cancelled; the two functions are called at each change of it."""
    repeats = Repeats()
    while True:
        try:
            await _election(conninfo, on_lead, on_follow)
        except (psycopg.Error, TimeoutError, OSError) as error:
            if repeats.is_new("lost"):
                log.warning("schedule.leader_lost", error=type(error).__name__)
        except Exception:
            log.exception("schedule.leader_failed")
        await asyncio.sleep(POLL_S)


async def _election(conninfo: str, on_lead: Callback, on_follow: Callback) -> None:
    """One connection: wait for the lock, lead while the connection lives, step back."""
    connection = await psycopg.AsyncConnection.connect(
        conninfo, autocommit=True, connect_timeout=10, application_name="memd-leader"
    )
    async with connection:
        for setting in _KEEPALIVE:
            await connection.execute(setting)
        while True:
            if await _try_lock(connection):
                break
            await asyncio.sleep(POLL_S)
        log.info("schedule.leading")
        try:
            await on_lead()
            while True:
                await asyncio.sleep(POLL_S)
                async with asyncio.timeout(POLL_S):
                    await connection.execute("SELECT 1")
        finally:
            await on_follow()


async def _try_lock(connection: psycopg.AsyncConnection) -> bool:
    async with asyncio.timeout(POLL_S):
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%(lock)s)", {"lock": Fixed.LEADER.value})
        row = await cursor.fetchone()
    return row is not None and bool(row[0])
