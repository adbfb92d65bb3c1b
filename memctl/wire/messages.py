"""Wire types of raw messages: search, recent, log and turn (contract 7.2, 7.3, 7.5, 7.6)."""

import math
from typing import Annotated, Any, Final, Literal

from pydantic import AliasChoices, BeforeValidator, Field, StringConstraints, WithJsonSchema, computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import MessageRole, Order
from memctl.wire.errors import Degradation
from memctl.wire.fields import (
    AnyText,
    Cursor,
    Flag,
    Integer,
    Limit,
    Metadata,
    QueryText,
    RequiredText,
    ScopeText,
    Text500,
    real_number,
)
from memctl.wire.limits import MESSAGE_OFFSET_MAX, MESSAGE_PAGE_MAX, MESSAGE_SEARCH_DEFAULT, MESSAGE_SEARCH_MAX
from memctl.wire.memories import ProjectId
from memctl.wire.moments import MomentFields
from memctl.wire.refusals import out_of_range
from memctl.wire.time_window import TemporalHint, TimeWindowFields, Window
from memctl.wire.times import EpochMs

INDEX_MAX: Final = 2_147_483_647


def _spoken_by(value: Any) -> MessageRole:
    """Every word that is not user or system counts as assistant (contract 1.1.5)."""
    return MessageRole(value) if value in {"user", "system"} else MessageRole.ASSISTANT


def _floored(value: Any) -> int:
    number = max(0, math.floor(real_number(value)))
    if number > INDEX_MAX:
        raise out_of_range(0, INDEX_MAX)
    return number


LenientRole = Annotated[
    MessageRole,
    BeforeValidator(lambda value: _spoken_by(str(value))),
    WithJsonSchema({"description": "user, system; everything else counts as assistant"}, mode="validation"),
]
TurnMessageIndex = Annotated[
    int, BeforeValidator(_floored), WithJsonSchema({"type": "number", "maximum": INDEX_MAX}, mode="validation")
]
RequiredScope = Annotated[str, RequiredText(500)]
Speaker = Annotated[str, StringConstraints(strict=True, max_length=100)]


