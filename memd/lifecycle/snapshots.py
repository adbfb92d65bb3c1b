"""The scheduled job `session_snapshots`: the messages of a session that has gone quiet are stored with a summary.

When it continues, the next quiet spell replaces both. Imported conversations that are a week old or more are skipped.
"""

from typing import Final

from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from memd.accounts.every_user import JobResult, changed_since, for_found_users
from memd.context import Context, Services
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import new_id
from memd.domain.prompts.session_text import SpokenMessage, summarize
from memd.domain.types import MessageRole
from memd.lifecycle import snapshot_store as store
from memd.messages.service import lock_all
from memd.sessions.service import keep_session
from memd.sessions.snapshots import service as snapshots

LOOKED_BACK_MS: Final = 7 * DAY_MS
SESSIONS: Final = 20
REASON: Final = "quiet"


async def snapshot_all(services: Services) -> JobResult:
    """Keep the quiet sessions of users with recent messages; rows = snapshots made."""
    return await for_found_users(services, changed_since(services.clock() - LOOKED_BACK_MS), snapshot_quiet)


async def snapshot_quiet(context: Context) -> int:
    """Keep at most 20 quiet sessions of a user; returns how many."""
    until = context.now - context.services.settings.session_quiet_minutes * 60_000
    async with context.database.owner(context.user_id) as session:
        quiet = await store.quiet_sessions(session, context.now - LOOKED_BACK_MS, until, context.now, SESSIONS)
    for row in quiet:
        await _keep(context, row.session_key, row.channel)
    return len(quiet)


async def _keep(context: Context, session_key: str, channel: str | None) -> None:
    """Keep a session; when one of its messages is erased meanwhile, the next run does."""
    async with context.database.owner(context.user_id) as session:
        rows = await store.session_messages(session, session_key, channel)
    if not rows:
        return
    messages = [
        SnapshotMessage(role=MessageRole(row.role), content=row.content, timestamp=row.timestamp) for row in rows
    ]
    spoken = [SpokenMessage(row.timestamp, MessageRole(row.role), row.content) for row in rows]
    from memd.sessions.tables import Session

    entry = Session(
        user_id=context.user_id,
        id=new_id(),
        channel=channel,
        session_key=session_key,
        started_at=rows[0].timestamp,
        last_active_at=rows[-1].timestamp,
        message_count=len(rows),
        memory_count=0,
        summary=summarize(spoken),
        participants=sorted({row.speaker or row.role for row in rows}),
    )
    request = SnapshotRequest(messages=messages, session_key=session_key, channel=channel, reason=REASON)
    async with context.database.write(context.user_id) as session:
        if await lock_all(session, [row.id for row in rows]):
            await snapshots.keep_automatic(session, context, request, max(row.expires_at for row in rows))
            await keep_session(session, entry)
