"""The use cases of knowledge bases: create, list, read, import, enumerate, empty."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memctl.wire.imports import BulkInsertRequest, ChunkMetadata, FlatChunk, ImportChunk, ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, ListKnowledgeBasesRequest
from memctl.wire.limits import CHUNKS_PER_REQUEST_MAX
from memd.accounts import service as accounts
from memd.audit.recording import record, record_read
from memd.context import Context
from memd.db.session import ReadSession, WriteSession
from memd.domain.chunks.chunking import derived_title, part_title, split
from memd.domain.chunks.imports import ChunkInput
from memd.domain.ids import encode, new_id
from memd.domain.visibility.scoping import ChunkScope, SelectedBy, VisibleScopes, kb_listed
from memd.erasure.memories import service as erasure
from memd.errors import Conflict, ImportTooLarge, KnowledgeBaseArchived, KnowledgeBaseNotFound
from memd.knowledge_bases import counters, store
from memd.knowledge_bases.imports.service import ImportOutcome, import_chunks
from memd.knowledge_bases.store import ListedChunk, StoredBase
from memd.memories import removal
from memd.stats import service as stats

PAGE = 200
EMPTY_S = 20.0
MAX_BASES: Final = 1_000
"""Knowledge bases of a user, archived ones included: each recall decides on every one of them."""
SHORTER_TEXT = "no part of the text that was imported again"


class KnowledgeBaseLimitReached(Conflict):
    """409: the user has as many knowledge bases as one may have."""

    error = "Too many knowledge bases"

    def __init__(self) -> None:
        details = (
            f"At most {MAX_BASES:,}, archived ones included: delete some permanently, or import into an existing one"
        )
        super().__init__({"details": details})


async def create(context: Context, request: CreateKnowledgeBaseRequest) -> StoredBase:
    """Add a knowledge base; names need not be unique. `KnowledgeBaseLimitReached`.

    Ids follow the order of insertion, so that programs that create the same name concurrently agree on the first.
    """
    async with context.database.write(context.user_id) as session:
        await store.lock_all(session)
        if await store.count_bases(session) >= MAX_BASES:
            raise KnowledgeBaseLimitReached
        base = StoredBase(
            id=new_id(),
            name=request.name,
            description=request.description,
            agent_ids=request.agent_ids,
            scope=request.scope,
            peer_scope_policy=request.peer_scope_policy,
            source_type=request.source_type,
            source_role=request.source_role,
            metadata=request.metadata,
            archived=False,
            archived_at=None,
            memory_count=0,
            total_chars=0,
            created_at=context.now,
            updated_at=context.now,
        )
        await store.insert_base(session, base)
        await accounts.audit(session, context, "create", "knowledge_base", encode("kb", base.id))
    return base


async def list_bases(context: Context, request: ListKnowledgeBasesRequest) -> list[StoredBase]:
    """The knowledge bases that the request may see (contract 8.1)."""
    async with context.database.owner(context.user_id) as session:
        rows = await store.all_bases(session, archived=request.include_inactive)
    if request.agent_id is None and request.scope is None:
        return rows
    rules = context.services.settings.visibility
    return [row for row in rows if kb_listed(row.searched.view, request.agent_id, request.scope, rules)]


async def visible_chunks(session: ReadSession, scopes: VisibleScopes) -> list[tuple[UUID, ChunkScope]]:
    """The visible knowledge bases of the request, each with the chunks that it lets through."""
    visible: list[tuple[UUID, ChunkScope]] = []
    for base in await session.rows(store.searched_bases(session.user_id)):
        decision = scopes.kb(base.view, SelectedBy.RECALL)
        if decision.visible:
            visible.append((base.id, scopes.chunks(base.view, decision)))
    return visible


async def find(context: Context, base_id: UUID) -> StoredBase:
    """One knowledge base of the caller; `KnowledgeBaseNotFound` for any other."""
    async with context.database.owner(context.user_id) as session:
        row = await store.find(session, base_id)
    if row is None:
        raise KnowledgeBaseNotFound
    return row


async def chunks(context: Context, base_id: UUID, after: tuple[int, UUID] | None, limit: int) -> list[ListedChunk]:
    """A page of active chunks, one more than `limit` when there is a next page."""
    if after is None:
        await record_read(context, "knowledge_base.export", encode("kb", base_id))
    async with context.database.owner(context.user_id) as session:
        if await store.find(session, base_id) is None:
            raise KnowledgeBaseNotFound
        return await store.chunk_page(session, base_id, after, limit + 1)


async def import_into(
    context: Context, base_id: UUID, request: ImportRequest, parts: Sequence[ChunkInput]
) -> ImportOutcome:
    """Store the chunks of the request, or the `parts` of its raw text."""
    base = await _importable(context, base_id)
    inputs = [*parts] or [_chunk_input(index, chunk, chunk.metadata) for index, chunk in enumerate(request.chunks)]
    if len(inputs) > CHUNKS_PER_REQUEST_MAX:
        raise ImportTooLarge(len(inputs))
    outcome = await import_chunks(context, base, await _titled(context, base, inputs))
    prefix = request.dedupe_key_prefix
    if parts and prefix and not outcome.rejected and await _archive_later_parts(context, base_id, prefix, len(parts)):
        outcome.base = await find(context, base_id)
    return outcome


async def _archive_later_parts(context: Context, base_id: UUID, prefix: str, count: int) -> bool:
    """Archive the parts of an earlier, longer text from number `count` on; returns whether there were any.

    They are looked up a page of numbers at a time, until a page has none.
    """
    for start in range(count, CHUNKS_PER_REQUEST_MAX, PAGE):
        keys = [f"{prefix}#{number}" for number in range(start, start + PAGE)]
        async with context.database.owner(context.user_id) as session:
            if not await store.keyed_chunks(session, base_id, keys):
                return start > count
        async with context.database.write(context.user_id) as session:
            await _archive_chunks(session, context, base_id, keys)
    return count < CHUNKS_PER_REQUEST_MAX


async def _archive_chunks(session: WriteSession, context: Context, base_id: UUID, keys: Sequence[str]) -> None:
    """Archive the active chunks with these dedupeKeys."""
    await store.lock(session, base_id)
    chunks = (await store.keyed_chunks(session, base_id, keys)).values()
    ids, characters = [chunk.id for chunk in chunks], sum(chunk.size for chunk in chunks)
    await removal.archive(session, context, ids, SHORTER_TEXT)
    await counters.move(session, base_id, chunks=-len(ids), characters=-characters, now=context.now)
    meta = {"chunks": len(ids), "reason": SHORTER_TEXT}
    await accounts.audit(session, context, "archive_chunks", "knowledge_base", encode("kb", base_id), meta)


async def bulk_insert(context: Context, base_id: UUID, request: BulkInsertRequest) -> ImportOutcome:
    """Store flat chunks; a missing title is the stored one of the key, or is derived."""
    base = await _importable(context, base_id)
    inputs = [_chunk_input(index, chunk, chunk) for index, chunk in enumerate(request.chunks)]
    return await import_chunks(context, base, await _titled(context, base, inputs))


async def _titled(context: Context, base: StoredBase, inputs: list[ChunkInput]) -> list[ChunkInput]:
    """The chunks with a title each: their own, else that of the row that they replace, else a derived one."""
    keys = [chunk.dedupe_key for chunk in inputs if not chunk.title.strip() and chunk.dedupe_key is not None]
    stored: dict[str, str] = {}
    if keys:
        async with context.database.owner(context.user_id) as session:
            stored = await store.titles(session, base.id, keys)
    return [chunk if chunk.title.strip() else replace(chunk, title=_title(base, chunk, stored)) for chunk in inputs]


def _title(base: StoredBase, chunk: ChunkInput, stored: Mapping[str, str]) -> str:
    known = stored.get(chunk.dedupe_key) if chunk.dedupe_key is not None else None
    return known or derived_title(base.name, chunk.chunk_index, chunk.total_chunks, chunk.source_url)


async def _importable(context: Context, base_id: UUID) -> StoredBase:
    base = await find(context, base_id)
    if base.archived:
        raise KnowledgeBaseArchived
    return base


def split_text(request: ImportRequest) -> list[ChunkInput]:
    """The parts of a raw text with their titles, numbers and keys; one more than an import takes where it is too large."""
    parts = split(
        request.text or "",
        chunk_size=request.chunk_size,
        overlap=request.chunk_overlap,
        delimiter=request.delimiter,
        maximum=CHUNKS_PER_REQUEST_MAX + 1,
    )
    return [
        ChunkInput(
            index=index,
            content=part,
            title=part_title(request.title or "", index, len(parts)),
            dedupe_key=f"{request.dedupe_key_prefix}#{index}" if request.dedupe_key_prefix else None,
            source_url=request.source_url,
            source_type=request.source_type,
            chunk_index=index,
            total_chunks=len(parts),
        )
        for index, part in enumerate(parts)
    ]


def _chunk_input(index: int, chunk: ImportChunk | FlatChunk, origin: ChunkMetadata | FlatChunk) -> ChunkInput:
    """A chunk of a request; `origin` has its title and source: `metadata` of an import, a flat chunk itself."""
    return ChunkInput(
        index=index,
        content=chunk.content,
        title=origin.title or "",
        dedupe_key=chunk.dedupe_key,
        source_url=origin.source_url,
        source_type=origin.source_type,
        chunk_index=origin.chunk_index,
        total_chunks=origin.total_chunks,
        channel=chunk.channel or chunk.scope,
        tags=None if chunk.tags is None else tuple(chunk.tags),
        chunk_kind=chunk.chunk_kind,
    )


@dataclass(slots=True)
class Emptied:
    """Rows removed by one request; `done` when none is left."""

    deleted: int = 0
    active: int = 0
    done: bool = False


async def empty(context: Context, base_id: UUID) -> Emptied:
    """Delete all chunks in pages for up to 20 s; the knowledge base, its id and its agents stay (contract 8.7)."""
    await _importable(context, base_id)
    result = Emptied()
    deadline = time.monotonic() + EMPTY_S
    while True:
        await _empty_page(context, base_id, result)
        if result.done or time.monotonic() >= deadline:
            return result


async def _empty_page(context: Context, base_id: UUID, result: Emptied) -> None:
    async with context.database.write(context.user_id) as session:
        base = await store.lock(session, base_id)
        if base is None:
            raise KnowledgeBaseNotFound
        rows = await store.chunk_ids(session, base_id, PAGE)
        active = [row for row in rows if not row.archived]
        await erasure.remove_chunks(session, [row.id for row in rows])
        characters = sum(row.size for row in active)
        await stats.move(session, context.now)  # the clean-up finds the graph of users with changes
        await counters.move(session, base_id, chunks=-len(active), characters=-characters, now=context.now)
        if rows:
            record(session, context, "knowledge_base.empty", encode("kb", base_id), after={"chunks": len(rows)})
        if len(rows) < PAGE:
            await accounts.audit(session, context, "empty", "knowledge_base", encode("kb", base_id))
    result.deleted += len(rows)
    result.active += len(active)
    result.done = len(rows) < PAGE
