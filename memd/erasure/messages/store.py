"""The SQL of erasing messages, and what the service derived from them."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession, WriteSession
from memd.db.sql.scope import channel_condition
from memd.domain.visibility.scoping import VisibleScopes
from memd.erasure.memories.store import HAS_SOURCES, SnapshotRow
from memd.erasure.store import Receipt


class Erased(NamedTuple):
    """A message that is about to go."""

    id: UUID
    role: str
    content: str
    timestamp: int
    channel: str | None
    session_key: str | None


class DerivedMemory(NamedTuple):
    """A memory that memd derived from messages."""

    id: UUID
    archived: bool
    source_message_ids: list[UUID]


_ERASED: Final = "id, role, content, timestamp, channel, session_key"
_TABLES: Final = (
    ("message_vector", "message_id"),
    ("message_index", "message_id"),
    ("standing_line", "row_id"),
    ("message", "id"),
)


def _seen(scopes: VisibleScopes, params: dict[str, Any]) -> str:
    """The condition on messages that shows what the scopes see; its values go into `params`."""
    condition = channel_condition(scopes.messages, "channel", params)
    if scopes.messages.session_key is None:
        return condition
    params["session"] = scopes.messages.session_key
    return f"{condition} AND session_key = %(session)s"


async def is_visible(session: ReadSession, scopes: VisibleScopes, message_id: UUID) -> bool | None:
    """Whether the request sees the message (contract 10.4); None when the user has no such message."""
    params: dict[str, Any] = {"user": session.user_id, "id": message_id}
    return await session.value(
        f"""
        SELECT coalesce({_seen(scopes, params)}, false) FROM message
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        params,
    )


async def lock_message(session: WriteSession, message_id: UUID) -> list[Erased]:
    """One message, locked until the transaction ends; none when it is gone."""
    return await session.rows(
        Erased,
        f"SELECT {_ERASED} FROM message WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE",
        {"user": session.user_id, "id": message_id},
    )


async def lock_page(session: WriteSession, scopes: VisibleScopes, receipt: Receipt, limit: int) -> list[Erased]:
    """Up to `limit` messages of the scope's session stored before the request; locked until the transaction ends.

    Ids are UUIDv7, so those of later messages are greater than the id of the receipt. The rows are locked in the order of
    their ids, as by the job that embeds them.
    """
    params: dict[str, Any] = {"user": session.user_id, "limit": limit, "receipt": receipt.id}
    return await session.rows(
        Erased,
        f"""
        SELECT {_ERASED} FROM message
        WHERE user_id = %(user)s AND id = ANY(ARRAY(
          SELECT id FROM message WHERE user_id = %(user)s AND {_seen(scopes, params)} AND id < %(receipt)s
          ORDER BY timestamp, id LIMIT %(limit)s))
        ORDER BY id FOR UPDATE
        """,
        params,
    )


