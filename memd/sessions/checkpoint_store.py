"""The SQL of checkpoints."""

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Json

from memd.db.advisory_locks import Seed
from memd.db.session import OwnerSession, ReadSession, WriteSession
from memd.db.sql.scope import channel_condition
from memd.domain.visibility.scoping import VisibleScopes

if TYPE_CHECKING:
    from memd.sessions.tables import Checkpoint


class ListedCheckpoint(NamedTuple):
    """A checkpoint without its memories."""

    id: UUID
    label: str
    description: str | None
    created_at: int
    created_by: str
    channel: str | None
    session_key: str | None
    semantic_summary: str | None
    tags: list[str]
    memory_count: int


class StoredCheckpoint(NamedTuple):
    """A checkpoint with its memories, each under the names of contract 4."""

    id: UUID
    label: str
    description: str | None
    created_at: int
    created_by: str
    channel: str | None
    session_key: str | None
    semantic_summary: str | None
    tags: list[str]
    memory_count: int
    memory_snapshot: list[dict[str, Any]]


_COLUMNS = ", ".join(StoredCheckpoint._fields)
_LISTED = ", ".join(ListedCheckpoint._fields)


async def lock(session: WriteSession) -> None:
    """Serialize writers of one user's checkpoints until the transaction ends."""
    await session.execute(
        f"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, {Seed.NAMED}))",
        {"key": f"checkpoints:{session.user_id}"},
    )


async def count(session: ReadSession) -> int:
    """How many checkpoints the user has."""
    return await session.value(
        "SELECT count(*)::int FROM checkpoint WHERE user_id = %(user)s", {"user": session.user_id}
    )


async def insert_checkpoint(session: WriteSession, row: "Checkpoint") -> None:
    """Add a checkpoint."""
    await session.execute(*row.insertion(memory_snapshot=Json(row.memory_snapshot)))


async def newest(session: ReadSession, scopes: VisibleScopes, limit: int) -> list[ListedCheckpoint]:
    """The newest checkpoints; with a channel, those that memories of the same channels would be seen with."""
    params: dict[str, Any] = {"user": session.user_id, "limit": limit}
    seen = "true" if scopes.request.q is None else channel_condition(scopes.memory, "channel", params)
    return await session.rows(
        ListedCheckpoint,
        f"""
        SELECT {_LISTED} FROM checkpoint WHERE user_id = %(user)s AND {seen}
        ORDER BY created_at DESC, id DESC LIMIT %(limit)s
        """,
        params,
    )


async def find(session: OwnerSession, checkpoint_id: UUID) -> StoredCheckpoint | None:
    """A checkpoint of the user with its memories."""
    return await session.row(
        StoredCheckpoint,
        f"SELECT {_COLUMNS} FROM checkpoint WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": checkpoint_id},
    )


async def delete(session: WriteSession, checkpoint_id: UUID) -> bool:
    """Remove a checkpoint; returns whether there was one."""
    touched = await session.execute(
        "DELETE FROM checkpoint WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": checkpoint_id},
    )
    return touched == 1
