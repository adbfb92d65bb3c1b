"""A new database finds the rows of a user by their keys, before its first ANALYZE."""

from collections.abc import Iterator
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
import pytest

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from tests.support.postgres import empty_database

USER = uuid4()
ROWS_OF_HITS = """
EXPLAIN (FORMAT JSON) SELECT m.title, i.language, v.embedding
FROM unnest(%(ids)s) hit (id)
JOIN memory_index i ON i.user_id = %(user)s AND i.memory_id = hit.id
JOIN memory m ON m.user_id = %(user)s AND m.id = hit.id
LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = hit.id AND v.model = 1
"""
MEMORIES = """
INSERT INTO memory_index (user_id, memory_id, live, store, category, config, tags, created_at, length, language, tsv, index_version)
SELECT %(user)s, gen_random_uuid(), true, 'semantic', 'fact', false, '{}', number, 9, 'english', 'tank:1', 1
FROM generate_series(1, 300) number
"""
NEXT_ON_THE_CHANNEL = """
EXPLAIN (FORMAT JSON) SELECT later.memory_id FROM unnest(%(ids)s) hit (id) CROSS JOIN LATERAL (
    SELECT memory_id FROM memory_index i
    WHERE i.user_id = %(user)s AND i.live AND i.knowledge_base_id IS NULL AND i.channel IS NULL
      AND (i.created_at, i.memory_id) > (100, hit.id)
    ORDER BY i.knowledge_base_id, i.channel, i.created_at, i.memory_id LIMIT 1) later
"""


@pytest.fixture(scope="module")
def connection(embedded_postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        with psycopg.connect(conninfo, autocommit=True) as opened:
            opened.execute(MEMORIES, {"user": USER})
            yield opened


def plan(connection: psycopg.Connection, statement: LiteralString) -> dict[str, Any]:
    row = connection.execute(statement, {"ids": [uuid4(), uuid4()], "user": USER}).fetchone()
    assert row is not None
    return row[0][0]["Plan"]


def nodes(top: dict[str, Any]) -> list[dict[str, Any]]:
    """A node of a plan and all below it."""
    return [top, *(each for below in top.get("Plans", []) for each in nodes(below))]


def test_the_rows_of_hits_are_found_by_primary_key(connection: psycopg.Connection) -> None:
    found = plan(connection, ROWS_OF_HITS)
    for table, key in (("memory", "id"), ("memory_index", "memory_id"), ("memory_vector", "memory_id")):
        (node,) = [each for each in nodes(found) if each.get("Relation Name") == table]
        assert node["Index Name"] == f"pk_{table}"
        assert f"({key} = " in node["Index Cond"]


def test_the_next_memory_of_a_channel_is_the_first_of_an_index(connection: psycopg.Connection) -> None:
    found = plan(connection, NEXT_ON_THE_CHANNEL)
    assert {node.get("Index Name") for node in nodes(found)} == {None, "ix_memory_index_channel"}
    assert "Sort" not in {node["Node Type"] for node in nodes(found)}
