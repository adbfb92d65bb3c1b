"""From stored rows to the candidates that the domain ranks."""

from collections.abc import Sequence
from uuid import UUID

from memd.db.session import ReadSession, Row
from memd.domain.lanes import Lane
from memd.domain.ranking import Candidate
from memd.domain.scoping import ChunkScope, VisibleScopes
from memd.recall import store


def candidate(
    row: Row,
    *,
    cosine: float | None = None,
    text_score: float | None = None,
    project_id: str | None = None,
    link_confidence: float | None = None,
    role_value: float | None = None,
    knowledge_base_score: float | None = None,
) -> Candidate:
    """A wide row with what the lanes found out about it; `project_id` is that of the request."""
    base: UUID | None = row["knowledge_base_id"]
    return Candidate(
        id=row["id"],
        title=row["title"],
        content=row["content"],
        created_at=row["created_at"],
        last_accessed_at=row["last_accessed_at"],
        tags=tuple(row["tags"]),
        strength=row["strength"],
        access_count=row["access_count"],
        channel=row["channel"],
        vector_score=cosine,
        text_score=text_score,
        graph_link_confidence=link_confidence,
        same_project=project_id is not None and row["project_id"] == project_id,
        knowledge_base_id=base,
        role_value=role_value,
        salience=row["salience_score"],
        knowledge_base_score=knowledge_base_score,
        lanes=(Lane.KB,) if base is not None else (),
    )


async def fetch(
    session: ReadSession,
    scopes: VisibleScopes,
    chunks: Sequence[tuple[UUID, ChunkScope]],
    memory_ids: Sequence[UUID],
) -> dict[UUID, Row]:
    """The wide rows of memories and chunks by id, as far as the request sees them."""
    return await store.rows(session, scopes, chunks, memory_ids) if memory_ids else {}
