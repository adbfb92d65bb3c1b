"""The SQL of derived memories: finding them by their sources, and whether these are unchanged."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import WriteSession
from memd.db.sql.derived import derived

BY_SOURCE: Final = "source"
"""`archivedBy` of a derived memory that was archived because a source is gone."""


class DerivedMemory(NamedTuple):
    """A memory that memd derived from others.

    `outdated`: a source was forgotten, superseded, edited or moved to another channel since. `current`: certainly none
    was. A memory is neither when the versions that would tell have been dropped.
    """

    id: UUID
    archived: bool
    outdated: bool
    current: bool


_IS_GONE: Final = f"s.archived AND s.archived_by IN ('user', 'supersede', '{BY_SOURCE}')"
_SAME_TEXT: Final = """(v.fields->>'title', v.fields->>'content', v.fields->>'channel')
      IS NOT DISTINCT FROM (s.title, s.content, s.channel)"""
"""On another channel, too, the source is not what `d` may repeat on its own."""
_READ_VERSION: Final = """SELECT FROM memory_version v
      WHERE v.user_id = %(user)s AND v.memory_id = s.id AND v.recorded_from <= d.created_at
        AND v.recorded_until > d.created_at"""
"""The version of the source `s` that `d` was derived from, if it has ended."""
_SOURCE: Final = "SELECT FROM memory s WHERE s.user_id = %(user)s AND s.id = ANY(d.source_memory_ids)"
_OUTDATED: Final = f"EXISTS ({_SOURCE} AND ({_IS_GONE} OR EXISTS ({_READ_VERSION} AND NOT {_SAME_TEXT})))"
_CURRENT: Final = f"""NOT EXISTS ({_SOURCE} AND ({_IS_GONE} OR NOT (
      coalesce(s.changed_at, s.created_at) <= d.created_at OR EXISTS ({_READ_VERSION} AND {_SAME_TEXT}))))"""


async def lock_derived(session: WriteSession, memory_ids: Sequence[UUID]) -> list[UUID]:
    """The memories derived from these, locked: active, or archived because a source is gone."""
    return await _lock(session, memory_ids, f"(NOT d.archived OR d.archived_by = '{BY_SOURCE}')")


async def lock_all_derived(session: WriteSession, memory_ids: Sequence[UUID]) -> list[UUID]:
    """All that was derived from these memories, locked."""
    return await _lock(session, memory_ids, "true")


async def _lock(session: WriteSession, memory_ids: Sequence[UUID], condition: str) -> list[UUID]:
    """A derived memory is younger than its sources, so rows with smaller ids are not read."""
    return await session.values(
        f"""
        SELECT d.id FROM memory d
        WHERE d.user_id = %(user)s AND d.id > %(first)s AND {derived("d")} AND d.source_memory_ids && %(ids)s::uuid[]
          AND {condition}
        ORDER BY d.id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(memory_ids), "first": min(memory_ids)},
    )


async def read_sources_state(session: WriteSession, memory_ids: Sequence[UUID]) -> list[DerivedMemory]:
    """These memories and the state of their sources; a separate statement, which sees what the lock waited for."""
    return await session.rows(
        DerivedMemory,
        f"""
        SELECT d.id, d.archived, {_OUTDATED} AS outdated, {_CURRENT} AS current FROM memory d
        WHERE d.user_id = %(user)s AND d.id = ANY(%(ids)s) ORDER BY d.id
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def lock_outdated(session: WriteSession, after: UUID, limit: int) -> list[UUID]:
    """Active derived memories behind `after` with a source that is gone since they were last changed, locked."""
    return await session.values(
        f"""
        SELECT d.id FROM memory d
        WHERE d.user_id = %(user)s AND d.id > %(after)s AND {derived("d")} AND NOT d.archived
          AND EXISTS ({_SOURCE} AND coalesce(s.changed_at, s.created_at) > coalesce(d.changed_at, d.created_at)
            AND ({_IS_GONE} OR EXISTS ({_READ_VERSION} AND NOT {_SAME_TEXT})))
        ORDER BY d.id LIMIT %(limit)s FOR UPDATE
        """,
        {"user": session.user_id, "after": after, "limit": limit},
    )
