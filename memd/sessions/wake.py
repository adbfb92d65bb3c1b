"""The briefing that an agent starts with: the last session, recent messages, and the most important memories (contract 7.1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memctl.wire.sessions import WakeRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.dates.calendar_day import iso_day
from memd.domain.dates.time_window import Window
from memd.domain.dates.zone import TimeZone
from memd.domain.facts.profiles import Profile
from memd.domain.ids import new_id
from memd.domain.prompts.briefing import LISTED_MAX, BriefedMemory, BriefingFacts, briefed_text, write_briefing
from memd.domain.prompts.session_text import LastSession, SpokenMessage, last_session
from memd.domain.questions.due import due_soon
from memd.domain.ranking.due import due_share, names_day
from memd.domain.types import Category, MessageRole, Store
from memd.domain.visibility.scoping import VisibleScopes
from memd.knowledge_bases.service import visible_chunks
from memd.memories.profile import service as profile
from memd.messages import service as messages
from memd.messages.service import StoredMessage
from memd.sessions import store, wake_store
from memd.sessions.wake_store import LastCheckpoint, Pointer, UsedMemory

TALK_MS = 72 * 3_600_000
RECENT_MESSAGES = 12
LAST_USED = 40
GOALS_READ = 30
"""Goals, the last used first, of which the soonest are pointed out."""


@dataclass(slots=True, kw_only=True)
class Wake:
    """The session data that the request may see, and the briefing text."""

    memory_count: int
    recent_messages: list[StoredMessage]
    last_used: list[UsedMemory]
    checkpoint: LastCheckpoint | None
    goals: list[Pointer]
    decisions: list[Pointer]
    guardrails: list[Pointer]
    profiles: list[Profile]
    last_session: LastSession | None = None
    briefing: str = ""


async def wake(context: Context, request: WakeRequest) -> Wake:
    """Read all parts in one transaction, write the briefing, and note the session."""
    scopes = context.scopes(request.channel, request.agent_id, session_key=request.session_key)
    async with context.database.read(context.user_id) as session:
        found = await _read(session, context, scopes)
        stored = None if scopes.messages.nothing else await store.last_summarised(session, scopes)
        newest = _newest_session(found.recent_messages)
        length = (
            len(newest) if len(found.recent_messages) < RECENT_MESSAGES else await _length(session, context, newest[-1])
        )
    earlier = LastSession(*stored) if stored else None
    found.last_session = last_session(earlier, _spoken(newest), length)
    found.briefing = _briefing(context, request, found, _spoken(found.recent_messages))
    await _note(
        context, request, found, newest, is_new=found.last_session is not None and found.last_session is not earlier
    )
    return found


def _newest_session(rows: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Of the messages, oldest first, those of the session and channel of the newest one."""
    if not rows:
        return []
    session = rows[-1].channel, rows[-1].session_key
    return [row for row in rows if (row.channel, row.session_key) == session]


async def _length(session: ReadSession, context: Context, last: StoredMessage) -> int:
    """How many messages the session of a message has, of which `recent_messages` holds the newest only."""
    return await store.length(session, last.channel, last.session_key, context.now - TALK_MS)


def _spoken(rows: Sequence[StoredMessage]) -> list[SpokenMessage]:
    return [SpokenMessage(row.timestamp, MessageRole(row.role), row.content, row.speaker) for row in rows]


async def _read(session: ReadSession, context: Context, scopes: VisibleScopes) -> Wake:
    chunks, now = await visible_chunks(session, scopes), context.now
    window = Window(from_ms=now - TALK_MS)
    goals = await wake_store.pointers(session, scopes, chunks, "goals", GOALS_READ, now)
    return Wake(
        memory_count=await wake_store.count_visible(session, scopes),
        recent_messages=await messages.newest(session, scopes, window, RECENT_MESSAGES),
        last_used=await wake_store.last_used(session, scopes, LAST_USED),
        checkpoint=await wake_store.last_checkpoint(session, scopes),
        goals=_soonest(goals, now, context.zone)[:LISTED_MAX],
        decisions=await wake_store.pointers(session, scopes, chunks, "decisions", LISTED_MAX, now),
        guardrails=await wake_store.pointers(session, scopes, chunks, "guardrails", LISTED_MAX, now),
        profiles=await profile.latest(session, context, scopes.memory, LISTED_MAX),
    )


def _soonest(goals: Sequence[Pointer], now: int, zone: TimeZone) -> list[Pointer]:
    """Rows that are due within a month, the soonest first; then goals without a date, later ones, and overdue ones."""
    asked = due_soon(zone.local(now))

    def share(goal: Pointer) -> float:
        text = f"{goal.title}. {goal.content}"
        created_at, valid_until = zone.local(goal.created_at), zone.local_end(goal.valid_until)
        return due_share(asked, text, is_goal=True, created_at=created_at, valid_until=valid_until) or 0.0

    return sorted(goals, key=share, reverse=True)


def _briefing(context: Context, request: WakeRequest, found: Wake, spoken: Sequence[SpokenMessage]) -> str:
    facts = BriefingFacts(
        now=context.now,
        zone=context.zone,
        channel=request.channel,
        memory_count=found.memory_count,
        last_session=found.last_session,
        goals=[
            _with_end(text, goal, context.zone) for text, goal in zip(_briefed(found.goals), found.goals, strict=True)
        ],
        decisions=_briefed(found.decisions),
        guardrails=_briefed(found.guardrails),
        profiles=found.profiles,
        recent_messages=spoken,
    )
    return write_briefing(facts, request.budget)


def _briefed(rows: Sequence[Pointer]) -> list[BriefedMemory]:
    return [
        BriefedMemory(briefed_text(row.title, row.content), Store(row.store), Category(row.category)) for row in rows
    ]


def _with_end(briefed: BriefedMemory, goal: Pointer, zone: TimeZone) -> BriefedMemory:
    """The goal with its last day, where its text names none."""
    end = zone.local_end(goal.valid_until)
    if end is None or names_day(f"{goal.title}. {goal.content}", zone.local(goal.created_at)):
        return briefed
    return replace(briefed, text=f"{briefed.text} (until {iso_day(end - 1)})")


async def _note(
    context: Context, request: WakeRequest, found: Wake, newest: Sequence[StoredMessage], *, is_new: bool
) -> None:
    """One session row: the `newest` session with its summary, or else the one that begins now."""
    last = found.last_session if is_new else None
    from memd.sessions.tables import Session

    row = Session(
        user_id=context.user_id,
        id=new_id(),
        channel=request.channel,
        session_key=request.session_key,
        started_at=newest[0].timestamp if last else context.now,
        last_active_at=last.last_active_at if last else context.now,
        message_count=last.message_count if last else 0,
        memory_count=found.memory_count,
        summary=last.summary if last else None,
        participants=sorted({row.speaker or row.role for row in newest}) if last else [],
    )
    async with context.database.write(context.user_id) as session:
        if last and not await messages.lock_all(session, [each.id for each in newest]):
            row.summary, row.participants = None, list[str]()
        await store.insert_session(session, row)
        await accounts.audit(session, context, "wake", "session")
