"""The SQL of snapshots."""

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Json

from memd.db.advisory_locks import Seed
from memd.db.session import OwnerSession, ReadSession, WriteSession
from memd.db.sql.scope import channel_condition
from memd.domain.visibility.scoping import VisibleScopes

if TYPE_CHECKING:
    from memd.sessions.tables import Snapshot


class ListedSnapshot(NamedTuple):
    """A snapshot without its messages; `created_at` (epoch ms) is when it was last replaced."""

    id: UUID
    session_key: str
    channel: str | None
    message_count: int
    total_tokens: int
    reason: str
    created_at: int


class StoredSnapshot(NamedTuple):
    """A snapshot with its messages."""

    id: UUID
    session_key: str
    channel: str | None
    message_count: int
    total_tokens: int
    reason: str
    created_at: int
    messages: list[dict[str, Any]]


_LISTED = ", ".join(ListedSnapshot._fields)
_COLUMNS = ", ".join(StoredSnapshot._fields)


async def insert_snapshot(session: WriteSession, row: "Snapshot") -> None:
    """Add a snapshot."""
    await session.execute(*row.insertion(messages=Json(row.messages)))


async def find_automatic(session: WriteSession, session_key: str, channel: str | None) -> UUID | None:
    """The automatic snapshot of a session on its channel; other writers of it wait until the transaction ends."""
    await session.execute(
        f"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, {Seed.NAMED}))",
        {"key": f"snapshot:{session.user_id}:{session_key}:{channel or ''}"},
    )
    return await session.value(
        """
        SELECT id FROM snapshot
        WHERE user_id = %(user)s AND session_key = %(session)s AND coalesce(channel, '') = %(channel)s AND automatic
        """,
        {"user": session.user_id, "session": session_key, "channel": channel or ""},
    )


async def replace_snapshot(session: WriteSession, row: "Snapshot") -> None:
    """Give a snapshot that exists other messages; its id, session and channel stay."""
    await session.execute(
        """
        UPDATE snapshot SET messages = %(messages)s, message_count = %(count)s, total_tokens = %(tokens)s,
                            reason = %(reason)s, created_at = %(created_at)s, expires_at = %(expires_at)s
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {
            "user": session.user_id,
            "id": row.id,
            "messages": Json(row.messages),
            "count": row.message_count,
            "tokens": row.total_tokens,
            "reason": row.reason,
            "created_at": row.created_at,
            "expires_at": row.expires_at,
        },
    )


async def page(
    session: ReadSession, scopes: VisibleScopes, session_key: str | None, before: UUID | None, limit: int
) -> list[ListedSnapshot]:
    """Snapshots of the scope's channels by id, the newest first, those below `before`; of one session or of all."""
    params: dict[str, Any] = {"user": session.user_id, "session": session_key, "before": before, "limit": limit}
    return await session.rows(
        ListedSnapshot,
        f"""
        SELECT {_LISTED} FROM snapshot
        WHERE user_id = %(user)s AND {channel_condition(scopes.messages, "channel", params)}
          AND (%(session)s::text IS NULL OR session_key = %(session)s)
          AND (%(before)s::uuid IS NULL OR id < %(before)s)
        ORDER BY id DESC LIMIT %(limit)s
        """,
        params,
    )


async def find(session: OwnerSession, snapshot_id: UUID) -> StoredSnapshot | None:
    """A snapshot of the user with its messages."""
    return await session.row(
        StoredSnapshot,
        f"SELECT {_COLUMNS} FROM snapshot WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": snapshot_id},
    )


async def remove_expired(session: WriteSession, now: int, limit: int) -> int:
    """Delete snapshots that have expired at `now` (epoch ms); returns how many."""
    return await session.execute(
        """
        DELETE FROM snapshot WHERE user_id = %(user)s AND id = ANY(ARRAY(
            SELECT id FROM snapshot WHERE user_id = %(user)s AND expires_at <= %(now)s
            ORDER BY expires_at, id LIMIT %(limit)s))
        """,
        {"user": session.user_id, "now": now, "limit": limit},
    )
