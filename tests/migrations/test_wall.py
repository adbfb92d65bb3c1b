"""The second wall: with a row of two users in every table, Postgres itself shows users only their own."""

from collections.abc import Iterator
from typing import Any, LiteralString, cast
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy import Table

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.catalogue import METADATA
from memd.db.schema.migrate import migrate

ALICE, BOB = uuid4(), uuid4()
NOBODY = uuid4()
DATABASE = "walled"
OF_USERS = [table for table in METADATA.sorted_tables if "user_id" in table.primary_key.columns]
CLOSED = {"app_user", "erasure"}
"""Tables that the application does not reach at all."""
ADD_ONLY = {"api_key", "audit_row", "memory_version", "memory_version_index"}
"""Tables whose rows it cannot change as a whole, or not at all."""
OPEN = [table for table in OF_USERS if table.name not in CLOSED | ADD_ONLY]
SAMPLES = {
    "UUID": "gen_random_uuid()",
    "HALFVEC": "'[1,2]'",
    "TSVECTOR": "''::tsvector",
    "JSON": "'{}'",
    "ARRAY": "'{}'",
}
NAMES = {"BIGINT": "1", "INTEGER": "1", "SMALLINT": "1", "DOUBLE_PRECISION": "1", "BOOLEAN": "false"}


def sample(column: Any) -> str:
    """A value that the column takes."""
    kind = type(column.type).__name__.upper()
    names = {
        "BIGINTEGER": "BIGINT",
        "SMALLINTEGER": "SMALLINT",
        "FLOAT": "DOUBLE_PRECISION",
        "DOUBLE": "DOUBLE_PRECISION",
    }
    return SAMPLES.get(kind) or NAMES.get(names.get(kind, kind)) or f"'{uuid4()}'"


def add_row(connection: psycopg.Connection, table: Table, user: UUID) -> None:
    columns = [column for column in table.columns if column.name != "user_id" and not column.nullable]
    names = ", ".join(["user_id", *(f'"{column.name}"' for column in columns)])
    values = ", ".join([f"'{user}'", *map(sample, columns)])
    connection.execute(cast("LiteralString", f"INSERT INTO {table.name} ({names}) VALUES ({values})"))


@pytest.fixture(scope="module")
def walled(embedded_postgres: EmbeddedPostgres) -> Iterator[str]:
    """A migrated database with a row of Alice and one of Bob in every table."""
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    conninfo = make_conninfo(embedded_postgres.conninfo, dbname=DATABASE)
    migrate(conninfo)
    with psycopg.connect(conninfo) as connection:
        for table in OF_USERS:
            for user in (ALICE, BOB):
                add_row(connection, table, user)
    yield conninfo
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(DATABASE)))


@pytest.fixture
def connection(walled: str) -> Iterator[psycopg.Connection]:
    """A raw connection by the login of requests; what it writes is thrown away."""
    with psycopg.connect(walled, user="memd_app") as raw:
        yield raw
        raw.rollback()


def become(connection: psycopg.Connection, user: UUID) -> None:
    connection.execute(cast("LiteralString", f"SET LOCAL memd.user_id = '{user}'"))


def owners(connection: psycopg.Connection, table: Table) -> set[UUID]:
    return {row[0] for row in connection.execute(cast("LiteralString", f"SELECT user_id FROM {table.name}"))}


@pytest.mark.parametrize("table", OPEN, ids=lambda table: table.name)
def test_without_a_user_no_row_is_seen_changed_or_removed(connection: psycopg.Connection, table: Table) -> None:
    assert owners(connection, table) == set()
    changed = connection.execute(cast("LiteralString", f"UPDATE {table.name} SET user_id = user_id")).rowcount
    removed = connection.execute(cast("LiteralString", f"DELETE FROM {table.name}")).rowcount
    assert (changed, removed) == (0, 0)


@pytest.mark.parametrize(
    "table", [table for table in OF_USERS if table.name not in CLOSED], ids=lambda table: table.name
)
def test_each_user_sees_the_own_rows_only(connection: psycopg.Connection, table: Table) -> None:
    found: list[set[UUID]] = []
    for user in (ALICE, BOB, NOBODY):
        become(connection, user)
        found.append(owners(connection, table))
    assert found == [{ALICE}, {BOB}, set()]


@pytest.mark.parametrize("table", OPEN, ids=lambda table: table.name)
def test_rows_of_another_user_can_be_neither_made_nor_taken(connection: psycopg.Connection, table: Table) -> None:
    become(connection, ALICE)
    statement = f"UPDATE {table.name} SET user_id = user_id WHERE user_id = '{BOB}'"
    assert connection.execute(cast("LiteralString", statement)).rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
        add_row(connection, table, BOB)
    with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
        connection.execute(cast("LiteralString", f"UPDATE {table.name} SET user_id = '{BOB}'"))


@pytest.mark.parametrize("value", ["", "not a user"])
def test_a_user_setting_of_nonsense_shows_nothing(connection: psycopg.Connection, value: str) -> None:
    connection.execute(cast("LiteralString", f"SET LOCAL memd.user_id = '{value}'"))
    if value:
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            connection.execute("SELECT count(*) FROM memory")
    else:
        assert connection.execute("SELECT count(*) FROM memory").fetchone() == (0,)


def test_a_key_is_found_by_its_hash_alone_and_only_while_it_lives(connection: psycopg.Connection, walled: str) -> None:
    with psycopg.connect(walled) as owner:
        [hashed] = owner.execute("UPDATE api_key SET active = true RETURNING key_hash").fetchall()[:1]
        owner.execute("UPDATE app_user SET active = true")
    assert len(connection.execute("SELECT * FROM memd_find_key(%s)", hashed).fetchall()) == 1
    assert connection.execute("SELECT * FROM memd_find_key('%')").fetchall() == []
    with psycopg.connect(walled) as owner:
        owner.execute("UPDATE app_user SET active = false")
    assert connection.execute("SELECT * FROM memd_find_key(%s)", hashed).fetchall() == []
