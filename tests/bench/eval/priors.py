"""Access counts and graph links of stored memories, which the API cannot set: by SQL in the bench's own database.

The knowledge graph has no part in these sets: it lifts rows by a constant once the background has read them, which takes
minutes, and until then the first rows stored would be lifted over the others.
"""

import random
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import psycopg

from memd.domain.ids import decode
from tests.bench.eval.data import Conversation
from tests.bench.eval.holdings import Holding

HOLD = """
CREATE OR REPLACE FUNCTION eval_hold_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.access_count := OLD.access_count; NEW.last_accessed_at := OLD.last_accessed_at; RETURN NEW; END $$;
DROP TRIGGER IF EXISTS eval_hold_access ON memory;
CREATE TRIGGER eval_hold_access BEFORE UPDATE OF access_count ON memory FOR EACH ROW EXECUTE FUNCTION eval_hold_access();
"""
RELEASE = "DROP TRIGGER IF EXISTS eval_hold_access ON memory"
NO_GRAPH = """
CREATE OR REPLACE FUNCTION eval_no_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.graph_enriched := true; RETURN NEW; END $$;
DROP TRIGGER IF EXISTS eval_no_graph ON memory;
CREATE TRIGGER eval_no_graph BEFORE INSERT ON memory FOR EACH ROW EXECUTE FUNCTION eval_no_graph();
"""
FORGET = "UPDATE memory SET access_count = 0, last_accessed_at = created_at WHERE user_id = %s"
STRENGTHS = (0.5, 1.0)


def without_graph(connection: psycopg.Connection) -> None:
    """Have memories count as read by the knowledge graph when they are stored."""
    connection.execute(NO_GRAPH)


def dated(data: Conversation) -> dict[str, Mapping[str, float]]:
    """For each turn the fields of a capture that keep its date and give it a strength at random."""
    rng = random.Random(1)
    return {turn.id: {"createdAt": turn.timestamp, "strength": rng.uniform(*STRENGTHS)} for turn in data.turns}


@contextmanager
def unused(connection: psycopg.Connection, holding: Holding) -> Generator[None]:
    """No memory was accessed before the block, and accesses in it do not count."""
    connection.execute(RELEASE)
    connection.execute(FORGET, [decode("usr", holding.user)])
    connection.execute(HOLD)
    try:
        yield
    finally:
        connection.execute(RELEASE)


@contextmanager
def used(connection: psycopg.Connection, holding: Holding) -> Generator[None]:
    """No memory was accessed before the block; accesses in it count."""
    connection.execute(RELEASE)
    connection.execute(FORGET, [decode("usr", holding.user)])
    yield
