"""The migrations make exactly the tables that the code declares, and the wall around them."""

from collections.abc import Iterator

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from psycopg import sql
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.catalogue import METADATA
from memd.db.schema.migrate import current, head, migrate
from memd.db.schema.upgrade import NEWEST
from tests.support.postgres import empty_database

WITHOUT_USERS = {
    "audit_entry",
    "audit_head",
    "device_request",
    "device_session",
    "embedding_model",
    "erasure",
    "schedule_run",
    "service_fact",
}


@pytest.fixture(scope="module")
def migrated(embedded_postgres: EmbeddedPostgres) -> Iterator[str]:
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        yield conninfo


def test_migrated_database_equals_the_declared_tables(migrated: str) -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(migrated), poolclass=NullPool)
    own = set(METADATA.tables)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_name": lambda name, kind, _parents: kind != "table" or name in own}
        )
        assert compare_metadata(context, METADATA) == []


def test_migrating_again_changes_nothing(migrated: str) -> None:
    assert migrate(migrated) == head() == current(migrated) == NEWEST


def test_every_table_of_users_has_a_row_policy(migrated: str) -> None:
    with psycopg.connect(migrated) as connection:
        walled = {
            row[0]
            for row in connection.execute(
                "SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid "
                "WHERE c.relrowsecurity AND p.polname = 'own_rows'"
            )
        }
    assert walled == set(METADATA.tables) - WITHOUT_USERS


def test_no_row_policy_has_a_subquery(migrated: str) -> None:
    with psycopg.connect(migrated) as connection:
        policies = connection.execute(
            "SELECT tablename, concat(qual, with_check) FROM pg_policies WHERE schemaname = 'public' ORDER BY tablename"
        ).fetchall()
    assert policies
    assert [table for table, condition in policies if "SELECT" in condition] == []


@pytest.mark.parametrize("table", sorted(METADATA.tables))
def test_the_application_role_sees_no_row_without_a_user(migrated: str, table: str) -> None:
    with psycopg.connect(migrated, user="memd_app") as connection:
        column = sql.SQL("1" if table in WITHOUT_USERS else "user_id")
        found = sql.SQL("SELECT {} FROM {}").format(column, sql.Identifier(table))
        if table in WITHOUT_USERS | {"app_user"}:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(found)
        else:
            assert connection.execute(found).fetchall() == []
