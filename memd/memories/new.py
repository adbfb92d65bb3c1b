"""A memory or chunk to be inserted, with every column decided before any SQL, and the result of storing it."""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memd.db.text_index import TextIndex, text_index
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category, ChunkKind, MemorySource, Store
from memd.errors import StorageLimitReached

Vector = npt.NDArray[np.float32]

SOURCES_MAX: Final = 200
"""Messages that a memory names as its sources, the first ones: what is said every day has thousands."""


@dataclass(slots=True, kw_only=True)
class NewMemory:
    """The row to insert; `vector` is None when the embedding has to follow, `last_accessed_at` None for `created_at`.

    `created_by` is the key that writes it, None for a job, in the request `created_request`. It was so from `valid_from`
    until `valid_until` (epoch ms, None for open). `text_index` is None until the insertion builds it;
    `text_score` is that of `memd.domain.lifecycle.salience` for rows that may take the place of a stored one.
    """

    id: UUID
    title: str
    content: str
    content_hash: str
    recall_text: str
    store: Store
    category: Category
    created_at: int
    last_accessed_at: int | None = None
    tags: list[str] = field(default_factory=list[str])
    metadata: Any = None
    channel: str | None = None
    agent_id: str | None = None
    project_id: str | None = None
    session_key: str | None = None
    namespace: str | None = None
    key: str | None = None
    source: MemorySource = MemorySource.EXTERNAL
    strength: float = 0.8
    confidence: float = 0.9
    valence: float = 0.0
    arousal: float = 0.3
    text_score: float = 0.0
    salience_score: float | None = None
    action_triggers: list[str] = field(default_factory=list[str])
    source_snapshot_id: UUID | None = None
    source_message_ids: list[UUID] = field(default_factory=list[UUID])
    source_memory_ids: list[UUID] = field(default_factory=list[UUID])
    supersedes_memory_id: UUID | None = None
    promoted_from: UUID | None = None
    knowledge_base_id: UUID | None = None
    dedupe_key: str | None = None
    chunk_kind: ChunkKind = ChunkKind.CONTENT
    source_url: str | None = None
    source_type: str | None = None
    chunk_index: int | None = None
    total_chunks: int | None = None
    import_id: UUID | None = None
    policy_version: str = ""
    policy_flags: list[str] = field(default_factory=list[str])
    created_by: UUID | None = None
    created_request: UUID | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    vector: Vector | None = None
    text_index: TextIndex | None = None

    @property
    def length(self) -> int:
        """Of the content, in code points."""
        return len(self.content)

    def make_text_index(self, user_id: UUID, default: Language) -> TextIndex:
        """The text index of the row, made once. It only computes, so a thread may do it."""
        if self.text_index is None:
            self.text_index = text_index(user_id, (self.title, self.content), self.tags, default)
        return self.text_index


class Duplicate(NamedTuple):
    """An active memory with the store, content and channel of a row to store."""

    id: UUID
    tags: list[str]
    created_at: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of storing a row: stored, or not because it is a `duplicate`, or `refused` because the quota is full."""

    duplicate: Duplicate | None = None
    refused: StorageLimitReached | None = None

    @property
    def stored(self) -> bool:
        """Whether the row is a new memory now."""
        return self.duplicate is None and self.refused is None