class MessageRow(WireModel):
    """A stored message; id, text and time are sent under each of their names."""

    id: str
    role: MessageRole
    content: str
    timestamp: int
    channel: str | None = None
    session_key: str | None = None
    turn_id: str | None = None
    turn_message_index: int | None = None
    speaker: str | None = absent()
    metadata: Any = absent()

    @computed_field(alias="_id")
    @property
    def id_twin(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id

    @computed_field(alias="messageId")
    @property
    def message_id(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id

    @computed_field
    @property
    def text(self) -> str:
        """The content again."""
        return self.content

    @computed_field(alias="createdAt")
    @property
    def created_at(self) -> int:
        """The time again."""
        return self.timestamp


class MessageHit(MessageRow):
    """A message that a search found; score is within 0 and 1. A weak one is barely related to the query.

    An `adjacent` one hardly fits the query itself: it is not weak because of the message before or after it.
    """

    score: float
    weak: bool | None = absent()
    adjacent: bool | None = absent()

    @property
    def mark(self) -> Literal["weak", "adjacent"] | None:
        """Why the message itself has little to do with the query; None if it has."""
        return "weak" if self.weak else "adjacent" if self.adjacent else None


class TurnGroup(WireModel):
    """Messages that belong to one turn; a message without a turn stands alone."""

    turn_id: str | None = None
    channel: str | None = None
    session_key: str | None = None
    started_at: int
    ended_at: int
    messages: list[MessageRow]

    @computed_field
    @property
    def timestamp(self) -> int:
        """The beginning again."""
        return self.started_at


class Pagination(WireModel):
    """Where the next page begins."""

    limit: int
    offset: int
    returned: int
    has_more: bool
    next_offset: int | None = None


class SearchMessagesRequest(TimeWindowFields, MomentFields):
    """POST /api/mcp/search-messages.

    `asOf` and `knownAt` leave out what was said later. A message has no period: `validAt` and `includeEnded` change nothing.
    """

    query: QueryText
    channel: ScopeText = None
    session_key: ScopeText = None
    limit: Annotated[int, Limit(1, MESSAGE_SEARCH_MAX)] = MESSAGE_SEARCH_DEFAULT
    offset: Annotated[int, Integer(0, MESSAGE_OFFSET_MAX)] = 0
    agent_id: ScopeText = None
    all_channels: Flag = False


class SearchMessagesReply(WireModel):
    """One page of hits, best first."""

    messages: list[MessageHit]
    turns: list[TurnGroup]
    pagination: Pagination
    window: Window
    temporal_hint: TemporalHint | None = absent()
    degraded: bool = False
    degradation: Degradation | None = absent()


class RecentMessagesRequest(TimeWindowFields):
    """POST /api/mcp/recent-messages."""

    limit: Annotated[int, Limit(1, 100)] = 20
    channel: ScopeText = None
    session_key: ScopeText = None
    agent_id: ScopeText = None
    order: Order = Order.CHRONOLOGICAL
    all_channels: Flag = False


class RecentMessagesReply(WireModel):
    """The newest messages of the window in the order asked for."""

    messages: list[MessageRow]
    turns: list[TurnGroup]
    order: Order
    window: Window


class ListMessagesRequest(TimeWindowFields):
    """GET /api/messages."""

    limit: Annotated[int, Limit(1, MESSAGE_PAGE_MAX)] = Field(
        default=50, validation_alias=AliasChoices("limit", "pageSize")
    )
    cursor: Cursor | None = None
    channel: ScopeText = None
    session_key: ScopeText = None
    agent_id: ScopeText = None
    all_channels: Flag = False


class MessageList(WireModel):
    """One page of messages, newest first; the cursor is blank when `is_done` is true."""

    messages: list[MessageRow] = []
    continue_cursor: str = ""
    is_done: bool


class LogRequest(RequestModel):
    """POST /api/mcp/log."""

    content: Annotated[str, RequiredText(visible=True)]
    role: LenientRole = MessageRole.ASSISTANT
    channel: ScopeText = None
    session_key: ScopeText = None
    turn_id: ScopeText = None
    turn_message_index: TurnMessageIndex | None = None
    timestamp: EpochMs | None = None
    speaker: Speaker | None = None
    metadata: Metadata | None = None
    agent_id: ScopeText = None
    project_id: ProjectId | None = None
    repo_slug: Text500 | None = None


class LogReply(WireModel):
    """The stored message, the one that was already there, or the reason why nothing was stored."""

    ok: Literal[True] = True
    id: str | None = absent()
    timestamp: int | None = absent()
    truncated: bool | None = absent()
    deduped: bool | None = absent()
    skipped: bool | None = absent()
    reason: str | None = absent()


class TurnKey(RequestModel):
    """The part of a turn that is read before any other field: a known turn is answered from the store (7.6)."""

    turn_id: Any = None


class TurnRequest(RequestModel):
    """POST /api/mcp/turn; the required fields are tested in this order."""

    session_key: RequiredScope
    channel: RequiredScope
    turn_id: RequiredScope
    assistant_message: Annotated[str, RequiredText(visible=True)]
    user_message: AnyText | None = None
    platform: Text500 | None = None
    external_user_id: Text500 | None = None
    agent_id: ScopeText = None
    metadata: Metadata | None = None
    project_id: ProjectId | None = None
    repo_slug: Text500 | None = None
    timestamp: EpochMs | None = None
    user_speaker: Speaker | None = None
    assistant_speaker: Speaker | None = None
    capture_mode: Literal["async", "sync-test-only"] = "async"


class TurnMessage(WireModel):
    """The outcome of one message of a turn."""

    role: MessageRole
    id: str | None = absent()
    inserted: bool | None = absent()
    truncated: bool | None = absent()
    skipped: bool | None = absent()
    reason: str | None = absent()


class ExtractionState(WireModel):
    """Whether memories will be made from a turn."""

    scheduled: bool
    mode: str | None = absent()
    reason: str | None = absent()
    result: dict[str, Any] | None = absent()


class TurnReply(WireModel):
    """The stored turn; a turn that is delivered again says so and changes nothing."""

    ok: Literal[True] = True
    deduped: bool
    turn_id: str
    session_key: str
    channel: str
    messages: list[TurnMessage] = Field(default_factory=list[TurnMessage])
    extraction: ExtractionState
