"""Rows as a store reads them, for tests of what is decided about them."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID


class Row(NamedTuple):
    """A stored row with the fields of `memd.domain.ranking.stored_row`."""

    id: UUID
    title: str = "Title"
    content: str = "Content"
    created_at: int = 0
    last_accessed_at: int = 0
    strength: float = 0.0
    access_count: int = 0
    channel: str | None = None
    salience_score: float | None = None
    recall_text: str | None = None
    store: str = "semantic"
    category: str = "fact"
    tags: Sequence[str] = ()
    metadata: str | None = None
    project_id: str | None = None
    confidence: float = 1.0
