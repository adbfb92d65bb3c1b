"""Knowledge bases over HTTP (contract 8.1–8.7)."""

from typing import Any, cast
from uuid import UUID

from pydantic import ValidationError

from memctl.wire.imports import BulkInsertRequest, ImportReply, ImportRequest, RejectedChunk
from memctl.wire.knowledge_bases import (
    ChunkPage,
    ChunkRow,
    ChunkSource,
    CreateKnowledgeBaseRequest,
    GetKnowledgeBaseRequest,
    KnowledgeBaseDetail,
    KnowledgeBaseEmptied,
    KnowledgeBaseList,
    KnowledgeBaseRow,
    ListChunksRequest,
    ListKnowledgeBasesRequest,
)
from memd.access.endpoint import Call, NoBody, Priced, Room
from memd.access.request.list_cursors import page_cursor, page_position
from memd.access.request.path_ids import path_id
from memd.db.page_bytes import page_of
from memd.domain.accounts.credits import Allowance, import_cost
from memd.domain.chunks.imports import ChunkInput
from memd.domain.ids import encode
from memd.domain.types import ChunkKind, KeyScope, PeerScopePolicy
from memd.embed.degradation import cap_degradation
from memd.knowledge_bases import service
from memd.knowledge_bases.imports.service import ImportOutcome
from memd.knowledge_bases.service import ListedChunk, StoredBase
from memd.off_loop import body_in_thread

room = Room("knowledge_bases")
_ROW_FIELDS = (
    "agent_ids",
    "archived",
    "created_at",
    "metadata",
    "name",
    "scope",
    "source_role",
    "source_type",
    "total_chars",
    "updated_at",
)


def base_id(path_value: str) -> UUID:
    """The knowledge base that a path names."""
    return path_id("kb", path_value)


def row_fields(row: StoredBase) -> dict[str, Any]:
    """The fields of the wire row; an empty policy reads strict (contract 8)."""
    fields = {name: getattr(row, name) for name in _ROW_FIELDS}
    return fields | {
        "id": encode("kb", row.id),
        "description": row.description or "",
        "chunk_count": row.memory_count,
        "peer_scope_policy": row.peer_scope_policy or PeerScopePolicy.STRICT,
    }


@room.endpoint(
    "GET",
    "/api/knowledge-bases",
    credits=1,
    scope=KeyScope.READ,
    body=ListKnowledgeBasesRequest,
    reply=KnowledgeBaseList,
)
async def list_bases(call: Call[ListKnowledgeBasesRequest]) -> KnowledgeBaseList:
    """The knowledge bases that an agent and scope may see, the last changed first."""
    rows = await service.list_bases(call.context, call.body)
    return KnowledgeBaseList(knowledge_bases=[KnowledgeBaseRow(**row_fields(row)) for row in rows])


@room.endpoint(
    "POST",
    "/api/knowledge-bases",
    credits=5,
    scope=KeyScope.WRITE,
    body=CreateKnowledgeBaseRequest,
    reply=KnowledgeBaseRow,
    status=201,
    errors=(409,),
)
async def create(call: Call[CreateKnowledgeBaseRequest]) -> KnowledgeBaseRow:
    """Make a knowledge base."""
    return KnowledgeBaseRow(**row_fields(await service.create(call.context, call.body)))


@room.endpoint(
    "GET",
    "/api/knowledge-bases/{id}",
    credits=1,
    scope=KeyScope.READ,
    body=GetKnowledgeBaseRequest,
    reply=KnowledgeBaseDetail,
    errors=(404,),
)
async def read(call: Call[GetKnowledgeBaseRequest]) -> KnowledgeBaseDetail:
    """One knowledge base with its first chunks."""
    requested_id = base_id(call.path["id"])
    row = await service.find(call.context, requested_id)
    chunks = await service.chunks(call.context, requested_id, None, call.body.limit)
    fields = row_fields(row)
    return KnowledgeBaseDetail(
        **fields,
        knowledge_base=KnowledgeBaseRow(**fields),
        memories=[chunk_row(chunk) for chunk in chunks[: call.body.limit]],
    )


async def price(raw: dict[str, Any], allowance: Allowance) -> Priced:
    """The price of an import by the number of its chunks (contract 2.2.4)."""
    chunks = raw.get("chunks")
    count = len(cast("list[Any]", chunks)) if isinstance(chunks, list) else None
    return Priced(import_cost(count, allowance.credits_per_minute))


async def price_of_text(raw: dict[str, Any], allowance: Allowance) -> Priced:
    """The same for raw text, which is validated and split once, for the price and for the import.

    A text that is not ASCII counts as large by the bytes that its characters may take.
    """
    text = raw.get("text")
    if raw.get("chunks") or not isinstance(text, str):
        return await price(raw, allowance)
    size = len(text) if text.isascii() else 4 * len(text)

    def split() -> tuple[ImportRequest, list[ChunkInput]]:
        request = ImportRequest.from_body(raw)
        return request, service.split_text(request)

    try:
        request, parts = await body_in_thread(split, size)
    except ValidationError:
        return Priced(import_cost(None, allowance.credits_per_minute))
    return Priced(import_cost(len(parts), allowance.credits_per_minute), request, parts)


