"""Tables that are distributed by user over the nodes of a Citus cluster.

A connection to the coordinator of a cluster is `distributed`; what such a connection needs in another form than plain
Postgres is decided by that flag, here and in `memd.db.statements`. All rows of a user are on one node, which also has the
row policies, so the setting that names the user has to reach the node: Citus forwards `SET LOCAL`, and nothing else.
"""

from collections.abc import Mapping
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal

_NODE_SETTINGS: Final = ("memd.", "hnsw.")
"""Prefixes of the settings that count where the rows are."""
PROPAGATE: Final[Mapping[str, str]] = {"citus.propagate_set_commands": "local"}
_CUSTOM_PLAN: Final[Mapping[str, str]] = {"plan_cache_mode": "force_custom_plan"}
_INSTALLED = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
_DISTRIBUTED = "SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('memory'))"


async def is_distributed(connection: AsyncConnection[Any]) -> bool:
    """Whether the database is the coordinator of a cluster that holds the tables of memd."""
    for question in (_INSTALLED, _DISTRIBUTED):
        row = await (await connection.execute(question)).fetchone()
        if row is None or not row[0]:
            return False
    return True


def adapt(settings: Mapping[str, str]) -> Mapping[str, str]:
    """Settings for a distributed connection: a generic plan does not know the node of a user, so every plan is custom."""
    return {**settings, **_CUSTOM_PLAN} if settings else settings


def is_of_node(name: str) -> bool:
    """Whether a setting counts on the nodes, not on the coordinator."""
    return name.startswith(_NODE_SETTINGS)


def set_on_nodes(settings: Mapping[str, str]) -> list[tuple[str, dict[str, object]]]:
    """The statements that give a transaction its settings on every node that it reaches; `SET` takes no parameters."""
    return [
        (
            SQL("SET LOCAL {} = {}")
            .format(SQL(".").join(map(Identifier, name.split("."))), Literal(value))
            .as_string(),
            {},
        )
        for name, value in settings.items()
        if is_of_node(name)
    ]
