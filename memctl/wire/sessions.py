"""Wire types of sessions: wake, session, snapshot and checkpoint (contract 7.1, 7.4, 7.7, 6.9)."""

from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, RootModel, StringConstraints, computed_field, model_validator

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, MessageRole, Store, Tier
from memctl.wire.fields import (
    AnyText,
    Cursor,
    Flag,
    Identifier,
    Integer,
    Limit,
    MemoryId,
    RequiredText,
    ScopeText,
    TagList,
)
from memctl.wire.limits import CHECKPOINT_DESCRIPTION_MAX, CHECKPOINT_LABEL_MAX
from memctl.wire.messages import MessageRow, RequiredScope, TurnGroup
from memctl.wire.profile import SubjectProfile
from memctl.wire.prompt_context import TOKEN_BUDGET_MAX, TOKEN_BUDGET_MIN
from memctl.wire.refusals import missing_field
from memctl.wire.time_window import TimeWindowFields


class WakeRequest(RequestModel):
    """POST or GET /api/mcp/wake; `budget` is the most tokens of the briefing, counted as in `context` by `estimate`."""

    channel: ScopeText = None
    agent_id: ScopeText = None
    session_key: ScopeText = None
    budget: Annotated[int, Integer(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX)] | None = None


class WakeMemory(WireModel):
    """A memory that was used lately."""

    id: str
    title: str
    content: str
    store: Store
    category: Category
    tags: list[str]
    created_at: int
    last_accessed_at: int


class WakePointer(WireModel):
    """A goal, decision or guardrail of the briefing."""

    title: str
    memory_id: str
    store: Store
    category: Category


class WakeCheckpoint(WireModel):
    """The last checkpoint of the channel."""

    id: str
    label: str
    description: str | None = None
    created_at: int


class WakeReply(WireModel):
    """The state that an agent starts with; the briefing is sent under three names."""

    last_session_summary: str = ""
    recent_messages: list[MessageRow] = []
    briefing: str
    recent_turns: list[TurnGroup] = []
    recent_memories: list[WakeMemory] = []
    last_checkpoint: WakeCheckpoint | None = None
    open_goals: list[WakePointer] = []
    recent_decisions: list[WakePointer] = []
    guardrails: list[WakePointer] = []
    profiles: list[SubjectProfile] = []

    @computed_field
    @property
    def summary(self) -> str:
        """The briefing again."""
        return self.briefing

    @computed_field
    @property
    def text(self) -> str:
        """The briefing again."""
        return self.briefing


class SessionRequest(TimeWindowFields):
    """POST /api/mcp/session; the bounds of time are raw values (contract 7.0)."""

    session_key: RequiredScope
    limit: Annotated[int, Limit(1, 50)] = Field(default=12, validation_alias=AliasChoices("limit", "recentLimit"))
    channel: ScopeText = None
    agent_id: ScopeText = None
    all_channels: Flag = False


class SessionExcerpt(WireModel):
    """The beginning of one message."""

    message_id: str
    role: MessageRole
    timestamp: int
    turn_id: str | None = None
    turn_message_index: int | None = None
    excerpt: str


class RoleCounts(WireModel):
    """Messages of a session by speaker."""

    user: int = 0
    assistant: int = 0
    system: int = 0


class SessionSummary(WireModel):
    """Figures of a session; an unknown one counts 0."""

    session_key: str
    channel: str | None = None
    message_count: int = 0
    turn_count: int = 0
    first_timestamp: int | None = None
    last_timestamp: int | None = None
    roles: RoleCounts = RoleCounts()
    recent_excerpts: list[SessionExcerpt] = []


class ListSessionsRequest(RequestModel):
    """GET /api/sessions."""

    channel: ScopeText = None
    agent_id: ScopeText = None
    all_channels: Flag = False
    limit: Annotated[int, Limit(1, 200)] = 50
    cursor: Cursor | None = None


