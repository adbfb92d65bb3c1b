"""Wire types of the list of memories: filtered, sorted and counted (contract 17.2)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, Store
from memctl.wire.fields import Cursor, FilterText, Flag, Limit, ScopeText, TagText

EXCERPT_MAX = 2_000
TOTAL_MAX = 10_000
"""A filtered list is counted up to here."""


class MemorySort(StrEnum):
    """The sort order of a list of memories."""

    CREATED = "created"
    USED = "used"
    STRENGTH = "strength"
    TITLE = "title"
    STORE = "store"
    CATEGORY = "category"


class SortOrder(StrEnum):
    """Ascending or descending."""

    ASC = "asc"
    DESC = "desc"


class MemoryListRequest(RequestModel):
    """GET /api/memories/list; `text` filters by words and their beginnings, `channel` by the beginning of the channel.

    Archived memories are sorted by when they were archived where `sort` is `created`.
    """

    sort: MemorySort = MemorySort.CREATED
    order: SortOrder = SortOrder.DESC
    archived: Flag = False
    store: Store | None = None
    category: Category | None = None
    channel: ScopeText = None
    tag: TagText | None = None
    text: FilterText | None = None
    include_knowledge_bases: Flag = False
    limit: Annotated[int, Limit(1, 200)] = 100
    cursor: Cursor | None = None


class ListedMemory(WireModel):
    """A memory of the list; `excerpt` is the beginning of its content, `length` the number of characters of all of it.

    `valid_from` and `valid_until` are its period, each absent when open.
    """

    id: str
    title: str
    excerpt: str
    length: int
    store: Store
    category: Category
    tags: list[str]
    channel: str | None = None
    strength: float
    archived: bool
    archived_by: str | None = absent()
    archived_at: int | None = absent()
    superseded_by_memory_id: str | None = absent()
    knowledge_base_id: str | None = absent()
    created_at: int
    last_accessed_at: int
    valid_from: int | None = absent()
    valid_until: int | None = absent()


class MemoryListReply(WireModel):
    """One page; `total`, on the first page only, counts all that match, or `totalIsExact` is false and there are more."""

    memories: list[ListedMemory] = Field(default_factory=list[ListedMemory])
    total: int | None = absent()
    total_is_exact: bool = True
    continue_cursor: str = ""
    is_done: bool
