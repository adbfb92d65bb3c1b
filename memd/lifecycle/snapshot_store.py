"""The SQL of sessions that have gone quiet."""

from typing import Final, NamedTuple
from uuid import UUID

from memctl.wire.limits import SNAPSHOT_MESSAGES_MAX
from memd.db.session import OwnerSession
from memd.domain.schedule.clock_jump import TOLERANCE_MS

NAME_BYTES: Final = 2_600
"""Bytes of a session key and a channel together that the unique index of automatic snapshots can hold."""


class QuietSession(NamedTuple):
    """A session without a new message for a while."""

    session_key: str
    channel: str | None


class SessionMessage(NamedTuple):
    """A message of a session; `timestamp` and `expires_at` in epoch ms."""

    id: UUID
    role: str
    content: str
    timestamp: int
    speaker: str | None
    expires_at: int


async def quiet_sessions(session: OwnerSession, since: int, until: int, now: int, limit: int) -> list[QuietSession]:
    """Sessions whose last message, of `since` or later, came at `until` (epoch ms) or before and is in no automatic snapshot.

    Without room for one in the storage quota a session is summarised again by each run. One whose key and channel are
    too long together has no automatic snapshot. What came, or was kept, long after `now` is by a clock that was ahead.
    """
    last = "coalesce(max(m.created_at) FILTER (WHERE m.created_at <= %(ahead)s), 0)"
    return await session.rows(
        QuietSession,
        f"""
        SELECT m.session_key, m.channel FROM message m
        WHERE m.user_id = %(user)s AND m.session_key IS NOT NULL
          AND m.timestamp >= %(since)s AND octet_length(m.session_key) + octet_length(coalesce(m.channel, '')) <= %(bytes)s
        GROUP BY m.session_key, m.channel
        HAVING {last} <= %(until)s AND NOT EXISTS (
            SELECT FROM snapshot s
            WHERE s.user_id = %(user)s AND s.session_key = m.session_key
              AND coalesce(s.channel, '') = coalesce(m.channel, '') AND s.automatic
              AND s.created_at BETWEEN {last} AND %(ahead)s)
        ORDER BY max(m.created_at), m.session_key LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "since": since,
            "until": until,
            "ahead": now + TOLERANCE_MS,
            "limit": limit,
            "bytes": NAME_BYTES,
        },
    )


async def session_messages(session: OwnerSession, session_key: str, channel: str | None) -> list[SessionMessage]:
    """The newest 10,000 messages of a session on its channel, oldest first."""
    rows = await session.rows(
        SessionMessage,
        """
        SELECT id, role, content, timestamp, speaker, expires_at FROM message
        WHERE user_id = %(user)s AND session_key = %(session)s AND channel IS NOT DISTINCT FROM %(channel)s
        ORDER BY timestamp DESC, id DESC LIMIT %(limit)s
        """,
        {"user": session.user_id, "session": session_key, "channel": channel, "limit": SNAPSHOT_MESSAGES_MAX},
    )
    return rows[::-1]
