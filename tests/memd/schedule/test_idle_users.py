"""Work is found, not looked for: users without work cost a scheduled job no session, however many they are."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.db.session import Database
from memd.lifecycle.retention import CHANGED_MS
from memd.schedule.registry import SCHEDULE, Scheduled
from memd.settings import Settings
from tests.support.postgres import empty_database
from tests.support.service import serving

SESSIONS = 8
"""What a job may open however many users there are: to find work, to claim it, to look for more."""

# Each user has a memory that every job is done with, a message, a snapshot-free past and totals that are long settled.
IDLE_USERS = """
WITH added AS (
  INSERT INTO app_user (user_id, name, tier, admin, active, created_at)
  SELECT gen_random_uuid(), 'idle ' || number, 'pro', false, true, %(then)s FROM generate_series(1, %(users)s) number
  RETURNING user_id)
INSERT INTO totals (user_id, active_memories, archived_memories, total_messages, updated_at)
SELECT user_id, 1, 0, 1, %(then)s FROM added
"""
MEMORIES = """
INSERT INTO memory (user_id, id, title, content, recall_text, store, category, tags, source, strength, confidence,
  valence, arousal, salience_score, access_count, created_at, updated_at, last_accessed_at, archived, blocked,
  embedding_pending, graph_enriched, content_hash, policy_version, policy_flags, action_triggers, source_message_ids,
  source_memory_ids, associated_at)
SELECT user_id, gen_random_uuid(), 'Mill', 'The mill grinds.', 'The mill grinds.', 'semantic', 'fact', '{}', 'tool', 0.6,
  0.7, 0, 0, 0.5, 0, %(then)s, %(then)s, %(then)s, false, false, false, true, 'hash', %(policy)s, '{}', '{}', '{}', '{}',
  %(now)s
FROM totals
"""


class CountingDatabase(Database):
    """A database that counts the sessions that are opened."""

    opened = 0

    @asynccontextmanager
    async def read(self, *args: Any, **options: Any) -> AsyncGenerator[Any]:
        """As `Database.read`."""
        self.opened += 1
        async with super().read(*args, **options) as session:
            yield session

    @asynccontextmanager
    async def owner(self, *args: Any, **options: Any) -> AsyncGenerator[Any]:
        """As `Database.owner`."""
        self.opened += 1
        async with super().owner(*args, **options) as session:
            yield session

    @asynccontextmanager
    async def write(self, *args: Any, **options: Any) -> AsyncGenerator[Any]:
        """As `Database.write`."""
        self.opened += 1
        async with super().write(*args, **options) as session:
            yield session

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[Any]:
        """As `Database.system`."""
        self.opened += 1
        async with super().system() as session:
            yield session


@pytest.fixture(scope="module")
def idle_users(request: pytest.FixtureRequest) -> int:
    """How many users are idle."""
    return int(request.config.getoption("--idle-users", 0))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def idle(
    embedded_postgres: EmbeddedPostgres, service_settings: Settings, idle_users: int
) -> AsyncIterator[Services]:
    """Services on a database of their own with many users who have nothing to do."""
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        settings = service_settings.model_copy(update={"workers_off": True})
        async with serving(settings, conninfo) as services:
            now = services.clock()
            values = {"users": idle_users, "then": now - 2 * CHANGED_MS, "now": now, "policy": services.policy.version}
            async with services.database.system() as session:
                await session.execute(IDLE_USERS, values)
                await session.execute(MEMORIES, values)
            yield services


@pytest.mark.parametrize("entry", SCHEDULE, ids=lambda entry: entry.name)
async def test_a_job_opens_no_session_for_users_without_work(idle: Services, entry: Scheduled) -> None:
    database = idle.database
    counting = CountingDatabase(database.pools, database._add_jobs)
    result = await entry.work(replace(idle, database=counting))
    assert (result.rows, counting.opened <= SESSIONS) == (0, True)


async def test_the_users_are_there(idle: Services, idle_users: int) -> None:
    async with idle.database.system() as session:
        users: list[UUID] = await session.values("SELECT user_id FROM memory")
    assert len(set(users)) == idle_users
