"""`memd audit verify` and `memd audit head`: the operator's proof that no entry was changed or removed."""

import psycopg

from memd.audit.chain_store import stored_chain, stored_head
from memd.db.errors import DatabaseStartError
from memd.db.schema.migrate import current
from memd.domain.accounts.audit_chain import BrokenChainError, Link, Verified, verify
from memd.resources import reachable_database
from memd.settings import Settings


class AuditError(DatabaseStartError):
    """The chain is broken, or there is none; the text says which."""


def verify_log(settings: Settings, expected: Link | None = None) -> Verified:
    """Check every stored entry in one snapshot; AuditError at the first fault."""
    with reachable_database(settings) as conninfo, _connected(conninfo) as connection:
        try:
            return verify(stored_chain(connection), stored_head(connection), expected)
        except BrokenChainError as error:
            raise AuditError(f"the audit log was tampered with: {error}") from error


def head(settings: Settings) -> Link:
    """The last link, to be noted outside of the database."""
    with reachable_database(settings) as conninfo, _connected(conninfo) as connection:
        return stored_head(connection)


def _connected(conninfo: str) -> psycopg.Connection:
    """A connection that reads one snapshot of a database with an audit log."""
    if current(conninfo) is None:
        raise AuditError("the database has no memd schema yet; there is no audit log")
    connection = psycopg.connect(conninfo)
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    return connection
