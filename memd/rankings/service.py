"""Rankings of paged searches: the first page fixes the order that all pages of the search share (contract 7.2).

They live in the database, so that any process can serve any page: `TTL_MS` after the last use, and up to `MAX_IDS` ids
of all rankings of a user (24 bytes each). A search without a kept ranking begins a new one.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Error

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import DegradationCode
from memd.rankings import store
from memd.rankings.store import RankingPage

log = structlog.get_logger()
TTL_MS: Final = 5 * 60_000
TOUCHED_EVERY_MS: Final = TTL_MS // 5
MAX_IDS: Final = 50_000


class Ranked(NamedTuple):
    """A row of a ranking, with its score as the wire shows it; a weak row is barely related to the search.

    An `adjacent` one is not weak, but only because of a row next to it.
    """

    id: UUID
    score: float
    weak: bool = False
    adjacent: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranked rows, best first; `exhausted` when the search would find no others, `degradation` if it had no vector."""

    rows: Sequence[Ranked]
    exhausted: bool
    degradation: DegradationCode | None = None


@dataclass(frozen=True, slots=True)
class KeptRanking(Ranking):
    """A slice of a kept ranking of `size` rows."""

    size: int = 0


def key_of(*search: str | int | bool | None) -> UUID:
    """The key of a search: a hash of everything that decides its result, from which nothing can be read."""
    return UUID(bytes=sha256(json.dumps(search).encode()).digest()[:16])


async def load(context: Context, key: UUID, offset: int, limit: int | None) -> KeptRanking | None:
    """The slice [offset, offset + limit) of the kept ranking, up to its end without a limit; None if none is kept."""
    since, last = context.now - TTL_MS, MAX_IDS if limit is None else offset + limit
    async with context.database.owner(context.user_id) as session:
        found = await store.page(session, key, since, offset + 1, last)
    if found is None:
        return None
    if found.used_at < context.now - TOUCHED_EVERY_MS:
        async with context.database.write(context.user_id) as session:
            await store.touch(session, key, context.now)
    marked = zip(found.ids, found.scores, found.weak, strict=True)
    rows = [Ranked(row_id, score, weak is True, weak is None) for row_id, score, weak in marked]
    degradation = None if found.degradation is None else DegradationCode(found.degradation)
    return KeptRanking(rows, found.exhausted, degradation, found.size)


async def keep(context: Context, key: UUID, ranking: Ranking) -> None:
    """Keep the ranking of a new search instead of that of the same search before.

    A failure of the database is logged: a search does not fail because its next page may differ.
    """
    try:
        async with context.database.write(context.user_id) as session:
            await store.replace(session, key, _row(context, ranking))
            await store.remove_beyond(session, context.now - TTL_MS, MAX_IDS)
    except Error as error:
        log.warning("ranking.not_kept", error=str(error))


async def extend(context: Context, key: UUID, known: int, more: Ranking) -> bool:
    """Append to a kept ranking of `known` rows; False if another page has changed it meanwhile."""
    async with context.database.write(context.user_id) as session:
        return await store.extend(session, key, known, _row(context, more))


async def remove_expired(session: WriteSession, now: int, limit: int) -> int:
    """Delete up to `limit` rankings of the user that are no longer kept at `now` (epoch ms); returns how many."""
    return await store.remove_expired(session, now - TTL_MS, limit)


def _row(context: Context, ranking: Ranking) -> RankingPage:
    ids, scores = [row.id for row in ranking.rows], [row.score for row in ranking.rows]
    weak = [None if row.adjacent else row.weak for row in ranking.rows]
    return RankingPage(ids, scores, weak, len(ids), ranking.exhausted, ranking.degradation, context.now)
