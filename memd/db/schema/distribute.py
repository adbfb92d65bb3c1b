"""Distributing the tables of users over the nodes of a Citus cluster: `memd migrate --distribute`.

Every table that has a `user_id` is distributed by it and placed with the others, so that all rows of a user are on one
node and each statement of a request runs there. Tables that are read before the user is known, or over all users, stay
on the coordinator (`LOCAL`).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import psycopg
from psycopg import sql

from memd.db.errors import ServerRequirementsError
from memd.db.schema.leakproof import MARK_LEAKPROOF, is_leakproof
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE

SHARDS: Final = 32
LOCAL: Final[Mapping[str, str]] = {
    "api_key": "a key is found by its hash, before its user is known",
    "app_user": "an account is read together with its keys, and new users must not wait for a node",
    "audit_entry": "one chain over all users",
    "device_request": "a request has no user before it is approved",
    "embedding_use": "a budget is spent in one function with the account it belongs to",
    "erasure": "an erasure outlives its user and is found by its own id",
}
"""Tables with a `user_id` that stay on the coordinator, each with the reason."""
_FIRST = "totals"
"""The table that the others are placed with."""
_TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname <> %s, c.relname
"""
_PLACED = "SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'h'"
_LOCAL_COPIES = """
SELECT logicalrelid::regclass::text FROM pg_dist_partition
WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0 ORDER BY 1
"""
"""Distributed tables whose own file on the coordinator, which no statement reads any more, still has pages."""
_WORKERS = "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'"
_FORCED = "SELECT oid::regclass::text FROM pg_class WHERE oid = ANY(%s::regclass[]) AND relforcerowsecurity ORDER BY 1"
SILENT_NODES: Final = (
    "SELECT nodename || ':' || nodeport FROM run_command_on_workers('SELECT 1') WHERE NOT success ORDER BY 1"
)
"""The nodes that do not answer the coordinator, as host:port."""
_MARK_ON_WORKERS = f"""
SELECT nodename || ':' || nodeport, result FROM run_command_on_workers('{MARK_LEAKPROOF}')
JOIN pg_dist_node USING (nodename, nodeport)
WHERE NOT success
"""


def distribute(conninfo: str, shards: int, say: Callable[[str], None]) -> None:
    """Distribute the remaining tables of a migrated database, and report each step; rows move with their tables.

    Safe to run again, also after an interruption. Writes to a table wait while its rows move, so no memd should run.
    ServerRequirementsError when the database is not the coordinator of a cluster with nodes that take rows.
    """
    with psycopg.connect(conninfo, autocommit=True) as connection:
        _check_cluster(connection)
        for table in local_copies(connection):
            _remove_local_copy(connection, table)
            say(f"removed the copy of {table} that an interrupted run left on the coordinator")
        waiting = waiting_tables(connection)
        for table in waiting:
            _distribute(connection, table, shards)
            say(f"distributed {table}")
        for table in tables_binding_owner(connection):
            connection.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(sql.Identifier(table)))
            say(f"the row policies of {table} no longer bind its owner")
        for line in _mark_nodes(connection):
            say(line)
        for role in _roles_without_login(connection):
            say(f"nodes log in to each other by it: ALTER ROLE {role} LOGIN;")
        say(
            f"{len(waiting)} tables distributed, {len(_placed(connection))} in all; on the coordinator: {', '.join(LOCAL)}"
        )


def user_tables(connection: psycopg.Connection) -> list[str]:
    """The tables to distribute, the one that the others are placed with first."""
    found = connection.execute(_TABLES, [_FIRST]).fetchall()
    return [name for (name,) in found if name not in LOCAL]


def waiting_tables(connection: psycopg.Connection) -> list[str]:
    """The tables of users that are not distributed yet."""
    placed = _placed(connection)
    return [table for table in user_tables(connection) if table not in placed]


def local_copies(connection: psycopg.Connection) -> list[str]:
    """The distributed tables whose rows are on the coordinator too: a run was interrupted before it removed them."""
    return [table for (table,) in connection.execute(_LOCAL_COPIES).fetchall()]


def tables_binding_owner(connection: psycopg.Connection) -> list[str]:
    """The distributed tables whose row policies bind the owner too, so that their shards cannot move under writes.

    Citus copies a shard by logical replication as the owner, and Postgres refuses to replicate into a table whose
    policies apply to that role: the move would wait for ever.
    """
    return [table for (table,) in connection.execute(_FORCED, [list(_placed(connection))]).fetchall()]


def _check_cluster(connection: psycopg.Connection) -> None:
    if connection.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
        raise ServerRequirementsError(["Citus is not installed in this database: CREATE EXTENSION citus;"])
    row = connection.execute(_WORKERS).fetchone()
    if row is None or not row[0]:
        raise ServerRequirementsError(
            ["no node of the cluster takes rows; on the coordinator: SELECT citus_add_node('host', 5432);"]
        )


def _placed(connection: psycopg.Connection) -> set[str]:
    return {name for (name,) in connection.execute(_PLACED).fetchall()}


def _distribute(connection: psycopg.Connection, table: str, shards: int) -> None:
    """Copy one table to the nodes, then remove its rows from the coordinator; Citus requires two transactions for this.

    A shard of an unlogged table cannot be moved while it is in use, so the table becomes a logged one.
    """
    row = connection.execute("SELECT relpersistence::text FROM pg_class WHERE oid = %s::regclass", [table]).fetchone()
    if row is not None and row[0] == "u":
        connection.execute(sql.SQL("ALTER TABLE {} SET LOGGED").format(sql.Identifier(table)))
    if table == _FIRST:
        connection.execute("SELECT create_distributed_table(%s, 'user_id', shard_count => %s)", [table, shards])
    else:
        connection.execute("SELECT create_distributed_table(%s, 'user_id', colocate_with => %s)", [table, _FIRST])
    _remove_local_copy(connection, table)


def _remove_local_copy(connection: psycopg.Connection, table: str) -> None:
    connection.execute("SELECT truncate_local_data_after_distributing_table(%s)", [table])
    connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table)))


def _roles_without_login(connection: psycopg.Connection) -> list[str]:
    found = connection.execute(
        "SELECT rolname FROM pg_roles WHERE rolname = ANY(%s) AND NOT rolcanlogin ORDER BY 1", [[APP_ROLE, SYSTEM_ROLE]]
    )
    return [name for (name,) in found.fetchall()]


def _mark_nodes(connection: psycopg.Connection) -> Iterator[str]:
    """Give the workers the LEAKPROOF mark that the coordinator has; a line for each that refuses."""
    if is_leakproof(connection):
        for node, reason in connection.execute(_MARK_ON_WORKERS).fetchall():
            yield f"{node} searches words without its index: {reason}"
