"""The SQL of extraction: unread messages, and their marks."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, SystemSession, WriteSession
from memd.domain.extraction.conversation_windows import GAP_MS, SETTLE_MS, SourceMessage
from memd.domain.schedule.clock_jump import TOLERANCE_MS
from memd.domain.text_analysis.folding import composed
from memd.domain.types import MessageRole

_NEARBY: Final = """
n.user_id = %(user)s AND n.timestamp BETWEEN s.timestamp - %(earliest)s AND s.timestamp + %(latest)s
AND n.channel IS NOT DISTINCT FROM s.channel AND n.project_id IS NOT DISTINCT FROM s.project_id
AND n.session_key IS NOT DISTINCT FROM s.session_key AND (%(turns)s OR n.turn_id IS NOT DISTINCT FROM s.turn_id)
"""
_UNREAD = "extracted_at IS NULL AND extraction_skipped_reason IS NULL"
_SETTLED: Final = "NOT (message.created_at > %(before)s AND message.created_at <= %(ahead)s)"
"""Received at `before` or earlier; or, by a clock that was ahead, much later than now."""
_MESSAGE = """
id, role, left(content, 8000) AS content, timestamp, created_at, speaker, channel, project_id, session_key, turn_id,
turn_message_index
"""


class _Message(NamedTuple):
    id: UUID
    role: str
    content: str
    timestamp: int
    created_at: int
    speaker: str | None
    channel: str | None
    project_id: str | None
    session_key: str | None
    turn_id: str | None
    turn_message_index: int | None

    def source(self) -> SourceMessage:
        """The message as the rules of extraction take it: with composed accents, as their patterns have them."""
        fields: dict[str, Any] = self._asdict() | {"role": MessageRole(self.role), "content": composed(self.content)}
        return SourceMessage(**fields)


async def users_waiting(session: SystemSession, before: int, limit: int) -> list[UUID]:
    """Active users with unread messages received at `before` (epoch ms) or earlier, those who wait longest first."""
    return await session.values(
        f"""
        SELECT user_id FROM message JOIN app_user USING (user_id)
        WHERE {_UNREAD} AND {_SETTLED} AND app_user.active
        GROUP BY user_id ORDER BY min(message.created_at), user_id LIMIT %(limit)s
        """,
        {"before": before, "ahead": _ahead(before), "limit": limit},
    )


def _ahead(before: int) -> int:
    """No clock has shown a later time since, unless it was set back."""
    return before + SETTLE_MS + TOLERANCE_MS


async def unread(session: OwnerSession, before: int, limit: int) -> list[SourceMessage]:
    """The oldest unread messages received at `before` (epoch ms) or earlier."""
    rows = await session.rows(
        _Message,
        f"""
        SELECT {_MESSAGE} FROM message WHERE user_id = %(user)s AND {_UNREAD} AND {_SETTLED}
        ORDER BY created_at, timestamp, id LIMIT %(limit)s
        """,
        {"user": session.user_id, "before": before, "ahead": _ahead(before), "limit": limit},
    )
    return [row.source() for row in rows]


async def unread_of_turn(session: OwnerSession, turn_id: str) -> list[SourceMessage]:
    """The unread messages of a turn."""
    rows = await session.rows(
        _Message,
        f"""
        SELECT {_MESSAGE} FROM message WHERE user_id = %(user)s AND turn_id = %(turn)s AND {_UNREAD}
        ORDER BY timestamp, turn_message_index, id
        """,
        {"user": session.user_id, "turn": turn_id},
    )
    return [row.source() for row in rows]


class _Around(NamedTuple):
    source_id: UUID
    id: UUID
    role: str
    content: str
    timestamp: int
    created_at: int
    speaker: str | None
    channel: str | None
    project_id: str | None
    session_key: str | None
    turn_id: str | None
    turn_message_index: int | None


async def around(
    session: OwnerSession, message_ids: Sequence[UUID], before: int, after: int, *, other_turns: bool = False
) -> dict[UUID, list[SourceMessage]]:
    """Each of the messages that exists, with this many before and after it from its turn or session, in order of time.

    `other_turns`: from its session, whatever their turn.
    """
    sort_key = "timestamp, coalesce({0}.turn_message_index, 0), {0}.id"
    near, source = f"n.{sort_key.format('n')}", f"s.{sort_key.format('s')}"
    rows = await session.rows(
        _Around,
        f"""
        SELECT s.id AS source_id, near.* FROM message s CROSS JOIN LATERAL (
          (SELECT {_MESSAGE} FROM message n WHERE {_NEARBY} AND ({near}) <= ({source})
           ORDER BY n.timestamp DESC, coalesce(n.turn_message_index, 0) DESC, n.id DESC LIMIT %(before)s + 1)
          UNION ALL
          (SELECT {_MESSAGE} FROM message n WHERE {_NEARBY} AND ({near}) > ({source})
           ORDER BY n.timestamp, coalesce(n.turn_message_index, 0), n.id LIMIT %(after)s)
        ) near
        WHERE s.user_id = %(user)s AND s.id = ANY(%(ids)s)
        ORDER BY s.id, near.timestamp, coalesce(near.turn_message_index, 0), near.id
        """,
        {
            "user": session.user_id,
            "ids": list(message_ids),
            "before": before,
            "after": after,
            "earliest": before * GAP_MS,
            "latest": after * GAP_MS,
            "turns": other_turns,
        },
    )
    found: dict[UUID, list[SourceMessage]] = {}
    for row in rows:
        found.setdefault(row.source_id, []).append(_Message(*row[1:]).source())
    return found


async def unread_turns(session: OwnerSession, message_ids: Sequence[UUID]) -> list[str]:
    """The turns of those of the messages that are unread, in order of time."""
    return await session.values(
        f"""
        SELECT turn_id FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND turn_id IS NOT NULL AND {_UNREAD}
        GROUP BY turn_id ORDER BY min(timestamp), min(id::text)
        """,
        {"user": session.user_id, "ids": list(message_ids)},
    )


async def is_later_extracted(session: WriteSession, message: SourceMessage) -> bool:
    """Whether there are memories of messages of the same channel and project that were said after this one."""
    return bool(
        await session.value(
            """
            SELECT EXISTS (SELECT FROM message n
              WHERE n.user_id = %(user)s AND n.timestamp >= %(said)s AND n.extracted_at IS NOT NULL
                AND n.channel IS NOT DISTINCT FROM %(channel)s AND n.project_id IS NOT DISTINCT FROM %(project)s
                AND (least(n.timestamp, n.created_at), n.created_at, n.id) > (%(said)s, %(arrived)s, %(id)s))
            """,
            {
                "user": session.user_id,
                "channel": message.channel,
                "project": message.project_id,
                "said": message.said_at,
                "arrived": message.created_at,
                "id": message.id,
            },
        )
    )


async def lock_unread(session: WriteSession, message_ids: Sequence[UUID]) -> int:
    """Lock those of the messages that are still unread until the transaction ends; returns how many they are."""
    locked = await session.values(
        f"SELECT id FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND {_UNREAD} ORDER BY id FOR UPDATE",
        {"user": session.user_id, "ids": list(message_ids)},
    )
    return len(locked)


async def mark_extracted(session: WriteSession, message_ids: Sequence[UUID], now: int) -> None:
    """Note that memories were derived from these messages."""
    await session.execute(
        "UPDATE message SET extracted_at = %(now)s WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(message_ids), "now": now},
    )


async def mark_skipped(session: WriteSession, message_ids: Sequence[UUID], reason: str) -> None:
    """Note why no memory was derived from these messages."""
    await session.execute(
        "UPDATE message SET extraction_skipped_reason = %(reason)s WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(message_ids), "reason": reason},
    )
