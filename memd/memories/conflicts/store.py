"""The SQL of conflicts between memories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession, WriteSession
from memd.db.sql.derived import last_said
from memd.db.sql.scope import channel_condition
from memd.domain.facts.rivals import Rival
from memd.domain.visibility.scoping import MemoryScope

_STATES_VALUE: Final = """EXISTS (
  SELECT FROM memory_fact f WHERE f.user_id = %(user)s AND f.memory_id = c.{side}_id AND f.attribute = c.attribute
    AND c.{side}_value = CASE WHEN f.denied THEN 'not ' ELSE '' END || f.value)"""

# Every transaction locks memories before conflicts, and either in the order of their ids, so that none waits for
# another one that waits for it.
_LOCK_IN_STATE: Final = """
SELECT id FROM memory_conflict
WHERE user_id = %(user)s AND state = '{state}' AND (old_id = ANY(%(ids)s) OR new_id = ANY(%(ids)s))
ORDER BY id FOR UPDATE"""


@dataclass(frozen=True, slots=True)
class NewConflict:
    """A conflict to be noted."""

    id: UUID
    rival: Rival
    certainty: float


async def put_conflicts(session: WriteSession, found: Sequence[NewConflict], now: int) -> set[UUID]:
    """Note conflicts and link their memories; returns the ids of those that were not known before."""
    params = {
        "user": session.user_id,
        "now": now,
        "ids": [one.id for one in found],
        "old": [one.rival.old_id for one in found],
        "new": [one.rival.new_id for one in found],
        "subjects": [one.rival.new.subject for one in found],
        "attributes": [one.rival.new.attribute for one in found],
        "old_values": [one.rival.old.shown_value for one in found],
        "new_values": [one.rival.new.shown_value for one in found],
        "certainties": [one.certainty for one in found],
    }
    added: list[UUID] = await session.values(
        """
        INSERT INTO memory_conflict (user_id, id, old_id, new_id, subject, attribute, old_value, new_value, certainty, state,
                                     created_at)
        SELECT own.user_id, s.*, 'open', %(now)s
        FROM totals own CROSS JOIN
             unnest(%(ids)s::uuid[], %(old)s::uuid[], %(new)s::uuid[], %(subjects)s::text[], %(attributes)s::text[],
                    %(old_values)s::text[], %(new_values)s::text[], %(certainties)s::float8[]) AS s
        WHERE own.user_id = %(user)s
        ON CONFLICT (user_id, old_id, new_id, attribute) DO NOTHING RETURNING id
        """,
        params,
    )
    await session.execute(
        """
        INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)
        SELECT DISTINCT ON (s.new, s.old) own.user_id, s.new, s.old, 'contradicts', s.certainty, %(now)s, %(now)s
        FROM totals own CROSS JOIN unnest(%(new)s::uuid[], %(old)s::uuid[], %(certainties)s::float8[]) AS s(new, old, certainty)
        WHERE own.user_id = %(user)s
        ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO NOTHING
        """,
        params,
    )
    return set(added)


def withdraw(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Delete the open conflicts of these memories, and their links, where a memory no longer states its value."""
    session.execute_later(
        (
            f"""
            WITH locked AS MATERIALIZED ({_LOCK_IN_STATE.format(state="open")}), stale AS (
              DELETE FROM memory_conflict c USING locked
              WHERE c.user_id = %(user)s AND c.id = locked.id
                AND NOT ({_STATES_VALUE.format(side="old")} AND {_STATES_VALUE.format(side="new")})
              RETURNING c.old_id, c.new_id
            )
            DELETE FROM association a USING stale
            WHERE a.user_id = %(user)s AND a.from_memory_id = stale.new_id AND a.to_memory_id = stale.old_id
              AND a.relationship_type = 'contradicts'
            """,
            {"user": session.user_id, "ids": list(memory_ids)},
        )
    )