class SessionRow(WireModel):
    """A session; times are those of its first and last message that is stored."""

    session_key: str
    channel: str | None = None
    message_count: int
    first_timestamp: int
    last_timestamp: int


class SessionList(WireModel):
    """One page of sessions, the last used first; the cursor is blank when `is_done` is true."""

    sessions: list[SessionRow] = []
    continue_cursor: str = ""
    is_done: bool


class SessionReply(WireModel):
    """A session with its newest messages."""

    summary: SessionSummary
    messages: list[MessageRow] = []
    turns: list[TurnGroup] = []


class CheckpointRequest(RequestModel):
    """POST /api/mcp/checkpoint: create, list or delete."""

    mode: Literal["create", "list", "delete"] = "create"
    label: Annotated[str, RequiredText(CHECKPOINT_LABEL_MAX)] | None = Field(
        default=None, validation_alias=AliasChoices("label", "title")
    )
    description: Annotated[str, StringConstraints(strict=True, max_length=CHECKPOINT_DESCRIPTION_MAX)] | None = Field(
        default=None, validation_alias=AliasChoices("description", "content")
    )
    tags: TagList = []
    memory_ids: list[MemoryId] = []
    channel: ScopeText = None
    session_key: ScopeText = Field(default=None, validation_alias=AliasChoices("sessionKey", "sessionId"))
    semantic_summary: AnyText | None = None
    limit: Annotated[int, Limit(1, 100)] = 20
    checkpoint_id: Annotated[str, Identifier("ckpt", required=True)] | None = Field(
        default=None, validation_alias=AliasChoices("checkpointId", "id")
    )

    @model_validator(mode="after")
    def complete_for_its_mode(self) -> Self:
        """Refuse a creation without label and a deletion without id."""
        if self.mode == "create" and self.label is None:
            raise missing_field("label")
        if self.mode == "delete" and self.checkpoint_id is None:
            raise missing_field("checkpointId")
        return self


class CheckpointCreated(WireModel):
    """A new checkpoint and what is left of the allowance."""

    ok: Literal[True] = True
    id: str
    timestamp: int
    memory_count: int
    retained_count: int
    allowance: int
    tier: Tier

    @computed_field(alias="checkpointId")
    @property
    def checkpoint_id(self) -> str:
        """The id again."""
        return self.id


class CheckpointRow(WireModel):
    """A checkpoint of the list; time and id are sent under both names."""

    id: str
    label: str
    description: str | None = None
    created_at: int
    created_by: str | None = None
    channel: str | None = None
    session_key: str | None = None
    semantic_summary: str | None = None
    tags: list[str] = []
    memory_count: int

    @computed_field(alias="checkpointId")
    @property
    def checkpoint_id(self) -> str:
        """The id again."""
        return self.id

    @computed_field
    @property
    def timestamp(self) -> int:
        """The time of creation again."""
        return self.created_at


class CheckpointMemory(WireModel):
    """A memory as a checkpoint keeps it: the beginning of its title and content, not a copy."""

    memory_id: str
    title: str
    content: str
    store: Store
    tags: list[str] = []
    strength: float


class Checkpoint(CheckpointRow):
    """A checkpoint with its memories."""

    memories: list[CheckpointMemory] = []


class CheckpointShown(WireModel):
    """GET /api/checkpoints/{id}."""

    checkpoint: Checkpoint


class CheckpointList(WireModel):
    """Checkpoints, newest first."""

    checkpoints: list[CheckpointRow] = []
    allowance: int
    retained_count: int
    tier: Tier


class CheckpointDeleted(WireModel):
    """A checkpoint that is gone."""

    ok: Literal[True] = True
    deleted: bool = True
    checkpoint_id: str | None = absent()


class CheckpointReply(RootModel[CheckpointCreated | CheckpointList | CheckpointDeleted]):
    """The reply to POST /api/mcp/checkpoint, by the mode of the request."""
