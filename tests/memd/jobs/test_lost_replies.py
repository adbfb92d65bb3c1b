"""A job whose end is not noted, since its connection or its worker dies, does not block the jobs that wait for its lock."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.jobs import store
from memd.jobs.job_queue import TRIES
from memd.jobs.worker import SILENCE_S
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture

SENTENCE = "Ada decided to give project {0} to Team {0}."
DEFINE_LOSS = """
CREATE SEQUENCE {name};
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF OLD.task_name = 'graph_enrich' AND OLD.args ->> 'user_id' = {user} AND nextval({sequence}) <= 2 THEN
    PERFORM pg_terminate_backend(pg_backend_pid());
    PERFORM pg_sleep(10);
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER {name} BEFORE DELETE ON procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION {name}();
"""
FORGET_LOSS = "DROP TRIGGER {name} ON procrastinate_jobs; DROP FUNCTION {name}(); DROP SEQUENCE {name}"
DIE = """
WITH worker AS (
  INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute') RETURNING id
)
INSERT INTO procrastinate_jobs (queue_name, task_name, status, lock, queueing_lock, args, worker_id)
SELECT 'default', 'graph_enrich', 'doing', %(lock)s, %(lock)s, jsonb_build_object('user_id', %(user)s::text, 'of', 'memories'), id
FROM worker
"""
READ = "SELECT graph_enriched FROM memory WHERE user_id = %(user)s"


@asynccontextmanager
async def losing_ends(owner: psycopg.AsyncConnection, user_id: UUID) -> AsyncGenerator[None]:
    """Postgres ends the session that notes the end of a graph job of this user, twice."""
    name = sql.Identifier(f"lose_{user_id.hex}")
    literals = {"user": sql.Literal(str(user_id)), "sequence": sql.Literal(f"lose_{user_id.hex}")}
    await owner.execute(sql.SQL(DEFINE_LOSS).format(name=name, **literals))
    try:
        yield
    finally:
        await owner.execute(sql.SQL(FORGET_LOSS).format(name=name))


@pytest.mark.timeout(180)
async def test_the_end_of_a_job_is_noted_although_its_connection_is_lost(
    services: Services, user: TestUser, embedded_postgres: EmbeddedPostgres
) -> None:
    async with (
        await psycopg.AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as owner,
        losing_ends(owner, user.id),
    ):
        await capture(user, content=SENTENCE.format(1))
        await done(services, user)
        await capture(user, content=SENTENCE.format(2))
        await done(services, user)
    async with services.database.system() as session:
        assert await session.values(READ, {"user": user.id}) == [True, True]


async def test_a_job_of_a_worker_that_died_before_it_began_is_run_before_the_next_one(
    services: Services, user: TestUser, embedded_postgres: EmbeddedPostgres
) -> None:
    """Killed between fetching the job and releasing its queueing lock; another job of the same lock waits."""
    name = f"graph:memories:{user.id}"
    async with await psycopg.AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        await owner.execute(DIE, {"lock": name, "user": str(user.id)})
    await capture(user, content=SENTENCE.format(1))
    async with services.database.system() as session:
        await store.requeue_stalled(session, SILENCE_S, TRIES)
    await done(services, user)
    async with services.database.system() as session:
        assert await session.values(READ, {"user": user.id}) == [True]
        assert (
            await session.value(
                "SELECT count(*) FROM procrastinate_jobs WHERE args ->> 'user_id' = %(user)s", {"user": str(user.id)}
            )
            == 0
        )
