"""Enqueueing jobs inside a transaction, for other rooms; deleting old failed ones."""

from typing import Final

from memd.context import Context
from memd.db.session import Deferral, SystemSession, WriteSession
from memd.jobs import store

AWAITED_PRIORITY: Final = 2
"""Priority of what a user waits for: the vector of a logged message."""
SOON_PRIORITY: Final = 1
"""Priority of what makes new rows complete: the graph of a capture."""
LATER_PRIORITY: Final = -1
"""Priority of what can wait for hours. All other jobs have 0; those of higher priority run first."""
PLACES: Final = 100
"""How far the jobs of one user may be behind those of the others."""
ATTEMPTS: Final = "attempts"
"""Key of a running job's payload: the number of earlier attempts that failed or were interrupted."""
MEMORIES: Final = "memories"
"""A graph job that reads memories."""
CHUNKS: Final = "chunks"
"""A graph job that reads chunks."""


def defer_embedding(session: WriteSession) -> None:
    """Embed the rows of the user that have no vector; at most one such job is queued and one runs at a time."""
    name = f"embed:{session.user_id}"
    session.defer(Deferral("embed", {}, queueing_lock=name, lock=name, priority=AWAITED_PRIORITY))


def defer_enrichment(session: WriteSession, *, delay_ms: int = 0) -> None:
    """Read the memories of the user that the graph has not read, in `delay_ms` at the earliest.

    At most one such job is queued and one runs at a time, so what is captured while a job runs is read by the next one
    together.
    """
    name = f"graph:memories:{session.user_id}"
    session.defer(
        Deferral(
            "graph_enrich", {"of": MEMORIES}, queueing_lock=name, lock=name, delay_ms=delay_ms, priority=SOON_PRIORITY
        )
    )


def defer_chunk_enrichment(session: WriteSession) -> None:
    """Read the chunks of the user that the graph has not read; at most one such job is queued and one runs at a time."""
    name = f"graph:chunks:{session.user_id}"
    session.defer(Deferral("graph_enrich", {"of": CHUNKS}, queueing_lock=name, lock=name, priority=LATER_PRIORITY))


def defer_extraction(session: WriteSession, context: Context, turn_id: str, *, waiting: int) -> None:
    """Extract memories from a turn after the configured delay.

    The more of the user's messages are `waiting` to be read, at most `PLACES`, the lower the priority: a user with
    thousands of turns does not hold up those of the others.
    """
    delay_ms = int(context.services.settings.extraction_delay_s * 1000)
    priority = LATER_PRIORITY - min(waiting, PLACES)
    session.defer(Deferral("extract_turn", {"turn_id": turn_id}, delay_ms=delay_ms, priority=priority))


async def delete_failed(session: SystemSession, before: int) -> int:
    """Delete jobs that failed before `before` (epoch ms); returns how many."""
    return await store.delete_failed(session, before)
