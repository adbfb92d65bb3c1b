"""The queue as other rooms use it: the jobs that they defer inside their transactions, and clearing up behind it."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import Deferral, SystemSession, WriteSession
from memd.jobs import store

ENRICHED_TOGETHER: Final = 25
"""Memories of one job: to queue a job costs more than to read a memory."""


def defer_embedding(session: WriteSession, context: Context) -> None:
    """Embed what the user has stored without a vector; one such job waits at a time."""
    session.defer(Deferral("embed", {}, once=f"embed:{context.user_id}"))


def defer_enrichment(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Find the entities and relations of new or changed memories: one job for each ENRICHED_TOGETHER of them."""
    for start in range(0, len(memory_ids), ENRICHED_TOGETHER):
        together = memory_ids[start : start + ENRICHED_TOGETHER]
        session.defer(Deferral("graph_enrich", {"memory_ids": [str(each) for each in together]}, may_wait=True))


def defer_extraction(session: WriteSession, context: Context, turn_id: str) -> None:
    """Make memories of a turn after the wait that the settings name; once, as its row exists once."""
    delay_ms = int(context.services.settings.extraction_delay_s * 1000)
    session.defer(Deferral("extract_turn", {"turn_id": turn_id}, delay_ms=delay_ms, may_wait=True))


async def forget_failed(session: SystemSession, days: int) -> int:
    """Delete jobs that ended without success more than so many days ago; how many."""
    return await store.forget_failed(session, days)
