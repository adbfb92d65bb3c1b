"""The SQL of readiness."""

from typing import NamedTuple
from uuid import UUID

from memd.db.schema.distribute import SILENT_NODES
from memd.db.session import Database, SystemSession


async def revision(session: SystemSession) -> str | None:
    """The revision of the database."""
    return await session.value("SELECT version_num FROM alembic_version")


async def current_model(session: SystemSession) -> int | None:
    """The number of the model that a memd which starts now has to use; None before the first."""
    return await session.value("SELECT max(id) FROM embedding_model WHERE current")


class _Key(NamedTuple):
    id: UUID


async def silent_nodes(session: SystemSession) -> list[str]:
    """The nodes of a cluster that do not answer, as host:port; none on a single server."""
    if not session.connection.distributed:
        return []
    return await session.values(SILENT_NODES)


async def requests_are_served(database: Database) -> None:
    """Run a statement with the login of requests; any failure is raised."""
    await database.look_up(_Key, "SELECT id FROM memd_find_key(%(hash)s)", {"hash": ""})
