"""Wire types of keyed memories: read, delete and search by namespace and key (contract 17.2)."""

from typing import Annotated, Any

from pydantic import Field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, Store
from memctl.wire.fields import Cursor, Flag, Integer, Limit, QueryText, RequiredText, ScopeText
from memctl.wire.key_fields import NamespaceText, Where
from memctl.wire.limits import KEY_MAX, KEYED_OFFSET_MAX, KEYED_SEARCH_DEFAULT, KEYED_SEARCH_MAX, NAMESPACE_MAX
from memctl.wire.moments import MomentFields

RequiredKey = Annotated[str, RequiredText(KEY_MAX)]


class ByKeyRequest(RequestModel):
    """GET /api/memories/by-key; without a namespace, the key of a memory that has none."""

    key: RequiredKey
    namespace: NamespaceText = None
    channel: ScopeText = None
    agent_id: ScopeText = None


class DeleteByKeyRequest(ByKeyRequest):
    """DELETE /api/memories/by-key; the memory is archived, or deleted permanently if `permanent`."""

    permanent: Flag = False


class MemorySearchRequest(MomentFields):
    """POST /api/memories/search; without a query, the memories last changed come first.

    A request that names no time finds active memories whenever they are true. `offset` goes to 10,000; a request without a
    query takes a `cursor` instead, which has no such end.
    """

    namespace: Annotated[str, RequiredText(NAMESPACE_MAX)]
    query: QueryText | None = None
    where: Where | None = None
    limit: Annotated[int, Limit(1, KEYED_SEARCH_MAX)] = KEYED_SEARCH_DEFAULT
    offset: Annotated[int, Integer(0, KEYED_OFFSET_MAX)] = 0
    cursor: Cursor | None = None
    channel: ScopeText = None
    agent_id: ScopeText = None


class FoundMemory(WireModel):
    """A memory of a namespace; relevance (0 to 1) and `weak` (hardly any evidence) only for a search with a query."""

    id: str
    namespace: str | None = absent()
    key: str | None = absent()
    title: str
    content: str
    metadata: Any = None
    tags: list[str]
    store: Store
    category: Category
    channel: str | None = absent()
    created_at: int
    updated_at: int
    valid_from: int | None = absent()
    valid_until: int | None = absent()
    ended: bool | None = absent()
    relevance: float | None = absent()
    weak: bool | None = absent()


class MemorySearchReply(WireModel):
    """One page; `has_more` says that the next offset has memories too, and without a query `continue_cursor` leads there."""

    memories: list[FoundMemory] = Field(default_factory=list[FoundMemory])
    has_more: bool = False
    continue_cursor: str | None = absent()
