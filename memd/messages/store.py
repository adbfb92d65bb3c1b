"""The SQL of messages: writing, the duplicate test, the newest of a scope. Search has its own store."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Json

from memd.db.advisory_locks import Seed
from memd.db.page_bytes import bounded
from memd.db.session import ReadSession, Statement, WriteSession
from memd.db.sql.scope import channel_condition
from memd.db.text_index import TextIndex
from memd.domain.dates.time_window import Window
from memd.domain.ranking.message_wording import asks
from memd.domain.text_analysis.analysis import VERSION
from memd.domain.visibility.scoping import MessageScope, VisibleScopes
from memd.messages.new import NewMessage

LATEST = 2**62
"""Past every moment, for a window without an upper bound."""
END = (LATEST, UUID(int=0))
"""The position after the newest message."""


class StoredMessage(NamedTuple):
    """A message as replies show it; `timestamp` in epoch ms, `metadata` any JSON."""

    id: UUID
    role: str
    content: str
    speaker: str | None
    channel: str | None
    session_key: str | None
    turn_id: str | None
    turn_message_index: int | None
    timestamp: int
    metadata: Any


MESSAGE = ", ".join(StoredMessage._fields)

_INSERT = """
INSERT INTO message (user_id, id, role, content, truncated, speaker, channel, session_key, turn_id,
                     turn_message_index, timestamp, client_timestamp, created_at, expires_at, metadata, agent_id,
                     project_id, content_hash, policy_flags)
VALUES (%(user)s, %(id)s, %(role)s, %(content)s, %(truncated)s, %(speaker)s, %(channel)s, %(session_key)s,
        %(turn_id)s, %(turn_message_index)s, %(timestamp)s, %(client_timestamp)s, %(created_at)s, %(expires_at)s,
        %(metadata)s, %(agent_id)s, %(project_id)s, %(content_hash)s, %(policy_flags)s)
"""
_INDEX = f"""
INSERT INTO message_index (user_id, message_id, channel, session_key, timestamp, speaker, asks, language, tsv,
                           index_version)
VALUES (%(user)s, %(id)s, %(channel)s, %(session_key)s, %(timestamp)s, %(speaker)s, %(asks)s, %(language)s, %(tsv)s,
        {VERSION})
"""
_LOCK = f"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, {Seed.MESSAGE}))"
_DUPLICATE = """
SELECT id FROM message
WHERE user_id = %(user)s AND content_hash = %(hash)s AND created_at BETWEEN %(since)s AND %(until)s AND role = %(role)s
  AND channel IS NOT DISTINCT FROM %(channel)s AND session_key IS NOT DISTINCT FROM %(session)s
  AND turn_id IS NOT DISTINCT FROM %(turn)s AND turn_message_index IS NOT DISTINCT FROM %(index)s
  AND NOT (%(any_age)s AND client_timestamp AND %(client)s AND timestamp <> %(timestamp)s)
ORDER BY created_at, id LIMIT 1
"""
_FIELDS = tuple(NewMessage.__dataclass_fields__)


def insertion(session: WriteSession, message: NewMessage, index: TextIndex) -> tuple[Statement, Statement]:
    """The statements that insert a message with its lexemes."""
    values: dict[str, Any] = {name: getattr(message, name) for name in _FIELDS}
    values["metadata"] = None if message.metadata is None else Json(message.metadata)
    values |= {"user": session.user_id, "asks": asks(message.content), **index._asdict()}
    return (_INSERT, values), (_INDEX, values)


def hash_lock(session: WriteSession, content_hash: str) -> Statement:
    """Lock that serializes deliveries of equal text until the transaction ends."""
    return _LOCK, {"key": f"{session.user_id}:{content_hash}"}


async def find_duplicate(session: WriteSession, message: NewMessage, within_ms: int) -> UUID | None:
    """The stored message that this one repeats (contract 7.5, rule 3); deliveries of equal text are serialized.

    With sessionKey and turnMessageIndex at any age, and both client timestamps equal where both rows carry one; else
    only when it was received within `within_ms`, before or, by a clock that was set back, after this one.
    """
    at_any_age = message.session_key is not None and message.turn_message_index is not None
    params: dict[str, Any] = {
        "user": session.user_id,
        "hash": message.content_hash,
        "since": 0 if at_any_age else message.created_at - within_ms,
        "until": LATEST if at_any_age else message.created_at + within_ms,
        "role": message.role,
        "channel": message.channel,
        "session": message.session_key,
        "turn": message.turn_id,
        "index": message.turn_message_index,
        "any_age": at_any_age,
        "client": message.client_timestamp,
        "timestamp": message.timestamp,
    }
    session.execute_later(hash_lock(session, message.content_hash))
    return await session.value(_DUPLICATE, params)


def scope_condition(scope: MessageScope, alias: str, params: dict[str, Any]) -> str:
    """The condition on the rows of `alias` that shows exactly what `scope` sees; its values go into `params`."""
    condition = channel_condition(scope, f"{alias}.channel", params)
    if scope.session_key is None:
        return condition
    params["scope_session"] = scope.session_key
    return f"{condition} AND {alias}.session_key = %(scope_session)s"


async def newest(session: ReadSession, scopes: VisibleScopes, window: Window, limit: int) -> list[StoredMessage]:
    """The newest messages of the scope inside the window, newest first."""
    return await session.rows(StoredMessage, *_newest(session, scopes, window, limit, END))


async def page(
    session: ReadSession, scopes: VisibleScopes, window: Window, limit: int, before: tuple[int, UUID]
) -> list[StoredMessage]:
    """The newest messages before a position (timestamp, id), newest first; fewer than `limit` of long ones."""
    statement, params = _newest(session, scopes, window, limit, before)
    return await session.rows(StoredMessage, bounded(MESSAGE, statement, "timestamp DESC, id DESC"), params)


def _newest(
    session: ReadSession, scopes: VisibleScopes, window: Window, limit: int, before: tuple[int, UUID]
) -> Statement:
    params: dict[str, Any] = {"user": session.user_id, "from": window.from_ms, "to": window.to_ms, "limit": limit}
    params |= {"before_time": before[0], "before_id": before[1]}
    statement = f"""
        SELECT {MESSAGE} FROM message
        WHERE user_id = %(user)s AND {scope_condition(scopes.messages, "message", params)}
          AND timestamp BETWEEN coalesce(%(from)s, 0) AND coalesce(%(to)s, {LATEST})
          AND (timestamp, id) < (%(before_time)s, %(before_id)s)
        ORDER BY timestamp DESC, id DESC LIMIT %(limit)s
        """
    return statement, params


async def lock_existing(session: WriteSession, message_ids: Sequence[UUID]) -> int:
    """Lock those of the messages that still exist against erasure until the transaction ends; their number."""
    stored = await session.values(
        """
        SELECT id FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        ORDER BY timestamp, id FOR KEY SHARE
        """,
        {"user": session.user_id, "ids": list(message_ids)},
    )
    return len(stored)
