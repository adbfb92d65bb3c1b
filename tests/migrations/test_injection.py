"""A statement injected into a session of memd finds no way out of its role, and little inside it."""

from collections.abc import Iterator
from typing import LiteralString, cast
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from memd.context import Services
from tests.support.service import TestUser

ESCAPES = (
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "COPY (SELECT 1) TO '/tmp/memd-injected'",
    "CREATE TEMP TABLE loot (line text); COPY loot FROM PROGRAM 'id'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE memory NO FORCE ROW LEVEL SECURITY",
    "DROP POLICY own_rows ON memory",
    "CREATE TABLE public.mine (x int)",
    "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE ROLE intruder LOGIN",
    "ALTER ROLE memd_app BYPASSRLS",
    "GRANT memd_system TO memd_app",
    "TRUNCATE memory",
    "UPDATE alembic_version SET version_num = ''",
    "ALTER DATABASE memd SET log_statement = 'all'",
    "SET log_statement = 'all'",
    "SELECT * FROM pg_authid",
)
BEYOND_THE_APPLICATION = (
    "SET ROLE memd_system",
    "SET LOCAL ROLE memd_system",
    "SELECT * FROM app_user",
    "UPDATE app_user SET admin = true",
    "UPDATE app_user SET tier = 'unlimited', policy = 'self_hosted_unmetered'",
    "SELECT key_hash FROM api_key",
    "INSERT INTO api_key (user_id, id, key_hash, scopes, created_at) SELECT memd_user(), memd_user(), 'x', '{admin}', 1",
    "UPDATE api_key SET scopes = '{read,write,admin}'",
    "UPDATE api_key SET expires_at = NULL, active = true",
    "DELETE FROM api_key",
    "UPDATE audit_row SET action = 'nothing'",
    "DELETE FROM audit_row",
    "SELECT * FROM procrastinate_jobs",
    "INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('default', 'cleanup')",
    "SELECT procrastinate_fetch_job_v2(ARRAY['default'], 1)",
    "SELECT memd_add_jobs('[]', NULL)",
    "SELECT * FROM device_session",
)


@pytest.fixture
def injected(services: Services, user: TestUser) -> Iterator[psycopg.Connection]:
    """A session of requests in the middle of a transaction of this user; nothing of it is kept."""
    with psycopg.connect(services.database.pools.logins.app.conninfo) as connection:
        become(connection, user.id)
        yield connection
        connection.rollback()


@pytest.fixture
def injected_system(services: Services) -> Iterator[psycopg.Connection]:
    with psycopg.connect(services.database.pools.logins.system.conninfo) as connection:
        yield connection
        connection.rollback()


def become(connection: psycopg.Connection, user: UUID) -> None:
    connection.execute(cast("LiteralString", f"SET LOCAL memd.user_id = '{user}'"))


def run(connection: psycopg.Connection, statement: str) -> None:
    """The statement after everything that gives a role back."""
    connection.execute("RESET ROLE; RESET SESSION AUTHORIZATION; SET ROLE NONE")
    connection.execute(cast("LiteralString", statement))


@pytest.mark.parametrize("statement", [*ESCAPES, *BEYOND_THE_APPLICATION])
def test_a_session_of_requests_has_no_way_out(injected: psycopg.Connection, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(injected, statement)


@pytest.mark.parametrize("statement", [*ESCAPES, "UPDATE audit_row SET action = ''", "DELETE FROM audit_row"])
def test_a_session_of_jobs_and_administration_has_no_way_out(
    injected_system: psycopg.Connection, statement: str
) -> None:
    with pytest.raises(InsufficientPrivilege):
        run(injected_system, statement)


def test_the_queue_takes_jobs_of_the_own_user_only(injected: psycopg.Connection, user: TestUser) -> None:
    injected.execute("""SELECT memd_add_own_jobs(jsonb_build_array(jsonb_build_object(
        'kind', 'embed', 'payload', jsonb_build_object('user_id', gen_random_uuid()), 'priority', 0)))""")
    become(injected, uuid4())
    injected.execute("SELECT memd_add_own_jobs('[]')")
    injected.execute("SET LOCAL memd.user_id = ''")
    with pytest.raises(InsufficientPrivilege):
        injected.execute("SELECT memd_add_own_jobs('[]')")
