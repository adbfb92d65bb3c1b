"""Filling a knowledge base: policy, plan, then pages of embedding and writing that overlap (contract 8.4, 8.5)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from psycopg import Error

from memd.accounts import service as accounts
from memd.audit.recording import record_blocks
from memd.context import Context
from memd.db.transient_errors import is_transient
from memd.domain.chunks.imports import ChunkInput, ImportPlan, plan_import
from memd.domain.ids import encode, new_id
from memd.domain.text.embedding_text import embedding_text
from memd.embed import service as embedding
from memd.embed.page_vectors import embed_page
from memd.embed.service import Vector
from memd.errors import EmbeddingCapExceeded, KnowledgeBaseArchived, KnowledgeBaseNotFound
from memd.knowledge_bases import store
from memd.knowledge_bases.imports.import_time import IMPORTS, TextLeft
from memd.knowledge_bases.imports.page import Page, draft_rows, write_page
from memd.knowledge_bases.imports.policy import Rejected, apply_policy
from memd.knowledge_bases.imports.stored_vectors import stored_vectors
from memd.knowledge_bases.store import StoredBase
from memd.off_loop import in_pieces, in_thread
from memd.pages import in_pages

log = structlog.get_logger()
PAGE = 200
AHEAD = 2
ARCHIVED_MEANWHILE = "knowledge_base_archived"
NOT_STORED = "not_stored"
"""The database could not take the page; the same chunks may be sent again."""


@dataclass(slots=True)
class ImportOutcome:
    """The outcome of an import."""

    import_id: UUID
    base: StoredBase
    timestamp: int
    duplicates_removed: int = 0
    imported: int = 0
    updated: int = 0
    embedded: int = 0
    pending: int = 0
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    ids: dict[int, UUID] = field(default_factory=dict[int, UUID])
    warnings: list[str] = field(default_factory=list[str])
    cap: EmbeddingCapExceeded | None = None

    @property
    def processed(self) -> int:
        """Accepted or rejected chunks, keyless copies left out."""
        return self.imported + self.updated + len(self.rejected)


class _Vectors(NamedTuple):
    """The `stored` vectors of chunks by their index, and how many others may be made before the import `ends` (the loop's clock).

    `left` is what is still to be read of it.
    """

    stored: Mapping[int, Vector]
    granted: int
    ends: float
    left: TextLeft

    def lacking(self, chunks: Sequence[ChunkInput]) -> list[ChunkInput]:
        """Those of the chunks that are to be embedded."""
        return [chunk for chunk in chunks if chunk.index not in self.stored]


async def import_chunks(context: Context, base: StoredBase, chunks: Sequence[ChunkInput]) -> ImportOutcome:
    """Store a batch: pages of up to 200 in their own transactions; a page that is committed stays."""
    outcome = ImportOutcome(import_id=new_id(), base=base, timestamp=context.now)
    accepted, outcome.rejected = await apply_policy(context, chunks)
    plan = await in_thread(plan_import, accepted)
    outcome.duplicates_removed = plan.duplicates_removed
    stored = await stored_vectors(context, base, plan.chunks)
    granted = await _allowance(context, len(plan.chunks) - len(stored), outcome)
    ends = asyncio.get_running_loop().time() + context.services.settings.http_import_timeout_s
    with IMPORTS.counted(_characters(plan.chunks)) as left:
        async for page, failed in _pages(context, outcome, plan, _Vectors(stored, granted, ends, left)):
            outcome.rejected += [Rejected(chunk.index, "embedding_failed") for chunk in failed]
            await _store_page(context, outcome, page)
    await _record(context, outcome)
    return outcome


def _characters(chunks: Sequence[ChunkInput]) -> int:
    return sum(len(chunk.content) for chunk in chunks)


async def _allowance(context: Context, chunk_count: int, outcome: ImportOutcome) -> int:
    """How many chunks may be embedded today; none at all refuses the import, fewer leave the rest pending."""
    granted = await embedding.take_allowance(context, chunk_count) if chunk_count else 0
    if granted < chunk_count:
        outcome.cap = embedding.cap_error(context)
        if granted == 0:
            raise outcome.cap
    return granted


async def _pages(
    context: Context, outcome: ImportOutcome, plan: ImportPlan, vectors: _Vectors
) -> AsyncIterator[tuple[Page, Sequence[ChunkInput]]]:
    """Pages ready to be written, in order, each with the chunks that the embedder has refused.

    The next ones are embedded and drafted while one is being written.
    """
    pages = in_pages(plan.chunks, PAGE)
    before = [0, *accumulate(len(vectors.lacking(page)) for page in pages)]
    tasks: list[asyncio.Task[tuple[Page, Sequence[ChunkInput]]]] = []
    try:
        for number in range(len(pages)):
            for ahead in range(len(tasks), min(number + 1 + AHEAD, len(pages))):
                quota = max(0, vectors.granted - before[ahead])
                tasks.append(asyncio.create_task(_page(context, outcome, pages[ahead], vectors, quota)))
            yield await tasks[number]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _page(
    context: Context, outcome: ImportOutcome, chunks: Sequence[ChunkInput], vectors: _Vectors, quota: int
) -> tuple[Page, Sequence[ChunkInput]]:
    ids = [new_id() for _ in chunks]  # before anything is waited for: ids follow the order of the chunks
    lacking = vectors.lacking(chunks)
    texts = [embedding_text(chunk.title, chunk.content) for chunk in lacking]
    made = await embed_page(context, texts, quota, vectors.ends - IMPORTS.seconds_left())
    by_index = {chunk.index: vector for chunk, vector in zip(lacking, made.rows, strict=True)}
    failed = [lacking[place] for place in sorted(made.failed)]
    refused = {chunk.index for chunk in failed}
    embedded = [
        (chunk, row_id, vectors.stored.get(chunk.index, by_index.get(chunk.index)))
        for chunk, row_id in zip(chunks, ids, strict=True)
        if chunk.index not in refused
    ]
    base = outcome.base
    make = partial(draft_rows, context, base, outcome.import_id)
    rows = await in_pieces(make, embedded, lambda each: len(each[0].content))
    vectors.left.read(_characters(chunks))
    return Page([chunk for chunk, _, _ in embedded], rows), failed


async def _store_page(context: Context, outcome: ImportOutcome, page: Page) -> None:
    """Write one page. Once one is committed, another that cannot be written is rejected: the request has stored chunks."""
    try:
        written = await write_page(context, outcome.base.id, page)
    except (KnowledgeBaseArchived, KnowledgeBaseNotFound):
        if not outcome.ids:
            raise
        outcome.rejected += [Rejected(chunk.index, ARCHIVED_MEANWHILE) for chunk in page.chunks]
        return
    except (TimeoutError, Error) as error:
        if not outcome.ids or not is_transient(error):
            raise
        log.warning("import.page_failed", chunks=len(page.chunks), error=type(error).__name__)
        outcome.rejected += [Rejected(chunk.index, NOT_STORED) for chunk in page.chunks]
        return
    outcome.imported += written.inserted
    outcome.updated += written.updated
    outcome.embedded += written.embedded
    outcome.pending += len(page.chunks) - written.embedded
    for chunk, row_id in zip(page.chunks, written.ids, strict=True):
        outcome.ids.update(dict.fromkeys((*chunk.earlier, chunk.index), row_id))
    outcome.warnings = outcome.warnings or written.warnings


async def _record(context: Context, outcome: ImportOutcome) -> None:
    """Store the run and the audit row; read the counters of the reply. Stored chunks are answered for without them, too."""
    for row in outcome.rejected:
        log.info("import.rejected", index=row.index, reason=row.reason, threatId=row.threat_id)
    blocked = Counter(row.threat_id for row in outcome.rejected if row.threat_id)
    base_id = outcome.base.id
    counts = {"imported": outcome.imported, "updated": outcome.updated, "pending": outcome.pending}
    rejected: list[dict[str, Any]] = [{"index": row.index, "reason": row.reason} for row in outcome.rejected]
    try:
        async with context.database.write(context.user_id) as session:
            await store.insert_run(session, outcome.import_id, base_id, counts, rejected, context.now)
            await accounts.audit(session, context, "import", "knowledge_base", encode("kb", base_id), counts)
            if blocked:
                record_blocks(session, context, encode("kb", base_id), blocked)
            outcome.base = await store.find(session, base_id) or outcome.base
    except (TimeoutError, Error) as error:
        if not outcome.ids or not is_transient(error):
            raise
        log.warning("import.not_recorded", error=type(error).__name__)
