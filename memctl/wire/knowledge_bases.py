"""Wire types of knowledge bases (contract 8): list, create, read, change, archive, enumerate, empty and query."""

from typing import Annotated, Any, cast

from pydantic import AfterValidator, RootModel, StringConstraints, computed_field, model_validator

from memctl.wire.base import PatchModel, RequestModel, WireModel, absent
from memctl.wire.enums import ChunkKind, PeerScopePolicy, SourceRole
from memctl.wire.fields import (
    Cursor,
    Flag,
    JsonObject,
    Limit,
    RequiredText,
    ScopeText,
    Text500,
    unique_within,
)
from memctl.wire.limits import (
    KB_DESCRIPTION_MAX,
    KB_ENUMERATE_DEFAULT,
    KB_ENUMERATE_MAX,
    KB_NAME_MAX,
)
from memctl.wire.memories import MemoryIdTwins
from memctl.wire.refusals import wrong_type

Name = Annotated[str, RequiredText(KB_NAME_MAX)]
Description = Annotated[str, StringConstraints(strict=True, max_length=KB_DESCRIPTION_MAX)]


def _agents(ids: list[str]) -> list[str]:
    """Agent ids without blanks; blanks alone are refused, because an empty list allows every agent."""
    kept = unique_within(100)(ids)
    if ids and not kept:
        raise wrong_type("a list of agent ids, or empty for every agent")
    return kept


AgentList = Annotated[list[Text500], AfterValidator(_agents)]


class KnowledgeBaseRow(WireModel):
    """A knowledge base; the id, the counter and the state are sent under each of their names."""

    id: str
    name: str
    description: str = ""
    chunk_count: int = 0
    created_at: int
    updated_at: int
    total_chars: int = 0
    agent_ids: list[str] = []
    scope: str | None = None
    peer_scope_policy: PeerScopePolicy = PeerScopePolicy.STRICT
    source_type: str | None = None
    source_role: SourceRole | None = None
    metadata: dict[str, Any] | None = absent()
    archived: bool = False

    @computed_field(alias="_id")
    @property
    def id_twin(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id

    @computed_field(alias="knowledgeBaseId")
    @property
    def knowledge_base_id(self) -> str:
        """The id again, under the name that older clients read."""
        return self.id

    @computed_field(alias="memoryCount")
    @property
    def memory_count(self) -> int:
        """The number of chunks again."""
        return self.chunk_count

    @computed_field(alias="isActive")
    @property
    def is_active(self) -> bool:
        """Not archived."""
        return not self.archived


class ListKnowledgeBasesRequest(RequestModel):
    """GET /api/knowledge-bases."""

    agent_id: ScopeText = None
    scope: ScopeText = None
    include_inactive: Flag = False


class KnowledgeBaseList(WireModel):
    """The knowledge bases that the request may see, the last changed first."""

    knowledge_bases: list[KnowledgeBaseRow] = []


class CreateKnowledgeBaseRequest(RequestModel):
    """POST /api/knowledge-bases; the reply is a KnowledgeBaseRow."""

    name: Name
    description: Description | None = None
    agent_ids: AgentList = []
    scope: ScopeText = None
    peer_scope_policy: PeerScopePolicy = PeerScopePolicy.STRICT
    source_type: Text500 | None = None
    source_role: SourceRole | None = None
    metadata: JsonObject | None = None


class GetKnowledgeBaseRequest(RequestModel):
    """GET /api/knowledge-bases/:id."""

    limit: Annotated[int, Limit(1, 200)] = 50


class PatchKnowledgeBaseRequest(PatchModel):
    """PATCH /api/knowledge-bases/:id; null clears, what is not in `model_fields_set` stays."""

    agent_ids: AgentList | None = None
    scope: ScopeText = None
    peer_scope_policy: PeerScopePolicy | None = None
    name: Name = ""
    description: Description | None = None
    source_type: Text500 | None = None
    source_role: SourceRole | None = None
    metadata: JsonObject | None = None

    @model_validator(mode="before")
    @classmethod
    def drop_blank_scope(cls, data: Any) -> Any:
        """A blank scope is an absent one (contract 1.1.7): only null clears."""
        if not isinstance(data, dict):
            return data
        fields = cast("dict[str, Any]", data)
        blank = isinstance(fields.get("scope"), str) and not fields["scope"].strip()
        return {name: value for name, value in fields.items() if name != "scope"} if blank else fields


class KnowledgeBasePatched(KnowledgeBaseRow):
    """The changed knowledge base."""

    updated: bool = True


class DeleteKnowledgeBaseRequest(RequestModel):
    """DELETE /api/knowledge-bases/:id; archives, or removes an archived one."""

    permanent: Flag = False


class KnowledgeBaseArchived(WireModel):
    """One page of archiving; repeat while `is_done` is false."""

    knowledge_base_id: str
    archived_memory_count: int
    archived: bool = True
    is_done: bool


class KnowledgeBaseDeleted(WireModel):
    """One page of removing; repeat while `is_done` is false."""

    knowledge_base_id: str
    deleted_memories: int
    is_done: bool


class DeleteKnowledgeBaseReply(RootModel[KnowledgeBaseDeleted | KnowledgeBaseArchived]):
    """The reply to DELETE, with and without `permanent`."""


class KnowledgeBaseRestored(KnowledgeBaseRow):
    """One page of taking a knowledge base out of the archive; repeat while `is_done` is false."""

    restored_memory_count: int
    is_done: bool


class ListChunksRequest(RequestModel):
    """GET /api/knowledge-bases/:id/memories."""

    limit: Annotated[int, Limit(1, KB_ENUMERATE_MAX)] = KB_ENUMERATE_DEFAULT
    cursor: Cursor | None = None


class ChunkSource(WireModel):
    """Where a chunk comes from."""

    title: str | None = None
    source_url: str | None = None
    source_type: str | None = absent()
    chunk_index: int | None = None
    total_chunks: int | None = None


class ChunkRow(MemoryIdTwins):
    """One active chunk, as its owner sees it."""

    title: str
    content: str
    dedupe_key: str | None = None
    created_at: int
    channel: str | None = None
    chunk_kind: ChunkKind
    tags: list[str] | None = absent()
    metadata: ChunkSource


class ChunkPage(WireModel):
    """One page of chunks, oldest first; the cursor is blank when `is_done` is true."""

    knowledge_base_id: str
    memories: list[ChunkRow]
    is_done: bool
    continue_cursor: str = ""


class KnowledgeBaseDetail(KnowledgeBaseRow):
    """Reply of GET /api/knowledge-bases/:id: the row, the row once more under its name, and its first chunks."""

    knowledge_base: KnowledgeBaseRow
    memories: list[ChunkRow] = []


class KnowledgeBaseEmptied(WireModel):
    """One page of emptying; repeat while `is_done` is false."""

    knowledge_base_id: str
    deleted_memories: int
    active_deleted_memories: int
    kept: bool = True
    is_done: bool
