"""From stored rows to the candidates that the domain ranks."""

from uuid import UUID

from memd.db.session import Row
from memd.domain.lanes import Lane, lanes_of
from memd.domain.ranking import Candidate
from memd.domain.text_match import QueryTerms, memory_match


def candidate(
    row: Row,
    text_match: float,
    *,
    cosine: float | None = None,
    text_score: float | None = None,
    by_vector: bool = False,
    project_id: str | None = None,
    link_confidence: float | None = None,
    role_value: float | None = None,
    knowledge_base_score: float | None = None,
) -> Candidate:
    """A row with its `text_match` and what the lanes found out about it; `project_id` is that of the request."""
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
        lanes=(Lane.KB,) if base is not None else _lanes(row, by_vector, text_match),
        text_match=text_match,
    )


def _lanes(row: Row, by_vector: bool, text_match: float) -> tuple[Lane, ...]:
    return lanes_of(by_vector=by_vector, by_text=row["by_text"], by_recent=row["by_recent"], text_match=text_match)


def text_match_of(row: Row, terms: QueryTerms) -> float:
    """The keyword score of a row."""
    return memory_match(terms, row["title"], row["content"], row["tags"])
