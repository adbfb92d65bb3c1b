"""One page of a search: a slice of the order that its first page fixed for all (contract 7.2, 17.2)."""

from collections.abc import Awaitable, Callable, Collection
from uuid import UUID

from memd.context import Context
from memd.rankings import service as rankings
from memd.rankings.service import KeptRanking, Ranking

Rank = Callable[[int, Collection[UUID]], Awaitable[Ranking]]
"""Ranks at least this number of rows, if the search finds them, without those that are known."""


async def page_of(context: Context, key: UUID, offset: int, limit: int, rank: Rank) -> KeptRanking:
    """The page [offset, offset + limit) of the search with this key; its `size` says if another one follows."""
    end = offset + limit
    kept = await rankings.load(context, key, offset, limit) if offset else None
    while kept is not None and kept.size <= end and not kept.exhausted:
        kept = await _extended(context, key, offset, limit, kept.size, rank)
    return kept or await _new(context, key, offset, end, rank)


async def _new(context: Context, key: UUID, offset: int, end: int, rank: Rank) -> KeptRanking:
    """The page of a new ranking, which is kept if another page follows."""
    ranking = await rank(end + 1, ())
    if len(ranking.rows) > end:
        await rankings.keep(context, key, ranking)
    return KeptRanking(ranking.rows[offset:end], ranking.exhausted, ranking.degradation, len(ranking.rows))


async def _extended(context: Context, key: UUID, offset: int, limit: int, size: int, rank: Rank) -> KeptRanking | None:
    """The page of the kept ranking of `size` rows after one attempt to extend it; None if it is no longer kept."""
    kept = await rankings.load(context, key, 0, None)
    if kept is not None and kept.size == size:
        more = await rank(offset + limit + 1 - size, {row.id for row in kept.rows})
        await rankings.extend(context, key, size, more)
    return await rankings.load(context, key, offset, limit)
