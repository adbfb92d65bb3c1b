"""The SQL of turns: the one row that makes a second delivery a no-op, and the messages behind it."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, ReadSession, WriteSession


class StoredTurn(NamedTuple):
    """A turn with the ids of its messages in their order."""

    turn_id: str
    session_key: str
    channel: str
    message_ids: list[UUID]


class _Spoken(NamedTuple):
    id: UUID
    role: str


class _Logged(NamedTuple):
    role: str
    id: UUID


async def claim(session: WriteSession, turn_id: str, session_key: str, channel: str, now: int) -> StoredTurn | None:
    """None when this delivery is the first, else the stored turn; parallel ones wait here until the first has ended."""
    while True:
        added = await session.execute(
            """
            INSERT INTO turn (user_id, turn_id, session_key, channel, created_at)
            VALUES (%(user)s, %(turn)s, %(session)s, %(channel)s, %(now)s) ON CONFLICT DO NOTHING
            """,
            {"user": session.user_id, "turn": turn_id, "session": session_key, "channel": channel, "now": now},
        )
        if added:
            return None
        stored = await find(session, turn_id)
        if stored is not None:  # else it was erased in between
            return stored


async def attach(session: WriteSession, turn_id: str, message_ids: Sequence[UUID], most: int) -> int:
    """Name the messages of a turn, in their order; how many of the user's messages extraction has not read, up to `most`."""
    return await session.value(
        """
        UPDATE turn SET message_ids = %(ids)s WHERE user_id = %(user)s AND turn_id = %(turn)s
        RETURNING (SELECT count(*)::int FROM (
            SELECT FROM message
            WHERE user_id = %(user)s AND extracted_at IS NULL AND extraction_skipped_reason IS NULL LIMIT %(most)s
        ) unread)
        """,
        {"user": session.user_id, "turn": turn_id, "ids": list(message_ids), "most": most},
    )


async def find(session: ReadSession, turn_id: str) -> StoredTurn | None:
    """The stored turn."""
    return await session.row(
        StoredTurn,
        """
        SELECT turn_id, session_key, channel, message_ids FROM turn
        WHERE user_id = %(user)s AND turn_id = %(turn)s
        """,
        {"user": session.user_id, "turn": turn_id},
    )


async def roles(session: OwnerSession, message_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Who spoke each of a turn's messages; the expired ones are missing. A caller that may see a turn may see its parts."""
    rows = await session.rows(
        _Spoken,
        "SELECT id, role FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(message_ids)},
    )
    return dict(rows)


async def logged_before(session: WriteSession, turn_id: str) -> dict[str, UUID]:
    """The messages of a turn that `log` has stored already, by role: the user's words at index 0, the assistant's at 1."""
    rows = await session.rows(
        _Logged,
        """
        SELECT DISTINCT ON (role) role, id FROM message
        WHERE user_id = %(user)s AND turn_id = %(turn)s
          AND (turn_message_index, role) IN ((0, 'user'), (1, 'assistant'))
        ORDER BY role, created_at, id
        """,
        {"user": session.user_id, "turn": turn_id},
    )
    return dict(rows)
