"""The SQL of keyed memories: the lock of a key, and the active memory that has it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import ReadSession, WriteSession


class MemoryKey(NamedTuple):
    """A namespace and key, unique among the active memories of a user; a key may have no namespace."""

    namespace: str | None
    key: str


class _Keyed(NamedTuple):
    namespace: str | None
    key: str
    id: UUID


# The keys come in order, so that no two writers wait for each other.
_LOCK_KEYS = (
    f"SELECT pg_advisory_xact_lock(hashtextextended(key, {Seed.MEMORY_KEY})) FROM unnest(%(keys)s::text[]) AS key"
)
# One look at the index for each key: a join might read all memories of the user. Rows are locked in the order of their
# ids, as by everybody else who locks several.
_LOCK_ROWS = """
SELECT m.namespace, m.key, m.id FROM memory m
WHERE m.user_id = %(user)s AND NOT m.archived AND m.id = ANY(ARRAY(
  SELECT one.id FROM unnest(%(namespaces)s::text[], %(keys)s::text[]) AS wanted(namespace, key)
  CROSS JOIN LATERAL (
    SELECT id FROM memory
    WHERE user_id = %(user)s AND key = wanted.key AND namespace IS NOT DISTINCT FROM wanted.namespace AND NOT archived
    OFFSET 0
  ) one))
ORDER BY m.id FOR UPDATE
"""


async def serialize(session: WriteSession, keys: Iterable[MemoryKey]) -> None:
    """Make other writers of these keys wait until the transaction ends; to be called before rows are locked."""
    locks = sorted(f"{session.user_id}:{each.namespace or ''}\n{each.key}" for each in set(keys))
    await session.execute(_LOCK_KEYS, {"keys": locks})


async def lock(session: WriteSession, keys: Sequence[MemoryKey]) -> dict[MemoryKey, UUID]:
    """Serialize writers of these keys until the transaction ends; the active memories that have them, locked."""
    await serialize(session, keys)
    ordered = sorted(set(keys), key=_as_text)
    params = {
        "user": session.user_id,
        "namespaces": [each.namespace for each in ordered],
        "keys": [each.key for each in ordered],
    }
    rows = await session.rows(_Keyed, _LOCK_ROWS, params)
    return {MemoryKey(row.namespace, row.key): row.id for row in rows}


def _as_text(key: MemoryKey) -> tuple[str, str]:
    return key.namespace or "", key.key


async def find(session: ReadSession, key: MemoryKey) -> UUID | None:
    """The active memory of a key; the channel rule is the caller's."""
    return await session.value(
        """
        SELECT id FROM memory
        WHERE user_id = %(user)s AND key = %(key)s AND NOT archived
          AND namespace IS NOT DISTINCT FROM %(namespace)s::text
        """,
        {"user": session.user_id, "key": key.key, "namespace": key.namespace},
    )
