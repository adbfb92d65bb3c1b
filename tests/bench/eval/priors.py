"""Dates, strengths and access counts of stored memories, which capture cannot set.

They are written by SQL into the bench's own database, as restoring a backup with such values would leave them, and taken
back at the end of the block.

The knowledge graph has no part in these sets: it lifts rows by a constant once the background has read them, which takes
minutes, and until then the first rows stored would be lifted over the others.
"""

import random
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from uuid import UUID

import psycopg

from memd.domain.ids import decode
from tests.bench.eval.holdings import Holding

HOLD = """
CREATE OR REPLACE FUNCTION eval_hold_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.access_count := OLD.access_count; NEW.last_accessed_at := OLD.last_accessed_at; RETURN NEW; END $$;
DROP TRIGGER IF EXISTS eval_hold_access ON memory;
CREATE TRIGGER eval_hold_access BEFORE UPDATE OF access_count ON memory FOR EACH ROW EXECUTE FUNCTION eval_hold_access();
"""
NO_GRAPH = """
CREATE OR REPLACE FUNCTION eval_no_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.graph_enriched := true; RETURN NEW; END $$;
DROP TRIGGER IF EXISTS eval_no_graph ON memory;
CREATE TRIGGER eval_no_graph BEFORE INSERT ON memory FOR EACH ROW EXECUTE FUNCTION eval_no_graph();
"""
RELEASE = "DROP TRIGGER eval_hold_access ON memory"
READ = "SELECT id, created_at, strength FROM memory WHERE user_id = %s"
WRITE = """
WITH given AS (SELECT * FROM unnest(%(ids)s::uuid[], %(dates)s::bigint[], %(strengths)s::real[]) g (id, at, strength)),
     indexed AS (UPDATE memory_index i SET created_at = g.at FROM given g WHERE i.user_id = %(user)s AND i.memory_id = g.id)
UPDATE memory m SET created_at = g.at, updated_at = g.at, last_accessed_at = g.at, strength = g.strength, access_count = 0
FROM given g WHERE m.user_id = %(user)s AND m.id = g.id
"""
STRENGTHS = (0.5, 1.0)
Priors = Mapping[UUID, tuple[int, float]]
"""Creation (ms since 1970) and strength by memory."""


def without_graph(connection: psycopg.Connection) -> None:
    """Have memories count as read by the knowledge graph when they are stored."""
    connection.execute(NO_GRAPH)


@contextmanager
def equal(connection: psycopg.Connection, holding: Holding) -> Generator[None]:
    """As captured, never accessed: what questions find is not counted."""
    with fresh(connection, holding):
        connection.execute(HOLD)
        try:
            yield
        finally:
            connection.execute(RELEASE)


@contextmanager
def fresh(connection: psycopg.Connection, holding: Holding) -> Generator[None]:
    """As captured, not accessed before the block; in it accesses count."""
    _write(connection, holding, _read(connection, holding))
    yield


@contextmanager
def dated(connection: psycopg.Connection, holding: Holding, dates: Mapping[str, int]) -> Generator[None]:
    """Created at the dates given by the set's ids, with strengths at random; accesses count."""
    captured = _read(connection, holding)
    rng = random.Random(1)
    given = {decode("mem", own): (dates[name], rng.uniform(*STRENGTHS)) for own, name in sorted(holding.names.items())}
    _write(connection, holding, given)
    try:
        yield
    finally:
        _write(connection, holding, captured)


def _read(connection: psycopg.Connection, holding: Holding) -> Priors:
    rows = connection.execute(READ, [decode("usr", holding.user)]).fetchall()
    return {memory: (created, strength) for memory, created, strength in rows}


def _write(connection: psycopg.Connection, holding: Holding, priors: Priors) -> None:
    values = {
        "user": decode("usr", holding.user),
        "ids": list(priors),
        "dates": [created for created, _ in priors.values()],
        "strengths": [strength for _, strength in priors.values()],
    }
    connection.execute(WRITE, values)
