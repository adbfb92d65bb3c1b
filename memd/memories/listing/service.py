"""Listing memories (contract 17.2); it does not count as an access."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memctl.wire.instants import FARTHEST_MS
from memctl.wire.memory_listing import EXCERPT_MAX, TOTAL_MAX, MemoryListRequest, MemorySort, SortOrder
from memd.context import Context
from memd.db.session import OwnerSession
from memd.db.sql.term import NOTHING, filter_query
from memd.memories.listing import store
from memd.memories.listing.store import KEY_TYPES, Key, ListedRow, Listing
from memd.stats import service as stats


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a page; `total` on the first page only, exact if `is_exact`."""

    rows: list[ListedRow]
    has_more: bool
    total: int | None = None
    is_exact: bool = True


def listing_of(context: Context, request: MemoryListRequest) -> Listing:
    """The filters and the order of a request; a text without any word, such as `%`, matches nothing."""
    text = request.text or ""
    default = context.services.settings.text_search_config
    by_archive = request.archived and request.sort is MemorySort.CREATED
    return Listing(
        sort="archived" if by_archive else request.sort,
        descending=request.order is SortOrder.DESC,
        archived=request.archived,
        chunks=request.include_knowledge_bases,
        store=request.store,
        category=request.category,
        channel=request.channel,
        tag=request.tag or None,
        text=filter_query(context.user_id, text, default) or (NOTHING if text.strip() else None),
    )


def checked_values(sort: str, values: Sequence[str | float]) -> Iterator[str | float]:
    """The values of a position that a client sent back; `ValueError` for one that no row has."""
    for value, kind in zip(values, KEY_TYPES[sort], strict=True):
        if kind is str and isinstance(value, str) and "\0" not in value:
            value.encode()  # a lone surrogate is a ValueError
            yield value
        elif kind is not str and isinstance(value, int | float) and abs(value) <= FARTHEST_MS:
            yield kind(value)
        else:
            raise ValueError(value)


async def list_page(context: Context, listing: Listing, after: Key | None, limit: int) -> Page:
    """A page after a position; the first one with the number of all memories that match."""
    async with context.database.owner(context.user_id) as session:
        rows = await store.page(session, listing, after, limit=limit + 1, excerpt=EXCERPT_MAX)
        page = Page(rows[:limit], len(rows) > limit)
        if after is not None:
            return page
        if not page.has_more:
            return Page(page.rows, has_more=False, total=len(page.rows))
        return await _counted(session, listing, page)


async def _counted(session: OwnerSession, listing: Listing, page: Page) -> Page:
    """The page with the total: of the running totals of the user, or counted where there is a filter."""
    if not listing.is_filtered:
        (row,) = await session.rows(stats.totals(session.user_id))
        return Page(page.rows, page.has_more, row.archived_memories if listing.archived else row.active_memories)
    found = await store.count(session, listing, TOTAL_MAX + 1)
    return Page(page.rows, page.has_more, min(found, TOTAL_MAX), found <= TOTAL_MAX)
