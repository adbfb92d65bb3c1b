"""Vector indexes of the users with the most memories: partial HNSW, one for each, built and dropped in the background.

A scan of all vectors of a user is exact and fast enough for most. One index over everybody would answer small users
with too few rows, so each large user has an index over their own active memories alone, and no other user's search can use
it; with many earlier versions there is a second one over those, for questions about the past. Inserts and deletions keep
them up to date; they go when the user shrinks or the embedding model changes.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import AsyncConnection

from memd.accounts.every_user import JobResult
from memd.context import Context, Services
from memd.db.typed_rows import Query
from memd.embed import vector_index_store as store
from memd.embed.vector_index_store import Indexable, Indexed

log = structlog.get_logger()
MIN_MEMORIES: Final = 5_000
"""From here on an index is built; below half of it, it is dropped."""
MIN_CANDIDATES: Final = 80
MAX_CANDIDATES: Final = 1_000
"""The maximum of `hnsw.ef_search` in pgvector."""
MAX_SCANNED: Final = 6_000
"""`hnsw.max_scan_tuples`: after this many rows, a search in a narrow scope stops and an exact search replaces it."""


def search_settings(memories: int, *, versions: bool = False) -> Mapping[str, str]:
    """The settings under which a search among this number of memories may use an index.

    With this many candidates (`hnsw.ef_search`) the nearest 12 are found to 99 % and more, among a million memories to
    98 %; time grows with them. `versions` take half as many again, since some are of other moments.
    """
    needed = 0.65 * sqrt(memories) * max(1.0, memories / 100_000) ** 0.19
    if versions:
        needed *= 1.5
    candidates = min(MAX_CANDIDATES, max(MIN_CANDIDATES, int(needed)))
    return {
        "hnsw.ef_search": str(candidates),
        "hnsw.iterative_scan": "strict_order",
        "hnsw.max_scan_tuples": str(MAX_SCANNED),
    }


def is_indexed(context: Context) -> Query[Indexed]:
    """One row: whether the caller's index for the vectors of the present model exists and is complete."""
    return store.is_indexed(context.user_id, context.services.model)


async def drop_vector_indexes(services: Services, user_id: UUID) -> None:
    """Drop the indexes of a user, of every model."""
    async with await AsyncConnection.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        for name in await store.known(owner):
            if name.startswith(store.index_prefix(user_id)):
                await store.drop(owner, name)


async def _note(services: Services, user_id: UUID, model: int | None, of: Indexable) -> None:
    """Note in a separate transaction: a search reads the note, and may be made while the index is built or dropped."""
    async with services.database.system() as session:
        await store.record_index(session, user_id, model, of)


class _Worth(NamedTuple):
    """An index that a user should have; it is built with at least `MIN_MEMORIES` rows, and kept with half as many."""

    user_id: UUID
    of: Indexable
    rows: int


async def _worth(services: Services) -> dict[str, _Worth]:
    """The indexes that are worth their room, by name: of the largest users, and of those of them with many versions."""
    minimum = MIN_MEMORIES // 2
    async with services.database.system() as session:
        large = await store.large_users(session, minimum, services.settings.vector_indexes)
        versions = await store.version_counts(session, [user.user_id for user in large], MIN_MEMORIES)
    found = [_Worth(user.user_id, Indexable.PRESENT, user.active_memories) for user in large]
    found += [
        _Worth(user.user_id, Indexable.VERSIONS, min(versions[user.user_id], user.active_memories)) for user in large
    ]
    return {store.index_name(one.user_id, services.model, one.of): one for one in found if one.rows >= minimum}


async def keep_vector_indexes(services: Services) -> JobResult:
    """`vector_index`: build what is missing, drop what is incomplete or not worth its room."""
    model, dimensions = services.model, services.batcher.embedder.dimensions
    if dimensions == 0:  # there are no vectors yet
        return JobResult()
    worth = await _worth(services)
    built = 0
    async with await AsyncConnection.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        known = await store.known(owner)
        whole = {name for name, complete in known.items() if complete and name in worth}
        for name in known.keys() - whole:
            await _note(services, store.owner_of(name), None, store.indexed_by(name))
            await store.drop(owner, name)
            log.info("vector_index.dropped", index=name)
        for name, one in worth.items():
            if name not in whole:
                if one.rows < MIN_MEMORIES:
                    continue
                await store.build(owner, one.user_id, model, dimensions, one.of)
                log.info("vector_index.built", index=name)
                built += 1
            await _note(services, one.user_id, model, one.of)  # also of one whose builder ended before it noted it
    return JobResult(users=built)
