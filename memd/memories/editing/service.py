"""Editing a memory or chunk in place (contract 6.3)."""

import json
from dataclasses import dataclass
from typing import Any

from memctl.wire.invisible import without_invisible
from memctl.wire.limits import TAGS_MAX
from memctl.wire.updates import UpdateRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import ReadSession, WriteSession
from memd.db.text_index import TextIndex, text_index
from memd.domain.ids import decode, encode
from memd.domain.lifecycle.salience import salience_of, text_score
from memd.domain.periods.validity import Period
from memd.domain.prompts.recall_text import recall_text
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.types import Category, HistoryAction, Store
from memd.embed import service as embedding
from memd.embed.service import Vector
from memd.errors import BadRequest, DuplicateMemory
from memd.jobs import enqueue
from memd.knowledge_bases import counters
from memd.memories import duplicate_store as duplicates
from memd.memories import service, store
from memd.memories.duplicate_store import ContentKey
from memd.memories.guard import CHECKED_FIELDS, Cleared, Submitted, check_policy
from memd.memories.history.derived import sync_derived
from memd.memories.history.recording import Cause, record_versions
from memd.memories.reading_store import StoredMemory
from memd.memories.text_index_store import set_text_indexes
from memd.memories.validity import new_period
from memd.off_loop import in_thread_if_long

_EDITABLE = (
    "title",
    "content",
    "metadata",
    "tags",
    "action_triggers",
    "store",
    "category",
    "confidence",
    "strength",
    "arousal",
    "valence",
    "channel",
)
_EMBEDDED = ("title", "content")
_INDEXED = (*_EMBEDDED, "tags")


@dataclass(frozen=True, slots=True)
class NewText:
    """What follows from new text; from new tags, an index alone. It takes time, so it is made before the row is locked."""

    index: TextIndex
    vector: Vector | None = None
    content_hash: str = ""
    recall_text: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Edited:
    """When the row changed, whether it got a new vector, and its title and period now."""

    title: str
    updated_at: int
    embedding_updated: bool
    period: Period


async def update(context: Context, request: UpdateRequest) -> Edited:
    """Edit a memory or chunk in place; new text gets a new vector, recallText and salience."""
    memory_id = decode("mem", request.memory_id)
    scopes = context.scopes(request.request_channel, request.agent_id)
    tested = request.request_channel is not None
    while True:
        async with context.database.read(context.user_id) as session:
            seen = await service.find_visible(session, scopes, memory_id, tested=tested)
        sent = _sent(request, seen)
        named = {name: without_invisible(sent[name]) for name in _EMBEDDED if name in sent}
        changes: dict[str, Any] = sent | named | _period(context, request, seen)
        cleared = await _cleared(context, seen, sent)
        vector = await _new_vector(context, seen, changes, cleared)
        text = await _new_text(context, seen, changes, vector)
        async with context.database.write(context.user_id) as session:
            row = await service.lock_visible(session, scopes, memory_id, tested=tested)
            if _checked_state(row) != _checked_state(seen):
                continue  # a concurrent edit came between: vector and lexemes would be of neither text, its tags would be lost
            if (key := _new_key(row, changes)) is not None:
                session.execute_later(duplicates.content_locks(context.user_id, [key]))
                await _refuse_duplicate(session, row, key)
            await apply_changes(session, context, row, changes | _verdict_columns(cleared), text, request.reason)
            meta = {"fields": sorted(changes)}
            await accounts.audit(session, context, "update", "memory", request.memory_id, meta)
        period = Period(changes.get("valid_from", row.valid_from), changes.get("valid_until", row.valid_until))
        title = str(changes.get("title", row.title))
        return Edited(title=title, updated_at=context.now, embedding_updated=vector is not None, period=period)


def _checked_state(row: StoredMemory) -> tuple[object, ...]:
    """The columns against which the changes were checked before the row was locked."""
    return *(getattr(row, name) for name in CHECKED_FIELDS), row.valid_from, row.valid_until


def _sent(request: UpdateRequest, row: StoredMemory) -> dict[str, Any]:
    """The new values of the fields that the request names; added and removed tags are those of the row after that."""
    sent = {name: getattr(request, name) for name in _EDITABLE if getattr(request, name) is not None}
    if request.add_tags is None and request.remove_tags is None:
        return sent
    tags = request.tags_after(row.tags)
    if len(tags) > TAGS_MAX:
        raise BadRequest(f"Field tags exceeds maximum length of {TAGS_MAX} items")
    return sent | {"tags": tags}


def _period(context: Context, request: UpdateRequest, row: StoredMemory) -> dict[str, int | None]:
    return new_period(request, Period(row.valid_from, row.valid_until), context.now, context.zone)


async def _cleared(context: Context, row: StoredMemory, sent: dict[str, Any]) -> Cleared | None:
    """The row as the policy accepts it; None when the request changes nothing that the policy reads."""
    stored = {name: getattr(row, name) for name in CHECKED_FIELDS}
    submitted = stored | {name: value for name, value in sent.items() if name in CHECKED_FIELDS}
    return None if submitted == stored else await check_policy(context, Submitted.of(**submitted))


