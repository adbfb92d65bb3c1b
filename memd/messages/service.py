"""The use cases of raw messages: log and recent."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from memctl.wire.invisible import without_invisible
from memctl.wire.limits import MESSAGE_CONTENT_MAX, MESSAGE_READ_MAX
from memctl.wire.messages import ListMessagesRequest, LogRequest, RecentMessagesRequest
from memd.access.request.values import requested_window
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import ReadSession, WriteSession
from memd.db.text_index import TextIndex
from memd.domain.dates.time_window import DAY_MS, Window
from memd.domain.ids import encode, new_id
from memd.domain.messages.synthetic_context import SkipReason, strip_synthetic_context
from memd.domain.policy.content_policy import INVISIBLE, details_text, evaluate
from memd.domain.search.projects import project_id
from memd.domain.text.duplicates import message_hash
from memd.domain.types import MessageRole, Order
from memd.domain.visibility.scoping import VisibleScopes
from memd.jobs import enqueue
from memd.memories.own_keys import OWN_KEY, detect_own_keys
from memd.messages import store
from memd.messages.new import NewMessage
from memd.messages.store import StoredMessage
from memd.messages.text_index_store import text_indexes
from memd.off_loop import in_thread_if_long
from memd.stats import quotas
from memd.stats import service as stats
from memd.stats.quotas import Resource

REPEAT_MS = 5_000


@dataclass(frozen=True, slots=True)
class Logged:
    """The stored message, or the duplicate that was stored before, or why nothing was stored."""

    id: UUID | None = None
    timestamp: int = 0
    truncated: bool = False
    deduped: bool = False
    skipped: str | None = None


async def log_message(context: Context, request: LogRequest) -> Logged:
    """Store one message, unless it is a duplicate or only holds text that a hook added (contract 7.5)."""
    message = await draft(context, request)
    if isinstance(message, SkipReason):
        return Logged(skipped=message)
    async with context.database.write(context.user_id) as session:
        known = await store.find_duplicate(session, message, REPEAT_MS)
        if known is None:
            await check_quota(session, context)
            await add(session, context, [message])
            await accounts.audit(session, context, "log", "message", encode("msg", message.id))
    if known is not None:
        return Logged(id=known, deduped=True)
    return Logged(id=message.id, timestamp=message.timestamp, truncated=message.truncated)


async def draft(context: Context, request: LogRequest) -> NewMessage | SkipReason:
    """The row of a message, or why there is none: memories that a client put before a user's words do not count.

    The text is stored without invisible characters and flagged by the content policy, which never refuses a message.
    Long texts are read off the event loop, and of a text only the first MESSAGE_READ_MAX characters.
    """
    message = await in_thread_if_long(partial(_draft, context, request), len(request.content))
    if isinstance(message, NewMessage) and any(await detect_own_keys(context, [message.content])):
        message.policy_flags.append(OWN_KEY.threat_id)
    return message


def _draft(context: Context, request: LogRequest) -> NewMessage | SkipReason:
    """The row, without a check for the caller's own keys."""
    sent = _own_words(request.role, request.content) if len(request.content) > MESSAGE_READ_MAX else request.content
    if isinstance(sent, SkipReason):
        return sent
    read = sent[:MESSAGE_READ_MAX]
    shown = without_invisible(read)
    words = _own_words(request.role, shown)
    if isinstance(words, SkipReason):
        return words
    if not words:
        return SkipReason.SYNTHETIC_CONTEXT_ONLY
    truncated = len(sent) > len(read) or len(words) > MESSAGE_CONTENT_MAX
    content = words[:MESSAGE_CONTENT_MAX]
    return NewMessage(
        id=new_id(),
        role=request.role,
        content=content,
        truncated=truncated,
        timestamp=context.now if request.timestamp is None else request.timestamp,
        client_timestamp=request.timestamp is not None,
        created_at=context.now,
        expires_at=expiry(context),
        content_hash=message_hash(request.role, content),
        speaker=request.speaker,
        channel=request.channel,
        session_key=request.session_key,
        turn_id=request.turn_id,
        turn_message_index=request.turn_message_index,
        metadata=request.metadata,
        agent_id=request.agent_id,
        project_id=project_id(request.project_id, request.repo_slug),
        policy_flags=_flags(context, request.metadata, content, hidden=len(shown) < len(read)),
    )


