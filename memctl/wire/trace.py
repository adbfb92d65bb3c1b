"""Wire types of trace: the conversation behind a memory (contract 6.7)."""

from pydantic import computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, MemorySource, Store
from memctl.wire.fields import ScopeText
from memctl.wire.memories import AnyMemoryId


class TraceRequest(RequestModel):
    """POST /api/mcp/trace."""

    memory_id: AnyMemoryId
    channel: ScopeText = None


class TracedMemory(WireModel):
    """The memory whose origin was asked for."""

    id: str
    title: str
    content: str
    store: Store
    category: Category
    source: MemorySource
    created_at: int


class TracedSource(TracedMemory):
    """A memory that the traced one was made from."""

    archived: bool


class TracedMessage(WireModel):
    """One message of the conversation behind a memory."""

    role: str
    text: str
    timestamp: int | None = None
    message_id: str | None = None

    @computed_field
    @property
    def content(self) -> str:
        """The text again."""
        return self.text


class TracedSnapshot(WireModel):
    """The snapshot behind a memory; of more than 20 messages the first and the last ten."""

    id: str
    messages: list[TracedMessage]
    message_count: int
    omitted_count: int
    created_at: int
    reason: str


class TraceReply(WireModel):
    """Where a memory came from; `reason` is there when no conversation is."""

    memory: TracedMemory
    source_conversation: list[TracedMessage] = []
    context_before: list[TracedMessage] = []
    context_after: list[TracedMessage] = []
    snapshot: TracedSnapshot | None = None
    source_memories: list[TracedSource] = []
    reason: str | None = absent()