async def reopen(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Open the conflicts that were resolved by superseding one of these memories, where both are active again."""
    await session.execute(
        f"""
        WITH locked AS MATERIALIZED ({_LOCK_IN_STATE.format(state="superseded")})
        UPDATE memory_conflict c SET state = 'open', decided_at = NULL
        FROM locked, memory o, memory n
        WHERE c.user_id = %(user)s AND c.id = locked.id
          AND o.user_id = %(user)s AND o.id = c.old_id AND NOT o.archived
          AND n.user_id = %(user)s AND n.id = c.new_id AND NOT n.archived
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


class ConflictRow(NamedTuple):
    """A conflict with the titles of its memories."""

    id: UUID
    old_id: UUID
    new_id: UUID
    old_title: str
    new_title: str
    subject: str
    attribute: str
    old_value: str
    new_value: str
    certainty: float
    state: str
    created_at: int
    decided_at: int | None


_CONFLICT: Final = """
SELECT c.id, c.old_id, c.new_id, o.title AS old_title, n.title AS new_title, c.subject, c.attribute, c.old_value,
       c.new_value, c.certainty, c.state, c.created_at, c.decided_at
FROM memory_conflict c
JOIN memory o ON o.user_id = %(user)s AND o.id = c.old_id
JOIN memory n ON n.user_id = %(user)s AND n.id = c.new_id
"""
_OVERTAKEN: Final = """EXISTS (
  SELECT FROM memory_conflict later
  JOIN memory_conflict beside ON beside.user_id = %(user)s AND beside.old_id = c.old_id AND beside.new_id = later.new_id
    AND beside.attribute = c.attribute AND beside.state IN ('open', 'kept')
  JOIN memory l ON l.user_id = %(user)s AND l.id = later.new_id
  WHERE later.user_id = %(user)s AND later.old_id = c.new_id AND later.attribute = c.attribute AND later.state = 'open'
    AND NOT l.archived AND NOT l.blocked)"""
"""Whether a third memory contradicts both of the conflict `c`; all are of one channel. What it hides returns without it."""


async def page(
    session: ReadSession, scope: MemoryScope, state: str, after: UUID | None, limit: int
) -> list[ConflictRow]:
    """The conflicts in a state between visible memories, the newest first, behind `after`.

    An open one is listed while both of its memories are active, and while no third one is newer than both and
    contradicts both: of a chain of changes, each earlier value is listed with the last one.
    """
    params: dict[str, Any] = {"user": session.user_id, "state": state, "after": after, "limit": limit}
    seen = [channel_condition(scope, f"{alias}.channel", params, name=alias) for alias in ("o", "n")]
    return await session.rows(
        ConflictRow,
        f"""
        {_CONFLICT}
        WHERE c.user_id = %(user)s AND c.state = %(state)s AND (%(after)s::uuid IS NULL OR c.id < %(after)s)
          AND {" AND ".join(seen)} AND NOT o.blocked AND NOT n.blocked
          AND (c.state <> 'open' OR NOT (o.archived OR n.archived OR {_OVERTAKEN}))
        ORDER BY c.id DESC LIMIT %(limit)s
        """,
        params,
    )


async def lock(session: WriteSession, conflict_id: UUID) -> ConflictRow | None:
    """A conflict, locked until the transaction ends; its memories before it, in the order of a deletion."""
    params = {"user": session.user_id, "id": conflict_id}
    await session.execute(
        """
        SELECT FROM memory m WHERE m.user_id = %(user)s AND m.id IN (
          SELECT unnest(ARRAY[c.old_id, c.new_id]) FROM memory_conflict c WHERE c.user_id = %(user)s AND c.id = %(id)s)
        ORDER BY m.id FOR UPDATE
        """,
        params,
    )
    return await session.row(
        ConflictRow, f"{_CONFLICT} WHERE c.user_id = %(user)s AND c.id = %(id)s FOR UPDATE OF c", params
    )


async def decide(session: WriteSession, conflict_id: UUID, state: str, now: int) -> None:
    """Note what was decided; a rejected conflict is no longer a link between the memories."""
    params = {"user": session.user_id, "id": conflict_id, "state": state, "now": now}
    await session.execute(
        "UPDATE memory_conflict SET state = %(state)s, decided_at = %(now)s WHERE user_id = %(user)s AND id = %(id)s",
        params,
    )
    if state == "rejected":
        await session.execute(
            """
            DELETE FROM association a USING memory_conflict c
            WHERE c.user_id = %(user)s AND c.id = %(id)s AND a.user_id = %(user)s AND a.from_memory_id = c.new_id
              AND a.to_memory_id = c.old_id AND a.relationship_type = 'contradicts'
            """,
            params,
        )


async def mark_superseded(session: WriteSession, old_id: UUID, new_id: UUID, now: int) -> None:
    """Record that one of the two has superseded the other, in every open conflict between them."""
    await session.execute(
        """
        UPDATE memory_conflict SET state = 'superseded', decided_at = %(now)s
        WHERE user_id = %(user)s AND state = 'open' AND old_id = %(old)s AND new_id = %(new)s
        """,
        {"user": session.user_id, "old": old_id, "new": new_id, "now": now},
    )


class Pair(NamedTuple):
    """The state of two memories, locked; `begins` is when the new one became true (epoch ms).

    `ends` is when the old one ended: when the first memory became true that contradicts it in the same attribute, or, if
    the new one was recorded earlier, when it was said again.
    """

    old_archived: bool
    new_archived: bool
    begins: int
    ends: int
    learned: int


async def lock_pair(session: WriteSession, old_id: UUID, new_id: UUID) -> Pair | None:
    """Two ordinary memories, locked in the order of their ids."""
    params = {"user": session.user_id, "ids": [old_id, new_id], "old": old_id, "new": new_id}
    await session.execute(
        "SELECT FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE", params
    )
    return await session.row(
        Pair,
        f"""
        SELECT o.archived AS old_archived, n.archived AS new_archived, coalesce(n.valid_from, n.created_at) AS begins,
               least(CASE WHEN n.valid_from IS NULL AND n.created_at < o.created_at THEN greatest(n.created_at, said.at)
                          ELSE coalesce(n.valid_from, n.created_at) END, (
                 SELECT min(coalesce(x.valid_from, x.created_at))
                 FROM memory_conflict c
                 JOIN memory_conflict same ON same.user_id = %(user)s AND same.old_id = c.old_id
                   AND same.new_id = %(new)s AND same.attribute = c.attribute
                 JOIN memory x ON x.user_id = %(user)s AND x.id = c.new_id
                 WHERE c.user_id = %(user)s AND c.old_id = %(old)s AND c.state IN ('open', 'superseded')
                   AND x.id <> n.id
                   AND NOT x.blocked AND (NOT x.archived OR x.archived_by = 'supersede')
               )) AS ends,
               n.created_at AS learned
        FROM memory o JOIN memory n ON n.user_id = %(user)s AND n.id = %(new)s
        LEFT JOIN LATERAL ({last_said("n")}) said ON true
        WHERE o.user_id = %(user)s AND o.id = %(old)s AND o.knowledge_base_id IS NULL AND n.knowledge_base_id IS NULL
        """,
        params,
    )


async def link(session: WriteSession, old_id: UUID, new_id: UUID, ends: int, begins: int, now: int) -> None:
    """End the period of the old memory, begin that of the new one (epoch ms), and point them to each other."""
    params = {"user": session.user_id, "old": old_id, "new": new_id, "ends": ends, "begins": begins, "now": now}
    await session.execute(
        """
        UPDATE memory SET valid_until = greatest(%(ends)s, valid_from), superseded_by_memory_id = %(new)s,
                          superseded_at = %(now)s, archived = true, archived_at = %(now)s, archived_by = 'supersede',
                          updated_at = %(now)s
        WHERE user_id = %(user)s AND id = %(old)s
        """,
        params,
    )
    await session.execute(
        """
        UPDATE memory SET valid_from = %(begins)s, supersedes_memory_id = coalesce(supersedes_memory_id, %(old)s),
                          updated_at = %(now)s
        WHERE user_id = %(user)s AND id = %(new)s
        """,
        params,
    )
