"""Whether the logins of requests and of jobs have excess privileges (see `memd.db.schema.logins`)."""

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from psycopg.rows import class_row

from memd.db.errors import ServerRequirementsError
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE, Logins

_FACTS = """
SELECT quote_ident(login.rolname) AS name, login.rolsuper OR login.rolbypassrls AS unbound,
       login.rolcreaterole OR login.rolcreatedb OR login.rolreplication AS powerful,
       EXISTS (SELECT FROM pg_class WHERE relowner = login.oid) AS owner,
       ARRAY(SELECT rolname::text FROM pg_roles r
             WHERE rolname IN ('memd_app', 'memd_system') AND pg_has_role(login.oid, r.oid, 'MEMBER')) AS roles
FROM pg_roles login WHERE login.rolname = session_user
"""


@dataclass(frozen=True, slots=True)
class LoginFacts:
    """The privileges of a login: `unbound` by row policies, `powerful` over the server, `owner` of tables, member of `roles`."""

    name: str
    unbound: bool
    powerful: bool
    owner: bool
    roles: list[str]


def login_facts(conninfo: str) -> LoginFacts:
    """The privileges of the login of a conninfo on its server."""
    with (
        psycopg.connect(conninfo, autocommit=True) as connection,
        connection.cursor(row_factory=class_row(LoginFacts)) as cursor,
    ):
        facts = cursor.execute(_FACTS).fetchone()
    if facts is None:
        raise ServerRequirementsError(["the login is not among the roles of the server"])
    return facts


def check_logins(logins: Logins) -> None:
    """Return when the separate logins are each bound to their role, else raise ServerRequirementsError."""
    found: list[str] = []
    for login, role, variable in (
        (logins.app, APP_ROLE, "MEMD_DATABASE_APP_URL"),
        (logins.system, SYSTEM_ROLE, "MEMD_DATABASE_SYSTEM_URL"),
    ):
        if login.role is None:
            found += [f"{variable}: {problem}" for problem in problems_of(login_facts(login.conninfo), role)]
    if found:
        raise ServerRequirementsError(found)


def problems_of(facts: LoginFacts, role: str) -> Iterator[str]:
    """One sentence for each privilege that the login of `role` has in excess or lacks."""
    if facts.unbound:
        yield f"row policies do not bind {facts.name}: ALTER ROLE {facts.name} NOSUPERUSER NOBYPASSRLS;"
    if facts.powerful:
        yield f"{facts.name} has power over the server: ALTER ROLE {facts.name} NOCREATEROLE NOCREATEDB NOREPLICATION;"
    if facts.owner:
        yield f"{facts.name} owns tables; name a login that owns none, such as {role} itself"
    if role not in facts.roles:
        yield f"{facts.name} is not a member of {role}: GRANT {role} TO {facts.name};"
    if not facts.unbound and (others := [other for other in facts.roles if other != role]):
        yield f"{facts.name} may also act as {others[0]}: REVOKE {others[0]} FROM {facts.name};"
