"""The Postgres logins of memd: one for requests, one for jobs and administration, one that owns the tables.

The first two are not superusers and own nothing, so a statement injected into one of their sessions has no other role
to return to. An outside server (MEMD_DATABASE_URL) offers them when MEMD_DATABASE_APP_URL and MEMD_DATABASE_SYSTEM_URL
name them; with the owner's login alone, sessions take the roles by SET ROLE, which is weaker.
"""

from dataclasses import dataclass, replace
from typing import Final

from psycopg.conninfo import make_conninfo

SYSTEM_CONNECTIONS = 6
"""Connections of each process as the system login, for jobs and administration; requests rarely need one."""
APP_ROLE: Final = "memd_app"
SYSTEM_ROLE: Final = "memd_system"


@dataclass(frozen=True, slots=True)
class Login:
    """A conninfo, and the role to take after connecting; None when the login itself is bound by that role's grants.

    A `pooled` one leads to a proxy that may give every transaction another connection to the server, so nothing is set
    for a session: the role and all settings go with each transaction (decision 27).
    """

    conninfo: str
    role: str | None = None
    pooled: bool = False


@dataclass(frozen=True, slots=True)
class Logins:
    """The logins of one database: `owner` is a conninfo for migrations and index builds."""

    owner: str
    app: Login
    system: Login


def separate_logins(owner: str, app: str, system: str) -> Logins:
    """Three logins, each with separate rights."""
    return Logins(owner, Login(app), Login(system))


def embedded_logins(owner: str) -> Logins:
    """The logins of the embedded server, whose roles may log in by their names."""
    return separate_logins(owner, make_conninfo(owner, user=APP_ROLE), make_conninfo(owner, user=SYSTEM_ROLE))


def behind_proxy(logins: Logins, proxy: str) -> Logins:
    """The same logins with requests on a proxy that pools transactions; jobs, locks and migrations need the server itself."""
    return replace(logins, app=Login(proxy, logins.app.role, pooled=True))


def shared_login(owner: str) -> Logins:
    """One login for everything, which takes the role that it works under."""
    return Logins(owner, Login(owner, APP_ROLE), Login(owner, SYSTEM_ROLE))
