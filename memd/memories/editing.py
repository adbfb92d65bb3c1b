"""Changing memories: update in place, and supersede by a new row (contract 6.3, 6.4)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memctl.wire.memories import SupersedeRequest, UpdateRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import Row, WriteSession
from memd.domain.duplicates import content_hash
from memd.domain.embedding_text import embedding_text
from memd.domain.ids import decode, encode, new_id
from memd.domain.recall_text import recall_text
from memd.domain.salience import salience
from memd.domain.types import Category, MemorySource, Store
from memd.embed import service as embedding
from memd.embed.service import Vector
from memd.errors import AlreadySuperseded, DuplicateMemory
from memd.jobs import queue
from memd.knowledge_bases import counters
from memd.memories import service, store
from memd.memories.guard import Cleared, check_policy
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from memd.stats import service as stats

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


@dataclass(frozen=True, slots=True)
class Edited:
    """When the row changed, and whether it got a new vector."""

    updated_at: int
    embedding_updated: bool


async def update(context: Context, request: UpdateRequest) -> Edited:
    """Edit a memory or chunk in place; new text gets a new vector, recallText and salience."""
    memory_id = decode("mem", request.memory_id)
    scopes = context.scopes(request.request_channel, request.agent_id)
    tested = request.request_channel is not None
    async with context.database.read(context.user_id) as session:
        row = await service.find_visible(session, scopes, memory_id, tested=tested)
    changes = {name: getattr(request, name) for name in _EDITABLE if getattr(request, name) is not None}
    new_text = any(name in changes and changes[name] != row[name] for name in ("title", "content"))
    cleared, vector = await _new_text(context, {**row, **changes}) if new_text else (None, None)
    async with context.database.write(context.user_id) as session:
        row = await service.lock_visible(session, scopes, memory_id, tested=tested)
        await _refuse_duplicate(session, row, changes)
        await _apply(session, context, row, changes, cleared)
        if vector is not None:
            await store.set_vector(session, memory_id, context.services.model, vector)
        await store.reindex(session, [memory_id], context.services.settings.text_search_config)
        await accounts.audit(session, context, "update", "memory", request.memory_id, {"fields": sorted(changes)})
    return Edited(updated_at=context.now, embedding_updated=vector is not None)


async def _new_text(context: Context, row: Row) -> tuple[Cleared, Vector]:
    """The policy's word on the new text, and its vector."""
    cleared = await check_policy(context, row["title"], row["content"])
    return cleared, await embedding.embed_text(context, embedding_text(row["title"], row["content"]))


async def _refuse_duplicate(session: WriteSession, row: Row, changes: dict[str, Any]) -> None:
    """409 when new content equals another active ordinary memory; chunks are exempt."""
    content = changes.get("content")
    if content is None or content == row["content"] or row["knowledge_base_id"] is not None:
        return
    digest = content_hash(content)
    await store.lock_content(session, digest)
    channel = changes.get("channel", row["channel"])
    found = await store.find_duplicate(session, changes.get("store", row["store"]), digest, channel, but=row["id"])
    if found is not None:
        raise DuplicateMemory(encode("mem", found["id"]))


async def _apply(
    session: WriteSession, context: Context, row: Row, changes: dict[str, Any], cleared: Cleared | None
) -> None:
    """Write the changed columns with what follows from them."""
    merged: Row = {**row, **changes}
    columns = dict(changes)
    if cleared is not None:
        columns |= {
            "content_hash": content_hash(merged["content"]),
            "recall_text": recall_text(merged["content"]),
            "salience_score": salience(
                merged["title"],
                merged["content"],
                Category(merged["category"]),
                Store(merged["store"]),
                len(merged["tags"]),
            ),
            "graph_enriched": False,
            "graph_enriched_at": None,
            "policy_version": cleared.policy_version,
            "policy_flags": cleared.flags,
            "blocked": False,
        }
    await store.update_columns(session, row["id"], columns, context.now)
    if "action_triggers" in changes and not row["archived"]:
        await store.replace_triggers(session, row["id"], changes["action_triggers"], context.now)
    growth = len(merged["content"]) - len(row["content"])
    if row["knowledge_base_id"] is not None and growth and not row["archived"]:
        await counters.move(session, row["knowledge_base_id"], chunks=0, characters=growth, now=context.now)
    if cleared is not None and row["knowledge_base_id"] is None:
        queue.defer_enrichment(session, row["id"])


