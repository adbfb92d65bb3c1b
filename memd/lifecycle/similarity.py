"""Candidates and neighbours as the pure decisions take them; few look-ups at once: none holds a connection long."""

from collections.abc import Sequence
from typing import Final

from memd.context import Context
from memd.domain.lifecycle.consolidation import Candidate, Neighbour
from memd.lifecycle import similarity_store
from memd.lifecycle.consolidation_store import PromotionCandidate
from memd.lifecycle.similarity_store import ComparedMemory

LOOKUPS_AT_ONCE: Final = 10


def candidate(row: ComparedMemory | PromotionCandidate, done_at: int | None = None) -> Candidate:
    """A row as the decisions compare it; `done_at` is when the job last processed it."""
    return Candidate(
        id=row.id,
        title=row.title,
        content=row.content,
        created_at=row.created_at,
        channel=row.channel,
        project_id=row.project_id,
        tags=tuple(row.tags),
        done_at=done_at,
    )


async def neighbours_of(
    context: Context,
    rows: Sequence[Candidate],
    *,
    minimum: float,
    limit: int,
    store: str | None = None,
    before: int | None = None,
) -> list[Neighbour]:
    """Each row with its nearest memories in the same channel and project; the limits are those of the SQL."""
    found: list[Neighbour] = []
    by_id = {row.id: row for row in rows}
    for start in range(0, len(rows), LOOKUPS_AT_ONCE):
        ids = [row.id for row in rows[start : start + LOOKUPS_AT_ONCE]]
        async with context.database.owner(context.user_id) as session:
            pairs = await similarity_store.neighbours(
                session,
                ids,
                model=context.services.model,
                minimum=minimum,
                limit=limit,
                store=store,
                before=before,
            )
        found += [Neighbour(by_id[pair.left_id], candidate(pair.memory), pair.cosine) for pair in pairs]
    return found
