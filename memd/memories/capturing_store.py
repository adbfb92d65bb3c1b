"""The SQL of captures: equal content that is stored already, and the locks that keep it from being stored twice."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import ReadSession, Statement
from memd.db.typed_rows import Query
from memd.memories.new import Known, NewMemory


class ContentKey(NamedTuple):
    """What makes two active ordinary memories of a user equal (contract 6.1)."""

    store: str
    content_hash: str
    channel: str | None


class EqualMemory(NamedTuple):
    """An active memory that equals a capture; `place` counts the keys from 1."""

    place: int
    id: UUID
    tags: list[str]
    created_at: int


def key_of(row: NewMemory) -> ContentKey:
    """The key under which a row is compared."""
    return ContentKey(row.store, row.content_hash, row.channel)


# One scan of ix_memory_hash per content. Without statistics of the table, which a new database does not have, every
# index that begins with user_id has the same estimate, and a scan of any other reads all memories of the user. The order
# decides for this index: it is the only one that needs no sort. (An equality would make the order redundant.) OFFSET 0
# keeps the planner from turning the subquery into a hash join.
_KNOWN = """
SELECT wanted.place, m.id, m.tags, m.created_at
FROM unnest(%(stores)s::text[], %(hashes)s::text[], %(channels)s::text[]) WITH ORDINALITY
     AS wanted(store, content_hash, channel, place)
CROSS JOIN LATERAL (
  SELECT id, tags, created_at FROM memory
  WHERE user_id = %(user)s AND content_hash BETWEEN wanted.content_hash AND wanted.content_hash
    AND store = wanted.store AND channel IS NOT DISTINCT FROM wanted.channel
    AND NOT archived AND knowledge_base_id IS NULL
  ORDER BY content_hash OFFSET 0
) m
ORDER BY wanted.place, m.created_at, m.id
"""
# The keys come in order, so that no two writers wait for each other.
_LOCK = f"SELECT pg_advisory_xact_lock(hashtextextended(key, {Seed.CONTENT})) FROM unnest(%(keys)s::text[]) AS key"


def known(user_id: UUID, keys: Sequence[ContentKey]) -> Query[EqualMemory]:
    """The active memories that equal these keys, the oldest first."""
    columns = {
        "stores": [key.store for key in keys],
        "hashes": [key.content_hash for key in keys],
        "channels": [key.channel for key in keys],
    }
    return Query(EqualMemory, _KNOWN, {"user": user_id, **columns})


def content_locks(user_id: UUID, keys: Sequence[ContentKey]) -> Statement:
    """Lock that serializes writers of these contents until the transaction ends."""
    return _LOCK, {"keys": sorted({f"{user_id}:{key.content_hash}" for key in keys})}


def oldest(rows: Sequence[EqualMemory]) -> dict[int, Known]:
    """The oldest equal memory for the places of `known`, counted from 0."""
    found: dict[int, Known] = {}
    for row in rows:
        found.setdefault(row.place - 1, Known(row.id, row.tags, row.created_at))
    return found


async def find_known(session: ReadSession, keys: Sequence[ContentKey]) -> dict[int, Known]:
    """The oldest active memory that equals each capture, by the place of its key; others are left out."""
    return oldest(await session.rows(known(session.user_id, keys))) if keys else {}