async def derived_from(session: WriteSession, message_ids: Sequence[UUID]) -> list[DerivedMemory]:
    """The memories that extraction and consolidation derived from these messages; locked until the transaction ends.

    Clients can capture with the source `inference` too, but cannot name source memories. Extraction notes messages as
    sources of equal memories that a client captured; those stay.
    """
    return await session.rows(
        DerivedMemory,
        f"""
        SELECT id, archived, source_message_ids FROM memory
        WHERE user_id = %(user)s AND {HAS_SOURCES} AND source_message_ids && %(ids)s::uuid[]
          AND (source = 'conversation' OR (source = 'inference' AND source_memory_ids <> '{{}}'))
        ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(message_ids)},
    )


async def read_again(session: WriteSession, message_ids: Sequence[UUID]) -> None:
    """Have extraction read messages again whose memories are removed with those of others."""
    await session.execute(
        "UPDATE message SET extracted_at = NULL WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(message_ids)},
    )


_REFERENCES: Final = {
    "memory": f"""
        UPDATE memory SET source_message_ids = ARRAY(
            SELECT one FROM unnest(source_message_ids) AS one WHERE one <> ALL(%(ids)s))
        WHERE user_id = %(user)s AND {HAS_SOURCES} AND source_message_ids && %(ids)s::uuid[]
        """,
    "turn": """
        UPDATE turn SET message_ids = ARRAY(SELECT one FROM unnest(message_ids) AS one WHERE one <> ALL(%(ids)s))
        WHERE user_id = %(user)s AND message_ids && %(ids)s::uuid[]
        """,
}


async def remove(session: WriteSession, message_ids: Sequence[UUID]) -> dict[str, int]:
    """Delete messages with their narrow rows, and references to them; rows by table."""
    params = {"user": session.user_id, "ids": list(message_ids)}
    changed = {table: await session.execute(statement, params) for table, statement in _REFERENCES.items()}
    removed = {
        table: await session.execute(
            f"DELETE FROM {table} WHERE user_id = %(user)s AND {column} = ANY(%(ids)s)", params
        )
        for table, column in _TABLES
    }
    return changed | removed


_OF_SESSION: Final = """
user_id = %(user)s AND channel IS NOT DISTINCT FROM %(channel)s
AND (session_key = %(session)s OR %(session)s::text IS NULL)
"""


async def snapshots_of(session: WriteSession, channel: str | None, session_key: str | None) -> list[SnapshotRow]:
    """The snapshots of a channel and session, any session for None; locked until the transaction ends."""
    return await session.rows(
        SnapshotRow,
        f"SELECT id, messages AS passages FROM snapshot WHERE {_OF_SESSION} AND json_typeof(messages) = 'array' ORDER BY id FOR UPDATE",
        {"user": session.user_id, "channel": channel, "session": session_key},
    )


async def drop_summaries(session: WriteSession, channel: str | None, session_key: str | None) -> int:
    """Clear the summaries of a channel's session, and those of rows that name no session; returns how many.

    Wake computes a summary of the messages that are left.
    """
    return await session.execute(
        """
        UPDATE session SET summary = NULL, participants = '{}'
        WHERE user_id = %(user)s AND channel IS NOT DISTINCT FROM %(channel)s AND summary <> ''
          AND (session_key IS NULL OR %(session)s::text IS NULL OR session_key = %(session)s)
        """,
        {"user": session.user_id, "channel": channel, "session": session_key},
    )


_SESSION_ROWS: Final = {
    "turn": "created_at <= %(asked_at)s",
    "snapshot": "(id < %(receipt)s OR message_count = 0)",
    "session": "(id < %(receipt)s OR coalesce(summary, '') = '')",
    "metric_row": "id < %(receipt)s",
}
"""The rows of a session that go: those stored before the request, and later ones that hold nothing any more."""


async def remove_session(
    session: WriteSession, scopes: VisibleScopes, receipt: Receipt
) -> tuple[dict[str, int], list[str]]:
    """Delete what else of the scope's session was stored before the request, and its key in memories and checkpoints.

    Rows by table, and the ids of its turns.
    """
    params: dict[str, Any] = {
        "user": session.user_id,
        "session": scopes.messages.session_key,
        "receipt": receipt.id,
        "asked_at": receipt.created_at,
    }
    channel = channel_condition(scopes.messages, "channel", params)
    where = f"user_id = %(user)s AND session_key = %(session)s AND {channel}"
    counts: dict[str, int] = {}
    turns = await session.values(f"SELECT turn_id FROM turn WHERE {where} AND {_SESSION_ROWS['turn']}", params)
    for table, condition in _SESSION_ROWS.items():
        counts[table] = await session.execute(f"DELETE FROM {table} WHERE {where} AND {condition}", params)
    for table in ("memory", "checkpoint"):
        counts[table] = await session.execute(
            f"UPDATE {table} SET session_key = NULL WHERE {where} AND id < %(receipt)s", params
        )
    return counts, turns


async def redact_notes(session: WriteSession, targets: Sequence[str]) -> int:
    """Take the names that a client gave to erased objects out of the notes of ordinary writes; returns how many changed."""
    return await session.value("SELECT memd_redact_own_notes(%(targets)s)", {"targets": list(targets)})
