"""Filling a knowledge base: policy, plan, then pages of embedding and writing that overlap (contract 8.4, 8.5)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog

from memd.accounts import service as accounts
from memd.audit.acts import record_blocks
from memd.context import Context
from memd.domain.embedding_text import embedding_text
from memd.domain.ids import encode, new_id
from memd.domain.imports import ChunkInput, ImportPlan, PlannedChunk, plan_import
from memd.embed import service as embedding
from memd.embed.page_vectors import embed_page
from memd.errors import EmbeddingCapExceeded, KnowledgeBaseArchived, KnowledgeBaseNotFound
from memd.knowledge_bases import store
from memd.knowledge_bases.chunk_policy import Rejected, apply_policy
from memd.knowledge_bases.page import Draft, PageOutcome, ReadyChunk, draft, write_page
from memd.knowledge_bases.store import StoredBase

log = structlog.get_logger()
PAGE = 200
AHEAD = 2
ARCHIVED_MEANWHILE = "knowledge_base_archived"


@dataclass(slots=True)
class ImportOutcome:
    """What an import came to."""

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


async def import_chunks(context: Context, base: StoredBase, chunks: Sequence[ChunkInput]) -> ImportOutcome:
    """Store a batch: pages of 200 in their own transactions; a page that is committed stays."""
    outcome = ImportOutcome(import_id=new_id(), base=base, timestamp=context.now)
    accepted, outcome.rejected = await apply_policy(context, chunks)
    plan = await asyncio.to_thread(plan_import, accepted)
    outcome.duplicates_removed = plan.duplicates_removed
    granted = await _allowance(context, plan, outcome)
    deadline = asyncio.get_running_loop().time() + context.services.settings.http_import_timeout_s
    async for page in _pages(context, outcome, plan, granted, deadline):
        await _store_page(context, outcome, page)
    await _record(context, outcome)
    return outcome


async def _allowance(context: Context, plan: ImportPlan, outcome: ImportOutcome) -> int:
    """How many rows may be embedded today; none at all refuses the import, fewer leave the rest pending."""
    wanted = len(plan.rows)
    granted = await embedding.take_allowance(context, wanted) if wanted else 0
    if granted < wanted:
        outcome.cap = embedding.cap_error(context)
        if granted == 0:
            raise outcome.cap
    return granted


@dataclass(frozen=True, slots=True)
class _Page:
    """The rows to write, and the chunks that the embedder has refused."""

    drafts: Sequence[Draft]
    failed: Sequence[PlannedChunk]


async def _pages(
    context: Context, outcome: ImportOutcome, plan: ImportPlan, granted: int, deadline: float
) -> AsyncIterator[_Page]:
    """Pages ready to be written, in order; the next ones are embedded and drafted while one is being written."""
    pages = [plan.rows[start : start + PAGE] for start in range(0, len(plan.rows), PAGE)]
    tasks: list[asyncio.Task[_Page]] = []
    try:
        for number in range(len(pages)):
            for ahead in range(len(tasks), min(number + 1 + AHEAD, len(pages))):
                quota = max(0, min(PAGE, granted - ahead * PAGE))
                tasks.append(asyncio.create_task(_page(context, outcome, pages[ahead], quota, deadline)))
            yield await tasks[number]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _page(
    context: Context, outcome: ImportOutcome, page: Sequence[PlannedChunk], quota: int, deadline: float
) -> _Page:
    ids = [new_id() for _ in page]  # before anything is waited for: ids follow the order of the chunks
    texts = [embedding_text(planned.chunk.title, planned.chunk.content) for planned in page]
    vectors = await embed_page(context, texts, quota, deadline)
    ready = [ReadyChunk(*each) for each in zip(ids, page, vectors.rows, strict=True)]
    kept = [chunk for place, chunk in enumerate(ready) if place not in vectors.failed]
    drafts = await asyncio.to_thread(draft, context, outcome.base, outcome.import_id, kept)
    return _Page(drafts, [page[place] for place in sorted(vectors.failed)])


async def _store_page(context: Context, outcome: ImportOutcome, page: _Page) -> None:
    """Write one page; a knowledge base that went away in the meantime refuses the rest."""
    for planned in page.failed:
        outcome.rejected += [Rejected(index, "embedding_failed") for index in planned.places[-1:]]
    try:
        written: PageOutcome = await write_page(context, outcome.base.id, outcome.import_id, page.drafts)
    except (KnowledgeBaseArchived, KnowledgeBaseNotFound):
        if not outcome.ids:
            raise
        outcome.rejected += [Rejected(each.chunk.planned.places[-1], ARCHIVED_MEANWHILE) for each in page.drafts]
        return
    outcome.imported += written.inserted
    outcome.updated += written.updated
    outcome.embedded += written.embedded
    outcome.pending += len(page.drafts) - written.embedded
    for each, row_id in zip(page.drafts, written.ids, strict=True):
        outcome.ids.update(dict.fromkeys(each.chunk.planned.places, row_id))
    outcome.warnings = outcome.warnings or written.warnings


async def _record(context: Context, outcome: ImportOutcome) -> None:
    """Keep the run and the audit row; read the counters that the reply tells."""
    for row in outcome.rejected:
        log.info("import.rejected", index=row.index, reason=row.reason, threatId=row.threat_id)
    blocked = Counter(row.threat_id for row in outcome.rejected if row.threat_id)
    base_id = outcome.base.id
    counts = {"imported": outcome.imported, "updated": outcome.updated, "pending": outcome.pending}
    rejected: list[dict[str, Any]] = [{"index": row.index, "reason": row.reason} for row in outcome.rejected]
    async with context.database.write(context.user_id) as session:
        await store.insert_run(session, outcome.import_id, base_id, counts, rejected, context.now)
        await accounts.audit(session, context, "import", "knowledge_base", encode("kb", base_id), counts)
        if blocked:
            record_blocks(session, context, encode("kb", base_id), blocked)
        outcome.base = await store.find(session, base_id) or outcome.base
