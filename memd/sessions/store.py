"""The SQL of sessions."""

from typing import TYPE_CHECKING, Any, NamedTuple

from memd.db.session import ReadSession, WriteSession
from memd.db.sql.scope import channel_condition
from memd.domain.visibility.scoping import VisibleScopes

if TYPE_CHECKING:
    from memd.sessions.tables import Session

_LATEST = 2**62


class SessionFigures(NamedTuple):
    """How many messages a session has, by role and by turn, and when the first and last were said (epoch ms)."""

    message_count: int
    turn_count: int
    first_timestamp: int | None
    last_timestamp: int | None
    channel: str | None
    user: int
    assistant: int
    system: int


class ListedSession(NamedTuple):
    """A session by its stored messages; times in epoch ms, the channel is that of its last message."""

    session_key: str
    last_timestamp: int
    first_timestamp: int
    message_count: int
    channel: str | None


class SummarisedSession(NamedTuple):
    """A session with a summary."""

    last_active_at: int
    message_count: int
    summary: str


async def figures(
    session: ReadSession, scopes: VisibleScopes, from_ms: int | None, to_ms: int | None
) -> SessionFigures:
    """How many messages the scope's session has inside the window, by role and by turn, and when; zeros for none."""
    params: dict[str, Any] = {
        "user": session.user_id,
        "session": scopes.messages.session_key,
        "from": from_ms,
        "to": to_ms,
    }
    (found,) = await session.rows(
        SessionFigures,
        f"""
        SELECT count(*)::int AS message_count,
               count(DISTINCT coalesce(turn_id, 'message:' || id))::int AS turn_count,
               min(timestamp) AS first_timestamp, max(timestamp) AS last_timestamp,
               (array_agg(channel ORDER BY timestamp DESC, id DESC))[1] AS channel,
               count(*) FILTER (WHERE role = 'user')::int AS "user",
               count(*) FILTER (WHERE role = 'assistant')::int AS assistant,
               count(*) FILTER (WHERE role = 'system')::int AS system
        FROM message
        WHERE user_id = %(user)s AND session_key = %(session)s
          AND {channel_condition(scopes.messages, "message.channel", params)}
          AND timestamp BETWEEN coalesce(%(from)s, 0) AND coalesce(%(to)s, {_LATEST})
        """,
        params,
    )
    return found


async def length(session: ReadSession, channel: str | None, session_key: str | None, from_ms: int) -> int:
    """How many messages a session has on a channel; without a key, those of the channel without one from a time (epoch ms) on."""
    params = {"user": session.user_id, "channel": channel, "session": session_key, "from": from_ms}
    on_channel = "channel IS NULL" if channel is None else "channel = %(channel)s"
    condition = "session_key IS NULL AND timestamp >= %(from)s" if session_key is None else "session_key = %(session)s"
    return await session.value(
        f"SELECT count(*)::int FROM message WHERE user_id = %(user)s AND {on_channel} AND {condition}", params
    )


async def page(
    session: ReadSession, scopes: VisibleScopes, before: tuple[int, str] | None, limit: int
) -> list[ListedSession]:
    """The sessions of the scope, the last used first: those behind a position (last timestamp, key).

    Steps from key to key and to the end of each through the index, so that it costs by session and not by message.
    """
    params: dict[str, Any] = {"user": session.user_id, "limit": limit}
    seen = channel_condition(scopes.messages, "m.channel", params)
    behind = "true"
    if before is not None:
        behind = "(last_timestamp, session_key) < (%(before_time)s, %(before_key)s)"
        params |= {"before_time": before[0], "before_key": before[1]}
    return await session.rows(
        ListedSession,
        f"""
        WITH RECURSIVE keys AS (
          (SELECT m.session_key FROM message m WHERE m.user_id = %(user)s AND m.session_key IS NOT NULL
           ORDER BY m.session_key LIMIT 1)
          UNION ALL
          SELECT (SELECT m.session_key FROM message m WHERE m.user_id = %(user)s AND m.session_key > k.session_key
                  ORDER BY m.session_key LIMIT 1)
          FROM keys k WHERE k.session_key IS NOT NULL
        ), used AS (
          SELECT k.session_key, l.timestamp AS last_timestamp, l.channel FROM keys k CROSS JOIN LATERAL (
            SELECT m.timestamp, m.channel FROM message m
            WHERE m.user_id = %(user)s AND m.session_key = k.session_key AND {seen}
            ORDER BY m.timestamp DESC, m.id DESC LIMIT 1) l
        ), page AS (
          SELECT * FROM used WHERE {behind} ORDER BY last_timestamp DESC, session_key DESC LIMIT %(limit)s
        )
        SELECT p.session_key, p.last_timestamp, f.first_timestamp, f.message_count, p.channel
        FROM page p CROSS JOIN LATERAL (
          SELECT min(m.timestamp) AS first_timestamp, count(*)::int AS message_count FROM message m
          WHERE m.user_id = %(user)s AND m.session_key = p.session_key AND {seen}) f
        ORDER BY p.last_timestamp DESC, p.session_key DESC
        """,
        params,
    )


async def last_summarised(session: ReadSession, scopes: VisibleScopes) -> SummarisedSession | None:
    """The last session of the request's channel that has a summary."""
    return await session.row(
        SummarisedSession,
        """
        SELECT last_active_at, message_count, summary FROM session
        WHERE user_id = %(user)s AND channel IS NOT DISTINCT FROM %(channel)s AND summary <> ''
        ORDER BY last_active_at DESC, id DESC LIMIT 1
        """,
        {"user": session.user_id, "channel": scopes.request.q},
    )


async def insert_session(session: WriteSession, row: "Session") -> None:
    """Add a session."""
    await session.execute(*row.insertion())


async def replace_session(session: WriteSession, row: "Session") -> None:
    """Add a session in the place of the summarised rows of the same session and channel."""
    await session.execute(
        """
        DELETE FROM session WHERE user_id = %(user)s AND session_key = %(session)s
          AND channel IS NOT DISTINCT FROM %(channel)s AND summary <> ''
        """,
        {"user": session.user_id, "session": row.session_key, "channel": row.channel},
    )
    await insert_session(session, row)