def _own_words(role: MessageRole, text: str) -> str | SkipReason:
    """The text without memories in front of a user's words, or why nothing is left."""
    if role is not MessageRole.USER:
        return text
    stripped = strip_synthetic_context(text)
    return stripped.skip_reason or stripped.text


def _flags(context: Context, metadata: Any, content: str, *, hidden: bool) -> list[str]:
    """Every rule that catches the text to store or its metadata, and that `hidden` characters were taken out."""
    verdict = evaluate(context.services.policy, "", content, details_text((), (), metadata))
    invisible = [INVISIBLE] if hidden else []
    blocked = [verdict.blocked.threat_id] if verdict.blocked else []
    return [*invisible, *blocked, *verdict.flags]


def expiry(context: Context) -> int:
    """When a message received now is removed; a back-filled timestamp plays no part (contract 5)."""
    return context.now + context.principal.allowance.message_ttl_days * DAY_MS


async def check_quota(session: WriteSession, context: Context) -> None:
    """`StorageLimitReached` when one more message would be over the tier's number."""
    if await quotas.free_messages(session, context.principal) == 0:
        raise quotas.refusal(context.principal, Resource.MESSAGES)


async def add(session: WriteSession, context: Context, messages: list[NewMessage]) -> None:
    """Insert messages, update the totals and enqueue their embedding; the caller has made all checks."""
    indexes = await _text_indexes(context, messages)
    insertions = [one for message in messages for one in store.insertion(session, message, indexes[message.id])]
    await session.execute_all(*insertions, stats.moving(session, context.now, messages=len(messages)))
    enqueue.defer_embedding(session)


async def _text_indexes(context: Context, messages: Sequence[NewMessage]) -> dict[UUID, TextIndex]:
    """The text index of each message, made off the event loop where they are long."""
    language = context.services.settings.text_search_config
    make = partial(text_indexes, context.user_id, messages, language, context.zone)
    return await in_thread_if_long(make, sum(len(message.content) for message in messages))


async def newest(session: ReadSession, scopes: VisibleScopes, window: Window, limit: int) -> list[StoredMessage]:
    """The newest messages of the scope inside the window, oldest first."""
    return (await store.newest(session, scopes, window, limit))[::-1]


@dataclass(frozen=True, slots=True)
class Recent:
    """Messages in the order asked for, and the bounds that were used."""

    rows: list[StoredMessage]
    window: Window


async def recent(context: Context, request: RecentMessagesRequest) -> Recent:
    """The newest messages of the window, then ordered (contract 7.3)."""
    window = requested_window(request)
    scopes = context.scopes(
        request.channel, request.agent_id, session_key=request.session_key, all_channels=request.all_channels
    )
    async with context.database.read(context.user_id) as session:
        rows = await newest(session, scopes, window, request.limit)
    return Recent(rows=rows[::-1] if request.order is Order.NEWEST else rows, window=window)


async def page(context: Context, request: ListMessagesRequest, before: tuple[int, UUID] | None) -> list[StoredMessage]:
    """Up to `limit` + 1 messages of the window before a position (timestamp in epoch ms, id), newest first."""
    window = requested_window(request)
    scopes = context.scopes(
        request.channel, request.agent_id, session_key=request.session_key, all_channels=request.all_channels
    )
    async with context.database.read(context.user_id) as session:
        return await store.page(session, scopes, window, request.limit + 1, before or store.END)


async def lock_all(session: WriteSession, message_ids: Sequence[UUID]) -> bool:
    """Lock the messages against erasure until the transaction ends; False when some no longer exist.

    For writers of texts that were read from messages in an earlier transaction.
    """
    return await store.lock_existing(session, message_ids) == len(message_ids)