async def supersede(context: Context, request: SupersedeRequest) -> UUID:
    """Store the new text as a memory of its own and archive the old one, in one transaction; the new id."""
    old_id = decode("mem", request.old_memory_id)
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.read(context.user_id) as session:
        old = await service.find_visible(session, scopes, old_id, tested=False)
    _refuse_superseded(old)
    cleared = await check_policy(context, request.title, request.content)
    vector = await embedding.embed_text(context, embedding_text(request.title, request.content))
    async with context.database.write(context.user_id) as session:
        old = await service.lock_visible(session, scopes, old_id, tested=False)
        _refuse_superseded(old)
        row = _successor(context, request, old, cleared, vector)
        await store.archive(session, old_id, "supersede", context.now)
        await _add_successor(session, context, old, row)
        await store.link_superseded(session, old_id, row.id, context.now)
        meta = {"newMemoryId": encode("mem", row.id)} | ({"reason": request.reason} if request.reason else {})
        await accounts.audit(session, context, "supersede", "memory", request.old_memory_id, meta)
    return row.id


def _refuse_superseded(old: Row) -> None:
    if old["superseded_by_memory_id"] is not None:
        raise AlreadySuperseded(encode("mem", old["superseded_by_memory_id"]))


async def _add_successor(session: WriteSession, context: Context, old: Row, row: NewMemory) -> None:
    """Insert the new row and move the counters: an active row is replaced, an archived one gets company."""
    services = context.services
    await insert_memories(session, [row], model=services.model, text_config=services.settings.text_search_config)
    grown = 0 if not old["archived"] else 1
    if row.knowledge_base_id is None:
        await stats.move(session, context.now, active=grown, archived=1 - grown, captured=True)
        queue.defer_enrichment(session, row.id)
    else:
        characters = len(row.content) - (0 if grown else len(old["content"]))
        await counters.move(session, row.knowledge_base_id, chunks=grown, characters=characters, now=context.now)


def _successor(context: Context, request: SupersedeRequest, old: Row, cleared: Cleared, vector: Vector) -> NewMemory:
    """The new row; what the request leaves out is inherited."""

    def inherited(name: str) -> Any:
        value = getattr(request, name)
        return old[name] if value is None else value

    category, kind, tags = Category(inherited("category")), Store(inherited("store")), list(inherited("tags"))
    return NewMemory(
        id=new_id(),
        title=request.title,
        content=request.content,
        content_hash=content_hash(request.content),
        recall_text=recall_text(request.content),
        store=kind,
        category=category,
        created_at=context.now,
        tags=tags,
        metadata=inherited("metadata"),
        channel=inherited("channel"),
        agent_id=old["agent_id"],
        project_id=old["project_id"],
        session_key=old["session_key"],
        source=MemorySource(old["source"]),
        strength=inherited("strength"),
        confidence=inherited("confidence"),
        valence=inherited("valence"),
        arousal=inherited("arousal"),
        action_triggers=list(inherited("action_triggers")),
        source_snapshot_id=old["source_snapshot_id"],
        source_message_ids=list(old["source_message_ids"]),
        supersedes_memory_id=old["id"],
        knowledge_base_id=old["knowledge_base_id"],
        dedupe_key=old["dedupe_key"],
        salience_score=salience(request.title, request.content, category, kind, len(tags)),
        policy_version=cleared.policy_version,
        policy_flags=cleared.flags,
        vector=vector,
    )
