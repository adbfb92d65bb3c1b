"""An upgrade keeps the numbers of stored rows as they were sent."""

from typing import Final, LiteralString, cast
from uuid import uuid4

import psycopg
import pytest

from memd.db.schema.migrate import migrate

BEFORE: Final = "20261122_chunk_places"
COLUMNS: Final = {
    "memory": ("strength", "confidence", "valence", "arousal", "salience_score"),
    "association": ("weight",),
    "graph_node": ("strength", "confidence"),
    "graph_relation": ("weight", "confidence"),
    "memory_node": ("link_confidence",),
}
SAMPLES: Final = {"uuid": f"'{uuid4()}'", "text": "'x'", "character varying": "'x'", "ARRAY": "'{}'"}
SENT: Final = 0.7


def add_row(connection: psycopg.Connection, table: str) -> None:
    """A row in which every column that has to be filled is, and each number is SENT."""
    needed = connection.execute(
        "SELECT column_name, data_type FROM information_schema.columns "
        "WHERE table_name = %s AND is_nullable = 'NO' AND column_default IS NULL",
        [table],
    ).fetchall()
    values = {name: SAMPLES.get(kind, "1") for name, kind in needed} | dict.fromkeys(COLUMNS[table], str(SENT))
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})"
    connection.execute(cast("LiteralString", statement))


@pytest.mark.parametrize("table", COLUMNS)
def test_stored_numbers_become_what_was_sent(new_database: str, table: str) -> None:
    migrate(new_database, BEFORE)
    with psycopg.connect(new_database) as connection:
        add_row(connection, table)
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        columns = ", ".join(COLUMNS[table])
        row = connection.execute(cast("LiteralString", f"SELECT {columns} FROM {table}")).fetchone()
    assert row == (SENT,) * len(COLUMNS[table])
