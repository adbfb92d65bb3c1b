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
    lanes = (Lane.KB,) if base is not None else _lanes(row, by_vector, text_match)
    return Candidate(  # by place, which is made twice as fast as by name
        row["id"],
        row["title"],
        row["content"],
        row["created_at"],
        row["last_accessed_at"],
        tuple(row["tags"]),
        row["strength"],
        row["access_count"],
        row["channel"],
        cosine,
        text_score,
        link_confidence,
        project_id is not None and row["project_id"] == project_id,
        base,
        role_value,
        row["salience_score"],
        knowledge_base_score,
        lanes,
        text_match,
    )


def _lanes(row: Row, by_vector: bool, text_match: float) -> tuple[Lane, ...]:
    return lanes_of(by_vector=by_vector, by_text=row["by_text"], by_recent=row["by_recent"], text_match=text_match)


def text_match_of(row: Row, terms: QueryTerms) -> float:
    """The keyword score of a row."""
    return memory_match(terms, row["title"], row["content"], row["tags"])
