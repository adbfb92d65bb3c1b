"""Jobs that were added while the clock was a day ahead do not wait for a day once it is right again."""

import psycopg

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.jobs import store

ADD = (
    "INSERT INTO procrastinate_jobs (queue_name, task_name, status, lock, args, scheduled_at)"
    " VALUES ('default', 'no_such_task', 'todo', %(lock)s, '{}', now() + %(delay)s * interval '1 minute') RETURNING id"
)
DUE = "SELECT coalesce(scheduled_at <= now(), true) FROM procrastinate_jobs WHERE id = %(id)s"


async def test_a_job_that_is_postponed_for_longer_than_any_delay_becomes_due(
    services: Services, embedded_postgres: EmbeddedPostgres
) -> None:
    async with await psycopg.AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        ids = dict[int, int]()
        for delay in (24 * 60, 10):
            row = await (await owner.execute(ADD, {"lock": f"clock {delay}", "delay": delay})).fetchone()
            assert row is not None
            ids[delay] = row[0]
        async with services.database.system() as session:
            await store.release_postponed(session, 3600)
            assert await session.value(DUE, {"id": ids[24 * 60]}) is True
            assert await session.value(DUE, {"id": ids[10]}) is False
        await owner.execute("UPDATE procrastinate_jobs SET status = 'cancelled' WHERE id = %s", [ids[10]])
