"""The SQL of duplicates: active memories with the same content, and the locks that keep it from being stored twice."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import ReadSession, Statement
from memd.db.typed_rows import Query
from memd.memories.new import Duplicate, NewMemory


class ContentKey(NamedTuple):
    """Two active ordinary memories of a user with the same key are duplicates (contract 6.1)."""

    store: str
    content_hash: str
    channel: str | None


class DuplicateRow(NamedTuple):
    """A duplicate of a row to store; `ordinal` is the position of its key, from 1."""

    ordinal: int
    id: UUID
    tags: list[str]
    created_at: int


def key_of(row: NewMemory) -> ContentKey:
    """The key of a row to store."""
    return ContentKey(row.store, row.content_hash, row.channel)


# One scan of ix_memory_hash per content. Without statistics of the table, which a new database does not have, every
# index that begins with user_id has the same estimate, and a scan of any other reads all memories of the user. The order
# decides for this index: it is the only one that needs no sort. (An equality would make the order redundant.) OFFSET 0
# keeps the planner from turning the subquery into a hash join.
_DUPLICATES = """
SELECT wanted.ordinal, m.id, m.tags, m.created_at
FROM unnest(%(stores)s::text[], %(hashes)s::text[], %(channels)s::text[]) WITH ORDINALITY
     AS wanted(store, content_hash, channel, ordinal)
CROSS JOIN LATERAL (
  SELECT id, tags, created_at FROM memory
  WHERE user_id = %(user)s AND content_hash BETWEEN wanted.content_hash AND wanted.content_hash
    AND store = wanted.store AND channel IS NOT DISTINCT FROM wanted.channel
    AND NOT archived AND knowledge_base_id IS NULL
  ORDER BY content_hash OFFSET 0
) m
ORDER BY wanted.ordinal, m.created_at, m.id
"""
# The keys come in order, so that no two writers wait for each other.
_LOCK = f"SELECT pg_advisory_xact_lock(hashtextextended(key, {Seed.CONTENT})) FROM unnest(%(keys)s::text[]) AS key"


def duplicates_query(user_id: UUID, keys: Sequence[ContentKey]) -> Query[DuplicateRow]:
    """The active memories with these keys, the oldest first."""
    columns = {
        "stores": [key.store for key in keys],
        "hashes": [key.content_hash for key in keys],
        "channels": [key.channel for key in keys],
    }
    return Query(DuplicateRow, _DUPLICATES, {"user": user_id, **columns})


def content_locks(user_id: UUID, keys: Sequence[ContentKey]) -> Statement:
    """Lock that serializes writers of these contents until the transaction ends."""
    return _LOCK, {"keys": sorted({f"{user_id}:{key.content_hash}" for key in keys})}


def oldest_by_index(rows: Sequence[DuplicateRow]) -> dict[int, Duplicate]:
    """The oldest duplicate for each key that has any, by the index of the key in the query."""
    found: dict[int, Duplicate] = {}
    for row in rows:
        found.setdefault(row.ordinal - 1, Duplicate(row.id, row.tags, row.created_at))
    return found


async def find_duplicates(session: ReadSession, keys: Sequence[ContentKey]) -> dict[int, Duplicate]:
    """The oldest active memory with each key that has any, by the index of the key."""
    return oldest_by_index(await session.rows(duplicates_query(session.user_id, keys))) if keys else {}
