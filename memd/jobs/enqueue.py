"""Enqueueing jobs inside a transaction, for other rooms; deleting old failed ones."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import Deferral, SystemSession, WriteSession
from memd.jobs import store

ENRICHMENT_BATCH: Final = 200
"""Memories per job: they share a transaction."""
AWAITED: Final = 2
"""Priority of what a user waits for: the vector of a logged message."""
SOON: Final = 1
"""Priority of what makes new rows complete: the graph of a capture."""
CATCH_UP: Final = -1
"""Priority of what can wait for hours. All other jobs have 0; those of higher priority run first."""


def defer_embedding(session: WriteSession, context: Context) -> None:
    """Embed the rows of the user that have no vector; at most one such job is queued at a time."""
    session.defer(Deferral("embed", {}, queueing_lock=f"embed:{context.user_id}", priority=AWAITED))


def defer_enrichment(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Extract the entities and relations of new or changed memories, in jobs of ENRICHMENT_BATCH memories."""
    for start in range(0, len(memory_ids), ENRICHMENT_BATCH):
        batch = memory_ids[start : start + ENRICHMENT_BATCH]
        session.defer(Deferral("graph_enrich", {"memory_ids": [str(each) for each in batch]}, priority=SOON))


def defer_chunk_enrichment(session: WriteSession, context: Context) -> None:
    """Read the chunks of the user that the graph has not read; at most one such job is queued at a time."""
    session.defer(Deferral("graph_enrich", {}, queueing_lock=f"graph:{context.user_id}", priority=CATCH_UP))


def defer_extraction(session: WriteSession, context: Context, turn_id: str) -> None:
    """Extract memories from a turn after the configured delay."""
    delay_ms = int(context.services.settings.extraction_delay_s * 1000)
    session.defer(Deferral("extract_turn", {"turn_id": turn_id}, delay_ms=delay_ms, priority=CATCH_UP))


async def delete_failed(session: SystemSession, days: int) -> int:
    """Delete jobs that failed more than so many days ago; how many."""
    return await store.delete_failed(session, days)
