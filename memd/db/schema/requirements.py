"""Whether a server of the user's own (MEMD_DATABASE_URL) can serve memd, asked before the first migration.

PostgreSQL 15 or newer in UTF-8, pgvector 0.8 or newer, and a login that may act as the two roles that row-level
security binds: it is a member of them, or may create them. Everything missing is reported at once, with the SQL that
provides it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import class_row

from memd.db.errors import ServerRequirementsError
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE

POSTGRES_MINIMUM = 150_000
PGVECTOR_MINIMUM = (0, 8)
ROLES = (APP_ROLE, SYSTEM_ROLE)

POOLED = (
    "MEMD_DATABASE_URL leads through a proxy that pools transactions, and jobs and migrations need sessions; "
    "name the server itself there, and the proxy in MEMD_DATABASE_POOL_URL"
)
_PID = "SELECT pg_backend_pid()"
_SERVER = """
SELECT current_setting('server_version_num')::int AS version,
       current_setting('server_encoding') AS encoding,
       quote_ident(current_database()) AS database,
       quote_ident(session_user) AS login,
       login.rolsuper AS superuser,
       login.rolcreaterole AS creates_roles,
       has_database_privilege(session_user, current_database(), 'CREATE') AS creates_objects,
       has_schema_privilege(session_user, 'public', 'CREATE') AS creates_tables,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
       (SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'vector' AND NOT n.nspname = ANY (current_schemas(true))) AS unreachable,
       pgvector.version AS available,
       coalesce(pgvector.trusted, false) AS trusted
FROM pg_roles login
LEFT JOIN LATERAL (
    SELECT version, trusted FROM pg_available_extension_versions
    WHERE name = 'vector' AND version = (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')
) pgvector ON true
WHERE login.rolname = session_user
"""

_ROLES = """
SELECT rolname AS name,
       pg_has_role(session_user, oid,
                   CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS usable,
       pg_has_role(session_user, oid, 'MEMBER WITH ADMIN OPTION') AS grantable
FROM pg_roles WHERE rolname = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """Facts about a server, its pgvector (versions as text, None when absent) and our login."""

    version: int
    encoding: str
    database: str
    login: str
    superuser: bool
    creates_roles: bool
    creates_objects: bool
    installed: str | None
    available: str | None
    trusted: bool
    creates_tables: bool = True
    unreachable: str | None = None
    """The schema of pgvector, when it is not on the search path of our login or may not be used by it."""


@dataclass(frozen=True, slots=True)
class RoleFacts:
    """A role that exists: whether our login may act as it, and whether it may grant itself that."""

    name: str
    usable: bool
    grantable: bool


async def check_session(conninfo: str) -> None:
    """Raise ServerRequirementsError when a proxy in between gives one server connection to several clients.

    Seen by a transaction that gets the connection on which another open client has just run a statement.
    """
    async with await AsyncConnection.connect(conninfo, autocommit=True) as connection:
        before = await (await connection.execute(_PID)).fetchone()
        if before == (connection.info.backend_pid,):  # a proxy invents the number that it gives to its clients
            return
        async with await AsyncConnection.connect(conninfo, autocommit=True) as other:
            shared = await (await other.execute(_PID)).fetchone() == before
    if shared:
        raise ServerRequirementsError([POOLED])


async def check_server(connection: AsyncConnection[Any]) -> None:
    """Return when the server behind this connection can serve memd, else raise ServerRequirementsError.

    Ask with the login itself, before any SET ROLE. For an old server only its version is reported: its catalogue lacks
    the rest.
    """
    version = connection.info.server_version
    if version < POSTGRES_MINIMUM:
        needed = f"{POSTGRES_MINIMUM // 10_000} or newer"
        raise ServerRequirementsError([f"it is PostgreSQL {version // 10_000}; memd needs PostgreSQL {needed}"])
    await connection.execute("SET client_encoding = 'UTF8'")  # psycopg reads text of SQL_ASCII as bytes otherwise
    async with connection.cursor(row_factory=class_row(ServerFacts)) as cursor:
        server = await (await cursor.execute(_SERVER)).fetchone()
    async with connection.cursor(row_factory=class_row(RoleFacts)) as cursor:
        roles = await (await cursor.execute(_ROLES, [list(ROLES)])).fetchall()
    if server is not None and (missing := missing_of(server, roles)):
        raise ServerRequirementsError(missing)


def missing_of(server: ServerFacts, roles: Sequence[RoleFacts]) -> list[str]:
    """One sentence for each missing requirement, with the SQL that provides it; empty when nothing is missing."""
    found = (
        _encoding(server),
        _schema(server),
        _pgvector(server),
        _search_path(server),
        *(_role(name, server, roles) for name in ROLES),
    )
    return [sentence for sentence in found if sentence is not None]


def _encoding(server: ServerFacts) -> str | None:
    if server.encoding == "UTF8":
        return None
    return (
        f"the database {server.database} is encoded in {server.encoding}; create one in UTF-8: "
        f"CREATE DATABASE memd OWNER {server.login} ENCODING 'UTF8' TEMPLATE template0;"
    )


def _schema(server: ServerFacts) -> str | None:
    if server.creates_tables:
        return None
    return (
        f"{server.login} may not create tables in the schema public of {server.database}; "
        f"as its owner: GRANT CREATE ON SCHEMA public TO {server.login};"
    )


def _search_path(server: ServerFacts) -> str | None:
    if server.unreachable is None:
        return None
    schema = server.unreachable
    return (
        f"pgvector is in the schema {schema}, which {server.login} does not search; as its owner: "
        f"GRANT USAGE ON SCHEMA {schema} TO PUBLIC; ALTER DATABASE {server.database} SET search_path = public, {schema};"
    )


def _pgvector(server: ServerFacts) -> str | None:
    needed = ".".join(map(str, PGVECTOR_MINIMUM))
    if server.installed is not None and _version(server.installed) >= PGVECTOR_MINIMUM:
        return None
    if server.available is None or _version(server.available) < PGVECTOR_MINIMUM:
        offered = "no pgvector" if server.available is None else f"only pgvector {server.available}"
        return (
            f"it offers {offered}; install pgvector {needed} or newer on the server's machine "
            f"(package postgresql-{server.version // 10_000}-pgvector)"
        )
    if server.installed is not None:
        return (
            f"the database {server.database} has pgvector {server.installed}, memd needs {needed} or newer; "
            "as the extension's owner: ALTER EXTENSION vector UPDATE;"
        )
    if server.superuser or (server.trusted and server.creates_objects):
        return None
    return (
        f"pgvector is not installed in the database {server.database}, and {server.login} may not install it; "
        "as a superuser in that database: CREATE EXTENSION vector;"
    )


def _role(name: str, server: ServerFacts, roles: Sequence[RoleFacts]) -> str | None:
    role = next((each for each in roles if each.name == name), None)
    grant = f"GRANT {name} TO {server.login};"
    if role is None:
        if server.superuser or server.creates_roles:
            return None
        return (
            f"the role {name} does not exist, and {server.login} may not create it; "
            f"as a superuser: CREATE ROLE {name} NOLOGIN; {grant}"
        )
    grants_freely = server.creates_roles and server.version < 160_000
    if server.superuser or role.usable or role.grantable or grants_freely:
        return None
    return f"{server.login} is not a member of the role {name}; as a superuser: {grant}"


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])
