"""The answers of the tools for knowledge bases."""

from typing import Final

from memctl.wire.imports import ImportReply
from memctl.wire.kb_query import QueryReply
from memctl.wire.knowledge_bases import ChunkPage, KnowledgeBaseEmptied, KnowledgeBaseList, KnowledgeBaseRow
from memd.domain.prompts.recall_text import begins_with_title
from memd.domain.text.token_estimate import fit_lines, truncate_to_tokens
from memd.mcp.content.base import Arguments, Lean, StoredContent, ToolContent, one_line
from memd.mcp.content.recalls import CLOSEST, degradation, hidden

QUERY_TOKENS: Final = 210
LIST_TOKENS: Final = 250
LISTED_MAX: Final = 40
PAGE_TOKENS: Final = 300
TEXT_FLOOR: Final = 12
TITLE_TOKENS: Final = 20
REJECTED_MAX: Final = 5
WARNING_TOKENS: Final = 40
SAME_NAME_MAX: Final = 3


class BaseLine(Lean):
    """A knowledge base."""

    id: str
    name: str
    chunks: int
    description: str | None = None
    archived: bool | None = None


class BasesContent(StoredContent):
    """Knowledge bases, the last changed first; `not_listed` is how many more there are."""

    knowledge_bases: list[BaseLine]
    not_listed: int | None = None


class CreatedContent(ToolContent):
    """The new knowledge base; `note` names the ones that had its name already."""

    id: str
    name: str
    note: str | None = None


class CreatedBase(KnowledgeBaseRow):
    """A new knowledge base, and the ids of the active ones that had its name before."""

    same_name: list[str]


class RejectedLine(Lean):
    """A chunk that was not stored."""

    index: int
    reason: str


class ImportContent(ToolContent):
    """The result of an import; `rejected` names the first five of `rejected_count`."""

    id: str
    imported: int
    updated: int
    rejected_count: int
    rejected: list[RejectedLine] | None = None
    pending_embeddings: int | None = None
    chunks: int
    warnings: list[str] | None = None


class ChunkLine(Lean):
    """A chunk; `source` is its URL. A `weak` one may have nothing to do with the query."""

    id: str
    title: str | None = None
    text: str
    relevance: float | None = None
    weak: bool | None = None
    source: str | None = None


class QueryContent(StoredContent):
    """Chunks, best first."""

    chunks: list[ChunkLine]
    nothing_relevant: bool | None = None
    degraded: str | None = None
    hidden: list[str] | None = None


class PageContent(StoredContent):
    """One page of chunks, oldest first; `cursor` continues unless `is_done`."""

    chunks: list[ChunkLine]
    is_done: bool
    cursor: str | None = None


class EmptiedContent(ToolContent):
    """How many chunks were deleted; call again unless `is_done`."""

    id: str
    deleted: int
    is_done: bool


def listed(reply: KnowledgeBaseList, _sent: Arguments) -> BasesContent:
    """The knowledge bases with their ids and sizes."""
    rows = reply.knowledge_bases[:LISTED_MAX]
    texts = fit_lines([row.description for row in rows], max(LIST_TOKENS, TEXT_FLOOR * len(rows)))
    return BasesContent(
        knowledge_bases=[
            BaseLine(
                id=row.id,
                name=truncate_to_tokens(one_line(row.name), TITLE_TOKENS),
                chunks=row.chunk_count,
                description=text or None,
                archived=row.archived or None,
            )
            for row, text in zip(rows, texts, strict=True)
        ],
        not_listed=len(reply.knowledge_bases) - len(rows) or None,
    )


def created(reply: KnowledgeBaseRow, _sent: Arguments) -> CreatedContent:
    """The id of the new knowledge base, and a note when others have its name: a name then finds none of them."""
    same_name = reply.same_name if isinstance(reply, CreatedBase) else []
    named, count = ", ".join(same_name[:SAME_NAME_MAX]), len(same_name)
    others = f"{named} and {count - SAME_NAME_MAX} more" if count > SAME_NAME_MAX else named
    note = (
        f"{others} {'has' if count == 1 else 'have'} this name too: use ids, since the name finds none of them"
        if count
        else None
    )
    return CreatedContent(id=reply.id, name=truncate_to_tokens(one_line(reply.name), TITLE_TOKENS), note=note)


def imported(reply: ImportReply, _sent: Arguments) -> ImportContent:
    """How many chunks are new, replaced and rejected."""
    rejected = [
        RejectedLine(index=row.index, reason=truncate_to_tokens(one_line(row.reason), WARNING_TOKENS))
        for row in reply.rejected[:REJECTED_MAX]
    ]
    return ImportContent(
        id=reply.knowledge_base_id,
        imported=reply.imported_count,
        updated=reply.updated_count,
        rejected_count=reply.rejected_count,
        rejected=rejected or None,
        pending_embeddings=reply.pending_embeddings or None,
        chunks=reply.memory_count,
        warnings=[truncate_to_tokens(one_line(text), WARNING_TOKENS) for text in reply.warnings] or None,
    )


def queried(reply: QueryReply, _sent: Arguments) -> QueryContent:
    """The chunks that are relevant, or else the closest two."""
    weak = reply.weak_chunks()
    relevant = [hit for hit in reply.results if hit.chunk_id not in weak]
    hits = relevant or reply.results[:CLOSEST]
    texts = fit_lines([hit.content for hit in hits], max(QUERY_TOKENS, TEXT_FLOOR * len(hits)))
    return QueryContent(
        chunks=[
            _chunk(
                hit.chunk_id,
                hit.title,
                text,
                relevance=round(hit.relevance, 2),
                weak=None if relevant else True,
                source=hit.metadata.source_url,
            )
            for hit, text in zip(hits, texts, strict=True)
        ],
        nothing_relevant=None if relevant else True,
        degraded=degradation(reply.degradation),
        hidden=hidden(reply.retrieval.hidden),
    )


def enumerated(reply: ChunkPage, _sent: Arguments) -> PageContent:
    """One page of chunks and how to go on."""
    rows = reply.memories
    texts = fit_lines([row.content for row in rows], max(PAGE_TOKENS, TEXT_FLOOR * len(rows)))
    return PageContent(
        chunks=[_chunk(row.id, row.title, text) for row, text in zip(rows, texts, strict=True)],
        is_done=reply.is_done,
        cursor=None if reply.is_done else reply.continue_cursor,
    )


def emptied(reply: KnowledgeBaseEmptied, _sent: Arguments) -> EmptiedContent:
    """How many chunks are gone, and whether some are left."""
    return EmptiedContent(id=reply.knowledge_base_id, deleted=reply.deleted_memories, is_done=reply.is_done)


def _chunk(
    chunk_id: str,
    title: str,
    text: str,
    *,
    relevance: float | None = None,
    weak: bool | None = None,
    source: str | None = None,
) -> ChunkLine:
    short = truncate_to_tokens(one_line(title), TITLE_TOKENS)
    shown = None if not short or begins_with_title(text, short) else short
    return ChunkLine(id=chunk_id, title=shown, text=text, relevance=relevance, weak=weak, source=source)
