"""Wire types of the export of memories (contract 6.13)."""

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from memctl.wire.base import WireModel, absent
from memctl.wire.enums import Category, ChunkKind, MemorySource, Store
from memctl.wire.fields import Cursor, Flag, Limit
from memctl.wire.key_fields import NamespaceText, Where
from memctl.wire.limits import EXPORT_PAGE_DEFAULT, EXPORT_PAGE_MAX
from memctl.wire.moments import MomentFields
from memctl.wire.time_window import Bound, TimeWindowFields


class ExportRequest(TimeWindowFields, MomentFields):
    """GET /api/memories: `createdAfter` and `createdBefore` take precedence over the other time bounds (contract 7.0)."""

    page_size: Annotated[int, Limit(1, EXPORT_PAGE_MAX)] = Field(
        default=EXPORT_PAGE_DEFAULT, validation_alias=AliasChoices("pageSize", "limit")
    )
    cursor: Cursor | None = None
    store: Store | None = None
    category: Category | None = None
    created_after: Bound = None
    created_before: Bound = None
    include_knowledge_bases: Flag = True
    namespace: NamespaceText = None
    where: Where | None = None


class ExportedChunk(WireModel):
    """Where an exported chunk comes from."""

    source_url: str | None = absent()
    source_type: str | None = absent()
    chunk_index: int | None = absent()
    total_chunks: int | None = absent()


class ExportedMemory(WireModel):
    """An active memory or chunk of the export, with all fields needed to restore it."""

    id: str
    title: str
    content: str
    recall_text: str | None = None
    chunk_kind: ChunkKind
    store: Store
    category: Category
    tags: list[str]
    channel: str | None = None
    source: MemorySource
    strength: float
    confidence: float
    valence: float | None = absent()
    arousal: float | None = absent()
    archived: bool
    metadata: Any = None
    action_triggers: list[str] | None = absent()
    agent_id: str | None = absent()
    project_id: str | None = absent()
    session_key: str | None = absent()
    namespace: str | None = absent()
    key: str | None = absent()
    knowledge_base_id: str | None = absent()
    dedupe_key: str | None = absent()
    chunk: ExportedChunk | None = absent()
    created_at: int
    last_accessed_at: int
    valid_from: int | None = absent()
    valid_until: int | None = absent()
    ended: bool | None = absent()


class ExportPagination(WireModel):
    """Where the next page begins; `cursor` is null when the export is done."""

    page_size: int
    cursor: str | None = None
    is_done: bool


class ExportReply(WireModel):
    """One page of the export, newest first."""

    memories: list[ExportedMemory]
    pagination: ExportPagination
