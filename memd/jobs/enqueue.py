"""Enqueueing jobs inside a transaction, for other rooms; deleting old failed ones."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import Deferral, SystemSession, WriteSession
from memd.jobs import store

ENRICHMENT_BATCH: Final = 25
"""Memories per job: enqueueing a job costs more than reading a memory."""


def defer_embedding(session: WriteSession, context: Context) -> None:
    """Embed the rows of the user that have no vector; at most one such job is queued at a time."""
    session.defer(Deferral("embed", {}, queueing_lock=f"embed:{context.user_id}"))


def defer_enrichment(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Extract the entities and relations of new or changed memories, in jobs of ENRICHMENT_BATCH memories."""
    for start in range(0, len(memory_ids), ENRICHMENT_BATCH):
        batch = memory_ids[start : start + ENRICHMENT_BATCH]
        session.defer(Deferral("graph_enrich", {"memory_ids": [str(each) for each in batch]}, low_priority=True))


def defer_extraction(session: WriteSession, context: Context, turn_id: str) -> None:
    """Extract memories from a turn after the configured delay."""
    delay_ms = int(context.services.settings.extraction_delay_s * 1000)
    session.defer(Deferral("extract_turn", {"turn_id": turn_id}, delay_ms=delay_ms, low_priority=True))


async def delete_failed(session: SystemSession, days: int) -> int:
    """Delete jobs that failed more than so many days ago; how many."""
    return await store.delete_failed(session, days)