@room.endpoint(
    "POST",
    "/api/knowledge-bases/{id}/import",
    credits=5,
    scope=KeyScope.WRITE,
    body=ImportRequest,
    reply=ImportReply,
    status=201,
    bulk=True,
    price=price_of_text,
    errors=(404, 409),
)
async def import_chunks(call: Call[ImportRequest]) -> ImportReply:
    """Store chunks, or raw text that is split into them."""
    return import_reply(await service.import_into(call.context, base_id(call.path["id"]), call.body, call.parts))


@room.endpoint(
    "POST",
    "/api/knowledge-bases/{id}/bulk-insert",
    credits=5,
    scope=KeyScope.WRITE,
    body=BulkInsertRequest,
    reply=ImportReply,
    status=201,
    bulk=True,
    price=price,
    errors=(404, 409),
)
async def bulk_insert(call: Call[BulkInsertRequest]) -> ImportReply:
    """Store flat chunks; missing titles are derived."""
    reply = import_reply(await service.bulk_insert(call.context, base_id(call.path["id"]), call.body))
    return reply.model_copy(update={"archived_duplicate_count": 0})


@room.endpoint(
    "GET",
    "/api/knowledge-bases/{id}/memories",
    credits=1,
    scope=KeyScope.READ,
    body=ListChunksRequest,
    reply=ChunkPage,
    errors=(404,),
)
async def enumerate_chunks(call: Call[ListChunksRequest]) -> ChunkPage:
    """Every active chunk, page by page, oldest first."""
    requested_id = base_id(call.path["id"])
    listing = f"chunks:{call.context.user_id}:{requested_id}"
    limit = call.body.limit
    rows = await service.chunks(call.context, requested_id, page_position(listing, call.body.cursor), limit)
    page, more = page_of(rows, limit)
    cursor = page_cursor(listing, page[-1].created_at, page[-1].id) if more else ""
    return ChunkPage(
        knowledge_base_id=encode("kb", requested_id),
        memories=[chunk_row(row) for row in page],
        is_done=not more,
        continue_cursor=cursor,
    )


@room.endpoint(
    "POST",
    "/api/knowledge-bases/{id}/empty",
    credits=1,
    scope=KeyScope.WRITE,
    body=NoBody,
    reply=KnowledgeBaseEmptied,
    errors=(404, 409),
)
async def empty(call: Call[NoBody]) -> KnowledgeBaseEmptied:
    """Delete all chunks and keep the knowledge base."""
    requested_id = base_id(call.path["id"])
    result = await service.empty(call.context, requested_id)
    return KnowledgeBaseEmptied(
        knowledge_base_id=encode("kb", requested_id),
        deleted_memories=result.deleted,
        active_deleted_memories=result.active,
        is_done=result.done,
    )


def chunk_row(row: ListedChunk) -> ChunkRow:
    """The wire form of a chunk for its owner."""
    return ChunkRow(
        id=encode("mem", row.id),
        title=row.title,
        content=row.content,
        dedupe_key=row.dedupe_key,
        created_at=row.created_at,
        channel=row.channel,
        chunk_kind=ChunkKind(row.chunk_kind),
        tags=row.tags or None,
        metadata=ChunkSource(
            title=row.title,
            source_url=row.source_url,
            source_type=row.source_type,
            chunk_index=row.chunk_index,
            total_chunks=row.total_chunks,
        ),
    )


def import_reply(outcome: ImportOutcome) -> ImportReply:
    """The wire form of an import; ids are in input order, without rejected chunks."""
    return ImportReply(
        knowledge_base_id=encode("kb", outcome.base.id),
        import_id=encode("imp", outcome.import_id),
        chunks_processed=outcome.processed,
        embeddings_created=outcome.embedded,
        timestamp=outcome.timestamp,
        imported_count=outcome.imported,
        updated_count=outcome.updated,
        memory_ids=[encode("mem", outcome.ids[index]) for index in sorted(outcome.ids)],
        memory_count=outcome.base.memory_count,
        total_chars=outcome.base.total_chars,
        duplicates_removed=outcome.duplicates_removed,
        pending_embeddings=outcome.pending,
        rejected=[
            RejectedChunk(index=row.index, reason=row.reason, threat_id=row.threat_id)
            for row in sorted(outcome.rejected, key=lambda row: row.index)
        ],
        rejected_count=len(outcome.rejected),
        warnings=outcome.warnings,
        embedding_cap=cap_degradation(outcome.cap) if outcome.cap else None,
    )
