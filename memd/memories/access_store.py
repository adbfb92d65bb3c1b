"""The SQL of access counts and recall activity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.db.session import WriteSession
from memd.domain.schedule.clock_jump import TOLERANCE_MS


@dataclass(frozen=True, slots=True)
class RecallTrace:
    """One reply: the memories that it returned, to which request, when (epoch ms), and what `source` returned them."""

    memory_ids: Sequence[UUID]
    request_id: UUID
    at: int
    source: str


async def count_access(session: WriteSession, counts: Mapping[UUID, int], moments: Mapping[UUID, int]) -> None:
    """The further accesses of each row, and the moment of the last one (epoch ms).

    Accesses are counted with a delay, so an earlier one never replaces a later one, unless the clock was ahead for that.
    """
    ids = sorted(counts)
    await session.execute(
        """
        UPDATE memory m
        SET access_count = m.access_count + a.count,
            last_accessed_at = CASE WHEN m.last_accessed_at > a.at + %(tolerance)s THEN a.at
                                    ELSE greatest(m.last_accessed_at, a.at) END
        FROM unnest(%(ids)s::uuid[], %(counts)s::int[], %(moments)s::bigint[]) a (id, count, at)
        WHERE m.user_id = %(user)s AND m.id = a.id
        """,
        {
            "user": session.user_id,
            "ids": ids,
            "counts": [counts[memory_id] for memory_id in ids],
            "moments": [moments[memory_id] for memory_id in ids],
            "tolerance": TOLERANCE_MS,
        },
    )


async def add_recall_activity(session: WriteSession, replies: Sequence[RecallTrace]) -> None:
    """One activity row for each returned memory that still exists."""
    rows = [(memory_id, reply) for reply in replies for memory_id in reply.memory_ids]
    await session.execute(
        """
        INSERT INTO recall_activity (user_id, memory_id, request_id, at, source)
        SELECT m.user_id, m.id, a.request_id, a.at, a.source
        FROM unnest(%(ids)s::uuid[], %(requests)s::uuid[], %(moments)s::bigint[], %(sources)s::text[])
             a (id, request_id, at, source)
        JOIN memory m ON m.user_id = %(user)s AND m.id = a.id
        ON CONFLICT DO NOTHING
        """,
        {
            "user": session.user_id,
            "ids": [memory_id for memory_id, _ in rows],
            "requests": [reply.request_id for _, reply in rows],
            "moments": [reply.at for _, reply in rows],
            "sources": [reply.source for _, reply in rows],
        },
    )
