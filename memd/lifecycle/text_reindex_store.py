"""The SQL that finds rows of an earlier text analysis."""

from uuid import UUID

from memd.db.session import SystemSession, WriteSession
from memd.domain.text_analysis.analysis import VERSION
from memd.messages.text_index_store import MessageText

_OUTDATED = f"index_version < {VERSION}"


async def users_with_outdated(session: SystemSession) -> list[UUID]:
    """Active users with rows that have to be indexed anew."""
    rows = await session.rows(
        f"""
        SELECT user_id FROM app_user u WHERE active AND (
            EXISTS (SELECT FROM memory_index i WHERE i.user_id = u.user_id AND i.{_OUTDATED})
            OR EXISTS (SELECT FROM message_index i WHERE i.user_id = u.user_id AND i.{_OUTDATED}))
        ORDER BY user_id
        """
    )
    return [row["user_id"] for row in rows]


async def outdated_memories(session: WriteSession, after: UUID, limit: int) -> list[UUID]:
    """Memories and chunks, archived ones too, that have to be indexed anew, by id, behind `after`."""
    rows = await session.rows(
        f"""
        SELECT memory_id FROM memory_index WHERE user_id = %(user)s AND {_OUTDATED} AND memory_id > %(after)s
        ORDER BY memory_id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "limit": limit},
    )
    return [row["memory_id"] for row in rows]


async def outdated_messages(session: WriteSession, after: UUID, limit: int) -> list[MessageText]:
    """Messages that have to be indexed anew, by id, behind `after`."""
    rows = await session.rows(
        f"""
        SELECT m.id, m.timestamp, m.speaker, m.role, m.content
        FROM message_index i JOIN message m ON m.user_id = i.user_id AND m.id = i.message_id
        WHERE i.user_id = %(user)s AND i.{_OUTDATED} AND i.message_id > %(after)s
        ORDER BY i.message_id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "limit": limit},
    )
    return [MessageText(**row) for row in rows]
