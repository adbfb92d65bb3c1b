"""Wire types of single memories: capture, supersede, forget and memory (contract 6.1, 6.4–6.6)."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, WithJsonSchema, computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, ChunkKind, MemorySource, Store
from memctl.wire.fields import (
    Identifier,
    Metadata,
    Number,
    RequiredText,
    ScopeText,
    TagList,
    Text500,
    ToolNames,
    Unit,
)
from memctl.wire.key_fields import KeyText, NamespaceText
from memctl.wire.limits import CONTENT_MAX, TITLE_MAX
from memctl.wire.time_window import PeriodBound
from memctl.wire.times import EpochMs

Title = Annotated[str, RequiredText(TITLE_MAX, visible=True)]
Content = Annotated[str, RequiredText(CONTENT_MAX, visible=True)]
ProjectId = Annotated[str, Field(strict=True, max_length=200)]
Valence = Annotated[float, Number(-1, 1)]
CaptureSource = Literal["external", "cron", "observation", "inference"]
RequiredMemoryId = Annotated[str, Identifier("mem", required=True)]
AnyMemoryId = Annotated[RequiredMemoryId, Field(validation_alias=AliasChoices("memoryId", "id"))]


class MemoryIdTwins(WireModel):
    """A row whose id is also sent as `_id` and `memoryId`."""

    id: str

    @computed_field(alias="_id")
    @property
    def id_twin(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id

    @computed_field(alias="memoryId")
    @property
    def memory_id(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id


class CaptureRequest(RequestModel):
    """POST /api/mcp/capture; the two times are for back-fills, as `timestamp` is for messages.

    With a `key`, the active memory of the same namespace and key is replaced in place (contract 17.2).
    """

    title: Title
    content: Content
    store: Store = Store.EPISODIC
    category: Category = Category.CONVERSATION
    channel: ScopeText = None
    tags: TagList = []
    action_triggers: ToolNames = []
    metadata: Metadata | None = None
    confidence: Unit | None = None
    arousal: Unit | None = None
    strength: Unit | None = None
    valence: Valence | None = None
    source: CaptureSource = "external"
    agent_id: ScopeText = None
    project_id: ProjectId | None = None
    repo_slug: Text500 | None = None
    source_snapshot_id: Annotated[str, Identifier("snap")] | None = None
    session_key: ScopeText = None
    created_at: EpochMs | None = None
    last_accessed_at: EpochMs | None = None
    namespace: NamespaceText = None
    key: KeyText = None
    valid_from: PeriodBound = None
    valid_until: PeriodBound = None


class CaptureReply(WireModel):
    """The stored row; for a replay of an automatic capture the row that was already there.

    `valid_from` and `valid_until` are its period, given or read from its text; absent where it has none.
    """

    ok: Literal[True] = True
    id: str
    created_at: int
    embedding: list[float]
    store: Store | None = absent()
    category: Category | None = absent()
    recall_text: str | None = absent()
    degraded: bool | None = absent()
    duplicate: bool | None = absent()
    replaced: bool | None = absent()
    valid_from: int | None = absent()
    valid_until: int | None = absent()
    error: str | None = absent()
    existing_memory_id: str | None = absent()
    details: str | None = absent()


class SupersedeRequest(RequestModel):
    """POST /api/mcp/supersede and /api/mcp/supercede; what is not sent is inherited."""

    old_memory_id: RequiredMemoryId = Field(validation_alias=AliasChoices("oldMemoryId", "memoryId"))
    title: Title
    content: Content
    store: Store | None = None
    category: Category | None = None
    tags: TagList | None = None
    metadata: Metadata | None = None
    confidence: Unit | None = None
    strength: Unit | None = None
    valence: Valence | None = None
    arousal: Unit | None = None
    action_triggers: ToolNames | None = None
    channel: ScopeText = None
    agent_id: ScopeText = None
    reason: Text500 | None = None
    valid_from: PeriodBound = None
    valid_until: PeriodBound = None


class SupersedeReply(WireModel):
    """The old and the new memory; the period is that of the new one, which begins at `created_at` unless one is named."""

    success: Literal[True] = True
    action: Literal["superseded"] = "superseded"
    old_memory_id: str
    new_memory_id: str
    created_at: int | None = absent()
    valid_from: int | None = absent()
    valid_until: int | None = absent()

    def named_start(self) -> int | None:
        """The beginning of the period; None for one that simply begins when the memory was stored."""
        return None if self.valid_from in {self.created_at, self.valid_until} else self.valid_from

    reason: str | None = absent()

    @computed_field
    @property
    def id(self) -> str:
        """The new memory's id again."""
        return self.new_memory_id


def _literally_true(value: Any) -> bool:
    return value is True


LiteralTrue = Annotated[
    bool,
    BeforeValidator(_literally_true),
    WithJsonSchema({"description": "true; everything else counts as false"}, mode="validation"),
]


class ForgetRequest(RequestModel):
    """POST /api/mcp/forget; only a literal true deletes, everything else archives."""

    memory_id: AnyMemoryId
    permanent: LiteralTrue = False
    channel: ScopeText = None
    agent_id: ScopeText = None
    reason: Text500 | None = None


class ForgetReply(WireModel):
    """The outcome for the memory: archived or deleted."""

    success: Literal[True] = True
    memory_id: str
    title: str
    action: Literal["archived", "deleted"]
    archived: bool


class MemoryRequest(RequestModel):
    """POST /api/mcp/memory."""

    memory_id: AnyMemoryId
    channel: ScopeText = None
    agent_id: ScopeText = None


class MemoryDetail(WireModel):
    """One memory in full; values that are absent are null, but a memory outside a knowledge base has no KB fields."""

    id: str
    title: str
    content: str
    recall_text: str | None = None
    metadata: Any = None
    store: Store
    category: Category
    tags: list[str]
    created_at: int
    updated_at: int
    last_accessed_at: int
    access_count: int
    strength: float
    confidence: float
    valence: float
    arousal: float
    source: MemorySource
    channel: str | None = None
    namespace: str | None = absent()
    key: str | None = absent()
    archived: bool
    action_triggers: list[str] | None = None
    knowledge_base_id: str | None = absent()
    dedupe_key: str | None = absent()
    chunk_kind: ChunkKind
    supersedes_memory_id: str | None = None
    superseded_by_memory_id: str | None = None
    superseded_at: int | None = None
    graph_enriched: bool
    graph_enriched_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    versions: int = 1

    @computed_field(alias="_id")
    @property
    def id_twin(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id


class MemoryReply(WireModel):
    """Reply of POST /api/mcp/memory."""

    memory: MemoryDetail
