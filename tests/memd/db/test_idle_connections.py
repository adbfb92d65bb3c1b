"""Of several idle connections the pool hands out the one that came back last."""

import asyncio

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.session import Database
from memd.domain.ids import new_id
from memd.jobs import store as queue

PID = "SELECT pg_backend_pid()"


async def test_statements_one_after_the_other_use_one_connection(
    services: Services,  # it makes the roles
    embedded_postgres: EmbeddedPostgres,
) -> None:
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=3, max_size=3) as pools:
        database, used = Database(pools, queue.add_jobs), list[int]()
        async with database.read(new_id()) as first, database.read(new_id()) as second:
            last = {await first.value(PID), await second.value(PID)}
        for _ in range(6):
            await asyncio.sleep(0.01)  # a task of the pool takes connections back
            async with database.read(new_id()) as session:
                used.append(await session.value(PID))
        assert len(set(used)) == 1
        assert set(used) < last
