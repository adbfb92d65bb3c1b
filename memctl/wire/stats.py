"""Wire types of the statistics (contract 6.10)."""

from typing import Annotated

from pydantic import ConfigDict, Field, computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, Policy, Store, Tier
from memctl.wire.fields import Limit
from memctl.wire.limits import ACTIVITY_DAYS_MAX


class MemoryCount(WireModel):
    """Active memories without KB chunks; every store and every category is named."""

    by_store: dict[Store, int]
    by_category: dict[Category, int]


class TtlStatus(WireModel):
    """How long messages are kept, in days, and how many there are; the wire names are snake_case."""

    model_config = ConfigDict(alias_generator=None)

    free_tier_expires_in_days: int
    messages_stored: int


class Usage(WireModel):
    """Usage against the limits of the tier; 999999 means no limit; the wire names are snake_case."""

    model_config = ConfigDict(alias_generator=None)

    tier: Tier
    policy: Policy
    memory_limit: int
    memories_used: int
    percent_used: float
    messages_limit: int
    embeddings_used_today: int
    embeddings_limit: int


class StrongMemory(WireModel):
    """One of the ten strongest memories."""

    id: str
    title: str
    store: Store
    category: Category
    strength: float


class KnowledgeBaseCounts(WireModel):
    """Knowledge bases and their chunks."""

    active: int = 0
    archived: int = 0
    chunks: int = 0


class StatsReply(WireModel):
    """GET or POST /api/mcp/stats; totals are sent under each of their names.

    `languages`: the number of memories, chunks and messages in each language. `embeddingNote` says that most of them are
    in languages that the embedding model does not read, and which command changes the model.
    """

    memory_count: MemoryCount
    ttl_status: TtlStatus
    usage: Usage
    total: int
    archived: int
    api_key_label: str | None = None
    avg_strength: float
    recent_captures: int
    strongest: list[StrongMemory] = []
    knowledge_bases: KnowledgeBaseCounts
    enrichment_percent: float
    languages: dict[str, int] = {}
    embedding_note: str | None = absent()

    @computed_field(alias="totalMemories")
    @property
    def total_memories(self) -> int:
        """The number of active memories again."""
        return self.total

    @computed_field
    @property
    def count(self) -> int:
        """The number of active memories again."""
        return self.total

    @computed_field(alias="archivedCount")
    @property
    def archived_count(self) -> int:
        """The number of archived memories again."""
        return self.archived

    @computed_field(alias="byStore")
    @property
    def by_store(self) -> dict[Store, int]:
        """Memories by store again."""
        return self.memory_count.by_store


class ActivityRequest(RequestModel):
    """GET /api/activity; how many days, the current one included."""

    days: Annotated[int, Limit(1, ACTIVITY_DAYS_MAX)] = Field(default=ACTIVITY_DAYS_MAX)


class ActivityReply(WireModel):
    """Numbers of writes on each day (UTC), oldest first; the last day is the current one.

    `captures`: memories without the chunks of knowledge bases, archived ones included; `messages`: stored messages.
    """

    first_day: str
    captures: list[int]
    messages: list[int]
