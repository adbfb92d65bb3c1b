"""The SQL that finds the writes of a key: rows that it made, and changes that it made to rows, by request."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import made_at


class WrittenMemory(NamedTuple):
    """A memory that a request wrote; `before` is its version before that, 0 for none.

    `title` and `archived` are the current ones; `changed_since` says that another write followed that was not undone.
    """

    id: UUID
    title: str
    archived: bool
    before: int
    action: str
    changed_since: bool


class Write(NamedTuple):
    """A memory that a request wrote, and the version before it; 0 where the request made it."""

    id: UUID
    before: int


MAX_OPERATION_MS: Final = DAY_MS
"""The longest duration of an operation, such as an import, after its first request began."""
CLOCK_SKEW_MS: Final = 600_000
"""How far the clocks of what wrote may differ, or one may have been set meanwhile."""


def earliest_id(moment: int) -> UUID:
    """The smallest UUIDv7 of a millisecond."""
    return UUID(int=max(0, moment) << 80)


# What the key wrote and has not undone. Request ids are UUIDv7: their order is the order of time.
_WRITTEN: Final = """
written AS (
  SELECT m.created_request AS request_id, m.id, 0 AS before FROM memory m
  WHERE m.user_id = %(user)s AND m.created_by = %(key)s AND m.created_request BETWEEN %(first)s AND %(last)s
    AND m.id >= %(made)s
  UNION ALL
  SELECT v.request_id, v.memory_id, v.version FROM memory_version v
  WHERE v.user_id = %(user)s AND v.changed_by = %(key)s AND v.request_id BETWEEN %(first)s AND %(last)s
    AND v.recorded_until >= %(since)s
    AND v.undoes IS NULL
), not_undone AS (
  SELECT w.* FROM written w WHERE NOT EXISTS (
    SELECT FROM memory_version u
    WHERE u.user_id = %(user)s AND u.memory_id = w.id AND u.undoes = w.request_id
      AND u.changed_by = %(key)s AND u.version > w.before)
)
"""


async def requests(session: OwnerSession, key_id: UUID, since: int, last: UUID, limit: int) -> list[UUID]:
    """The requests of a key up to `last` that wrote memories since a moment (epoch ms) and were not undone.

    The newest first.
    """
    return await session.values(
        f"WITH {_WRITTEN} SELECT DISTINCT request_id FROM not_undone ORDER BY request_id DESC LIMIT %(limit)s",
        {
            "user": session.user_id,
            "key": key_id,
            "first": earliest_id(since - MAX_OPERATION_MS),
            "last": last,
            "made": earliest_id(since),
            "since": since,
            "limit": limit,
        },
    )


async def writes(session: OwnerSession, key_id: UUID, request_id: UUID, after: UUID | None, limit: int) -> list[Write]:
    """The writes of a request of a key that were not undone, by memory; the memories that follow `after`."""
    begun = made_at(request_id) - CLOCK_SKEW_MS  # so that older rows are not read
    return await session.rows(
        Write,
        f"""
        WITH {_WRITTEN} SELECT id, min(before) AS before FROM not_undone
        WHERE %(after)s::uuid IS NULL OR id > %(after)s GROUP BY id ORDER BY id LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "key": key_id,
            "first": request_id,
            "last": request_id,
            "made": earliest_id(begun),
            "since": begun,
            "after": after,
            "limit": limit,
        },
    )


async def memories(
    session: OwnerSession, key_id: UUID, request_id: UUID, page: Sequence[Write], undone: Sequence[UUID] = ()
) -> list[WrittenMemory]:
    """The memories of these writes of a request that are not undone by now, as if the requests `undone` were undone.

    A request is that of the key: what another key wrote under the same id is another write.
    """
    return await session.rows(
        WrittenMemory,
        """
        SELECT m.id, m.title, m.archived, page.before,
               coalesce(c.action, CASE WHEN m.supersedes_memory_id IS NOT NULL THEN 'supersede'
                                       WHEN m.knowledge_base_id IS NOT NULL THEN 'import' ELSE 'capture' END) AS action,
               EXISTS (
                 SELECT FROM memory_version x
                 WHERE x.user_id = %(user)s AND x.memory_id = m.id AND x.version > page.before AND x.undoes IS NULL
                   AND (x.changed_by IS DISTINCT FROM %(key)s OR x.request_id <> ALL(%(taken_back)s::uuid[]))
                   AND NOT EXISTS (
                     SELECT FROM memory_version u
                     WHERE u.user_id = %(user)s AND u.memory_id = m.id AND u.undoes = x.request_id
                       AND u.changed_by = x.changed_by AND u.version > x.version)
               ) AS changed_since
        FROM unnest(%(ids)s::uuid[], %(before)s::int[]) page (id, before)
        JOIN memory m ON m.user_id = %(user)s AND m.id = page.id
        LEFT JOIN memory_version c ON c.user_id = %(user)s AND c.memory_id = m.id AND c.version = page.before
        WHERE NOT EXISTS (
          SELECT FROM memory_version u
          WHERE u.user_id = %(user)s AND u.memory_id = m.id AND u.undoes = %(request)s AND u.changed_by = %(key)s
            AND u.version > page.before)
        ORDER BY m.id
        """,
        {
            "user": session.user_id,
            "key": key_id,
            "request": request_id,
            "ids": [write.id for write in page],
            "before": [write.before for write in page],
            "taken_back": [request_id, *undone],
        },
    )


async def lock_history(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Make everybody who changes these memories wait until the transaction ends."""
    await session.execute(
        "SELECT FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE",
        {"user": session.user_id, "ids": list(memory_ids)},
    )
