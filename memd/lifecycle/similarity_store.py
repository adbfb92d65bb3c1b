"""The SQL of similarity: candidates of a job, and their nearest neighbours inside one channel and project."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self
from uuid import UUID

from memd.db.session import OwnerSession, SystemSession
from memd.db.sql.work import CONSOLIDATION_DUE, LIVE
from memd.db.typed_rows import ComposedRow


class ComparedMemory(NamedTuple):
    """A memory that is compared with others, and when each job last processed it (epoch ms)."""

    id: UUID
    title: str
    content: str
    created_at: int
    channel: str | None
    project_id: str | None
    tags: list[str]
    associated_at: int | None
    consolidated_at: int | None


@dataclass(frozen=True, slots=True)
class SimilarMemory(ComposedRow):
    """A memory near another one, `left_id`."""

    left_id: UUID
    cosine: float
    memory: ComparedMemory

    _fields: ClassVar[tuple[str, ...]] = ("left_id", "cosine", *ComparedMemory._fields)

    @classmethod
    def _make(cls, columns: Iterable[Any]) -> Self:
        """The row of a statement, with the last columns as the memory."""
        left_id, cosine, *memory = columns
        return cls(left_id, cosine, ComparedMemory._make(memory))


READ_CHARACTERS: Final = 4_000
"""Characters of a content that are read for a comparison."""
_CANDIDATE: Final = f"""
m.id, m.title, left(m.content, {READ_CHARACTERS}) AS content, m.created_at, m.channel, m.project_id, m.tags,
m.associated_at, m.consolidated_at
"""
_LIVE: Final = "NOT m.archived AND NOT m.blocked AND m.knowledge_base_id IS NULL AND NOT m.embedding_pending"


async def associable(session: OwnerSession, before: int, limit: int) -> list[ComparedMemory]:
    """Memories that no association has processed since `before` (epoch ms), those never processed first."""
    return await session.rows(
        ComparedMemory,
        f"""
        SELECT {_CANDIDATE} FROM memory m
        WHERE m.user_id = %(user)s AND {_LIVE} AND (m.associated_at IS NULL OR m.associated_at <= %(before)s)
        ORDER BY m.associated_at NULLS FIRST, m.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "before": before, "limit": limit},
    )


async def users_associable(session: SystemSession, before: int) -> list[UUID]:
    """Users with memories not seen by an association since `before` (epoch ms)."""
    return await session.values(
        f"""
        SELECT user_id FROM memory WHERE {LIVE} AND associated_at IS NULL
        UNION SELECT user_id FROM memory WHERE {LIVE} AND associated_at <= %(before)s ORDER BY user_id
        """,
        {"before": before},
    )


async def users_with_candidates(session: SystemSession) -> list[UUID]:
    """Users with sensory memories that no consolidation has processed, or with memories to promote."""
    return await session.values(f"SELECT DISTINCT user_id FROM memory WHERE {LIVE} AND ({CONSOLIDATION_DUE})")


async def sensory_memories(session: OwnerSession, before: int, limit: int) -> list[ComparedMemory]:
    """The oldest sensory memories made before `before` (epoch ms) that no consolidation has processed."""
    return await session.rows(
        ComparedMemory,
        f"""
        SELECT {_CANDIDATE} FROM memory m
        WHERE m.user_id = %(user)s AND {_LIVE} AND m.store = 'sensory' AND m.consolidated_at IS NULL
          AND m.created_at < %(before)s
        ORDER BY m.created_at, m.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "before": before, "limit": limit},
    )


_NEIGHBOURS = f"""
SELECT v.memory_id AS left_id, near.cosine, {_CANDIDATE}
FROM memory_vector v
CROSS JOIN LATERAL (
  SELECT n.memory_id, 1 - (n.embedding <=> v.embedding) AS cosine FROM memory_vector n
  WHERE n.user_id = %(user)s AND n.model = %(model)s AND n.live AND n.knowledge_base_id IS NULL
    AND n.memory_id <> v.memory_id
    AND n.channel IS NOT DISTINCT FROM v.channel AND n.project_id IS NOT DISTINCT FROM v.project_id
    AND (%(store)s::text IS NULL OR n.store = %(store)s)
    AND (%(before)s::bigint IS NULL OR EXISTS (
      SELECT FROM memory o WHERE o.user_id = %(user)s AND o.id = n.memory_id AND o.created_at < %(before)s))
  ORDER BY n.embedding <=> v.embedding LIMIT %(limit)s
) near
JOIN memory m ON m.user_id = %(user)s AND m.id = near.memory_id
WHERE v.user_id = %(user)s AND v.model = %(model)s AND v.memory_id = ANY(%(ids)s) AND near.cosine >= %(least)s
ORDER BY v.memory_id, near.cosine DESC, m.id
"""


async def neighbours(
    session: OwnerSession,
    memory_ids: Sequence[UUID],
    *,
    model: int,
    minimum: float,
    limit: int,
    store: str | None = None,
    before: int | None = None,
) -> list[SimilarMemory]:
    """The nearest of each of these memories in its own channel and project.

    At most `limit` each, none below the cosine `minimum`; of one store only, and older than `before`, where given.
    """
    return await session.rows(
        SimilarMemory,
        _NEIGHBOURS,
        {
            "user": session.user_id,
            "ids": list(memory_ids),
            "model": model,
            "least": minimum,
            "limit": limit,
            "store": store,
            "before": before,
        },
    )
