"""`memd migrate --distribute` on a real cluster: run again, and after an interruption."""

import threading
import time
from contextlib import suppress

import psycopg
import pytest

from memd.db.schema.distribute import distribute, local_copies, tables_binding_owner, waiting_tables
from memd.db.schema.migrate import migrate
from tests.support.citus import SHARDS, Cluster

WAIT_S = 60.0
USERS = """
INSERT INTO totals (user_id, active_memories, archived_memories, total_messages, updated_at)
SELECT gen_random_uuid(), 1, 0, 0, 1 FROM generate_series(1, 20)
"""
# The removal waits for a lock after the rows are on the nodes.
WAITING = """
SELECT l.pid FROM pg_locks l JOIN pg_dist_partition d ON d.logicalrelid = l.relation
WHERE NOT l.granted AND l.relation = %s::regclass
"""


@pytest.fixture
def migrated(citus: Cluster) -> str:
    """A migrated database whose tables have rows and are not distributed yet."""
    conninfo = citus.conninfo(citus.new_database())
    migrate(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(USERS)
    return conninfo


def test_a_second_run_has_nothing_to_do(migrated: str) -> None:
    first: list[str] = []
    again: list[str] = []
    distribute(migrated, SHARDS, first.append)
    distribute(migrated, SHARDS, again.append)
    assert "distributed totals" in first
    assert [line for line in again if "distributed" in line] == [line for line in again if line.startswith("0 tables")]
    with psycopg.connect(migrated) as connection:
        assert waiting_tables(connection) == []
        assert connection.execute("SELECT count(*) FROM totals").fetchone() == (20,)
        shards = connection.execute("SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'totals'::regclass")
        assert shards.fetchone() == (SHARDS,)


def test_policies_do_not_bind_the_owner_whose_shards_move(migrated: str) -> None:
    distribute(migrated, SHARDS, lambda _: None)
    with psycopg.connect(migrated, autocommit=True) as connection:
        assert _forced(connection) == (set(), set())
        connection.execute("ALTER TABLE memory FORCE ROW LEVEL SECURITY")  # as every cluster had it before
        assert _forced(connection) == ({"memory"}, {"true"})
        assert tables_binding_owner(connection) == ["memory"]
        messages: list[str] = []
        distribute(migrated, SHARDS, messages.append)
        assert [line for line in messages if "policies" in line] == [
            "the row policies of memory no longer bind its owner"
        ]
        assert _forced(connection) == (set(), set())


def test_an_interrupted_run_is_finished_by_the_next(migrated: str) -> None:
    """The connection of a run is cut after the rows are on the nodes and before they leave the coordinator."""
    with psycopg.connect(migrated) as reader, psycopg.connect(migrated, autocommit=True) as watch:
        reader.execute("SELECT count(*) FROM totals")
        running = threading.Thread(target=_distribute, args=(migrated,))
        running.start()
        pid = _wait_for_lock(watch, "totals")
        watch.execute("SELECT pg_terminate_backend(%s::int)", [pid])
        running.join(WAIT_S)
        reader.rollback()
        assert local_copies(watch) == ["totals"]
        messages: list[str] = []
        distribute(migrated, SHARDS, messages.append)
        assert any("totals" in line and "interrupted" in line for line in messages)
        assert local_copies(watch) == []
        assert watch.execute("SELECT count(*) FROM totals").fetchone() == (20,)


def _forced(connection: psycopg.Connection) -> tuple[set[str], set[str]]:
    """The distributed tables whose policies bind their owner, and whether those of any shard of `memory` do."""
    tables = connection.execute(
        "SELECT logicalrelid::text FROM pg_dist_partition JOIN pg_class ON oid = logicalrelid"
        " WHERE partmethod = 'h' AND relforcerowsecurity"
    )
    shards = connection.execute(
        "SELECT result FROM run_command_on_shards('memory',"
        " 'SELECT relforcerowsecurity FROM pg_class WHERE oid = ''%s''::regclass')"
    )
    return {name for (name,) in tables.fetchall()}, {"true" for (found,) in shards.fetchall() if found in {"t", "true"}}


def _distribute(conninfo: str) -> None:
    with suppress(psycopg.OperationalError):
        distribute(conninfo, SHARDS, lambda _: None)


def _wait_for_lock(watch: psycopg.Connection, table: str) -> int:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        row = watch.execute(WAITING, [table]).fetchone()
        if row is not None:
            return int(row[0])
        time.sleep(0.05)
    raise AssertionError(f"no run waits for {table}")