def _verdict_columns(cleared: Cleared | None) -> dict[str, Any]:
    """The columns that hold the policy's verdict."""
    if cleared is None:
        return {}
    return {"policy_version": cleared.policy_version, "policy_flags": cleared.flags, "blocked": False}


async def _new_vector(
    context: Context, row: StoredMemory, changes: dict[str, Any], cleared: Cleared | None
) -> Vector | None:
    """The vector of changed text that passed the duplicate test; None when nothing of the text changes."""
    title, content = changes.get("title", row.title), changes.get("content", row.content)
    if cleared is None or (title, content) == (row.title, row.content):
        return None
    if (key := _new_key(row, changes)) is not None:
        async with context.database.read(context.user_id) as session:
            await _refuse_duplicate(session, row, key)
    return await embedding.embed_text(context, embedding_text(title, content))


async def _new_text(
    context: Context, row: StoredMemory, changes: dict[str, Any], vector: Vector | None
) -> NewText | None:
    """What follows from changed text, or from changed tags; None when neither changes."""
    title, content, tags = (changes.get(name, getattr(row, name)) for name in _INDEXED)
    if vector is None and tags == row.tags:
        return None

    def read() -> NewText:
        index = text_index(context.user_id, (title, content), tags, context.services.settings.text_search_config)
        if vector is None:
            return NewText(index)
        return NewText(index, vector, content_hash(content), recall_text(content), text_score(title, content))

    return await in_thread_if_long(read, len(content))


async def _refuse_duplicate(session: ReadSession, row: StoredMemory, key: ContentKey) -> None:
    """409 when another active ordinary memory has this key."""
    for duplicate in await session.rows(duplicates.duplicates_query(session.user_id, [key])):
        if duplicate.id != row.id:
            raise DuplicateMemory(encode("mem", duplicate.id))


def _new_key(row: StoredMemory, changes: dict[str, Any]) -> ContentKey | None:
    """The key by which the changed row would be a duplicate of an active memory; None for chunks and keyed memories.

    None also where the content stays: a memory may move to where an equal one is (contract 6.3).
    """
    content = changes.get("content", row.content)
    if content == row.content or row.knowledge_base_id is not None or row.key is not None:
        return None
    return ContentKey(changes.get("store", row.store), content_hash(content), changes.get("channel", row.channel))


async def apply_changes(
    session: WriteSession,
    context: Context,
    row: StoredMemory,
    changes: dict[str, Any],
    text: NewText | None,
    reason: str | None = None,
) -> None:
    """Write the changed columns with what follows from them: narrow rows, vector, triggers, counters, jobs.

    `text` is that of the row with the changes; it waits for nothing but the database, for the row is locked.
    """
    merged = row._replace(**{name: value for name, value in changes.items() if name in _EDITABLE})
    base_id = row.knowledge_base_id
    cause = Cause(HistoryAction.UPDATE, reason)
    if _differs(row, changes):
        await record_versions(session, context, [row.id], cause)
    follow_ups = dict[str, Any]() if text is None else await _write_text(session, context, merged, text)
    await store.update_columns(session, row.id, changes | follow_ups, context.now)
    await store.sync_filters(session, [row.id])
    if base_id is None and (follow_ups or merged.channel != row.channel):
        await sync_derived(session, context, [row.id], cause)
    if row.archived:
        return
    if "action_triggers" in changes:
        await store.set_triggers(session, [row.id], context.now)
    if base_id is not None:
        growth = len(merged.content) - len(row.content)
        await counters.move(session, base_id, chunks=0, characters=growth, now=context.now)


async def _write_text(session: WriteSession, context: Context, merged: StoredMemory, text: NewText) -> dict[str, Any]:
    """Write the lexemes of a text, and its vector if it is new; the columns of the row that follow from a new text."""
    await set_text_indexes(session, {merged.id: text.index})
    if text.vector is None:
        return {}
    await store.set_vector(session, merged.id, context.services.model, text.vector)
    if merged.knowledge_base_id is None:
        enqueue.defer_enrichment(session)
    return _follow_ups(merged, text)


def _differs(row: StoredMemory, changes: dict[str, Any]) -> bool:
    """Whether the row gets other values; the verdict of the policy alone does not make a version."""
    stored = row._asdict()
    named = {name: value for name, value in changes.items() if name in stored}
    if "metadata" in named and json.dumps(named.pop("metadata")) != json.dumps(row.metadata):
        return True
    return any(value != stored[name] for name, value in named.items())


def _follow_ups(merged: StoredMemory, text: NewText) -> dict[str, Any]:
    """The columns that follow from new text."""
    kinds = Category(merged.category), Store(merged.store)
    return {
        "content_hash": text.content_hash,
        "recall_text": text.recall_text,
        "salience_score": salience_of(text.score, *kinds, len(merged.tags)),
        "graph_enriched": False,
        "graph_enriched_at": None,
    }
