"""The scheduled jobs that make good what is missing: vectors, graph readings, recallTexts, totals (contract 13)."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog

from memd.accounts.every_user import JobResult, changed_since, for_found_users
from memd.context import Context, Services
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import encode
from memd.domain.prompts.recall_text import recall_text
from memd.embed.pending import embed_waiting
from memd.embed.reembedding.earlier_models import retire_earlier_models
from memd.graph.enrichment import enrich, unread_chunks, unread_memories
from memd.jobs import enqueue
from memd.lifecycle import upkeep_store as store
from memd.off_loop import in_thread

log = structlog.get_logger()
ENRICHED: Final = 25
FAILURES: Final = 3
PAGE: Final = 200
RECOUNTED_MS: Final = 7 * DAY_MS
"""Counters only move with changes of the user: this long ago, they have been counted again."""


async def embed_all(services: Services) -> JobResult:
    """`message_embedder`: embed what has no vector, oldest first, within the background half of the allowance.

    After `memd reembed` that includes what was stored with the earlier model until memd was restarted.
    """
    await retire_earlier_models(services.database.for_jobs(), services.current_model.number)
    model = services.model
    return await for_found_users(services, lambda session: store.users_with_pending(session, model), embed_waiting)


async def backfill_graph(services: Services) -> JobResult:
    """`graph_backfill`: let the graph read what it has missed."""
    return await for_found_users(services, store.users_with_unenriched, enrich_missed)


async def enrich_missed(context: Context) -> int:
    """Read at most 25 memories, then chunks, that the graph has not read; three failures in a row end it. How many.

    When there are more, jobs read them page by page.
    """
    missed = await unread_memories(context, ENRICHED)
    if len(missed) < ENRICHED:
        missed += await unread_chunks(context, ENRICHED - len(missed))
    if len(missed) == ENRICHED:
        async with context.database.write(context.user_id) as session:
            enqueue.defer_enrichment(session)
            enqueue.defer_chunk_enrichment(session)
    done = failures = 0
    for memory in missed:
        try:
            done += await enrich(context, memory.id)
            failures = 0
        except Exception:
            failures += 1
            log.exception("graph.not_enriched", memoryId=encode("mem", memory.id))
            if failures == FAILURES:
                raise
    return done


async def backfill_recall_texts(services: Services) -> JobResult:
    """`recall_text_backfill`: make the recallText of rows that have none."""
    return await for_found_users(services, store.users_without_recall_text, make_recall_texts)


async def make_recall_texts(context: Context) -> int:
    """Make them page by page; returns how many."""
    total = 0
    while True:
        async with context.database.write(context.user_id) as session:
            rows = await store.without_recall_text(session, PAGE)
            texts = await in_thread(_recall_texts, rows)
            await store.set_recall_texts(session, texts)
        total += len(rows)
        if len(rows) < PAGE:
            return total


def _recall_texts(rows: Sequence[store.TextRow]) -> dict[UUID, str]:
    """The recallText of each memory. It only computes, so a thread may do it."""
    return {row.id: recall_text(row.content) for row in rows}


async def recount_totals(services: Services) -> JobResult:
    """`stats_cache`: count the totals of users with changes again; rows = totals that were wrong."""
    return await for_found_users(services, changed_since(services.clock() - RECOUNTED_MS), recount)


async def recount(context: Context) -> int:
    """Count one user's totals again; 1 when they were wrong."""
    async with context.database.write(context.user_id) as session:
        return int(await store.recount(session, context.now))
