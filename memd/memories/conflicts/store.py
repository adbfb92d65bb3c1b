"""The SQL of facts and of contradictions between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.scope_sql import channel_condition
from memd.db.session import OwnerSession, ReadSession, WriteSession
from memd.domain.facts import Fact
from memd.domain.scoping import MemoryScope


async def put_facts(session: WriteSession, facts: Sequence[tuple[UUID, int, Fact]], memory_ids: Sequence[UUID]) -> None:
    """Replace the facts of these memories by (memory, place, fact)."""
    await session.execute(
        "DELETE FROM memory_fact WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(memory_ids)},
    )
    await session.execute(
        """
        INSERT INTO memory_fact (user_id, memory_id, place, subject_key, attribute, subject, value, changed, denied)
        SELECT %(user)s, * FROM unnest(%(ids)s::uuid[], %(places)s::int2[], %(keys)s::text[], %(attributes)s::text[],
                                       %(subjects)s::text[], %(values)s::text[], %(changed)s::bool[], %(denied)s::bool[])
        """,
        {
            "user": session.user_id,
            "ids": [memory_id for memory_id, _, _ in facts],
            "places": [place for _, place, _ in facts],
            "keys": [fact.subject_key for _, _, fact in facts],
            "attributes": [fact.attribute for _, _, fact in facts],
            "subjects": [fact.subject for _, _, fact in facts],
            "values": [fact.value for _, _, fact in facts],
            "changed": [fact.changed for _, _, fact in facts],
            "denied": [fact.denied for _, _, fact in facts],
        },
    )


class Rival(NamedTuple):
    """A fact of a new memory and one of an older memory about the same attribute; both memories are active."""

    new_id: UUID
    subject: str
    attribute: str
    new_value: str
    new_changed: bool
    new_denied: bool
    old_id: UUID
    old_value: str
    old_changed: bool
    old_denied: bool

    @property
    def old(self) -> Fact:
        """The fact of the older memory."""
        return Fact(self.subject, self.attribute, self.old_value, self.old_changed, self.old_denied)

    @property
    def new(self) -> Fact:
        """The fact of the newer memory."""
        return Fact(self.subject, self.attribute, self.new_value, self.new_changed, self.new_denied)


# The newer of two memories is the one that became true later, else the one that was learned later.
_WHEN: Final = "(coalesce({m}.valid_from, {m}.created_at), {m}.created_at, {m}.id)"


async def rivals(session: OwnerSession, memory_ids: Sequence[UUID], limit: int) -> list[Rival]:
    """Facts of these memories paired with those of other active memories of the same channel and project, oldest first."""
    return await session.rows(
        Rival,
        f"""
        SELECT nf.memory_id AS new_id, nf.subject, nf.attribute, nf.value AS new_value, nf.changed AS new_changed,
               nf.denied AS new_denied, of.memory_id AS old_id, of.value AS old_value, of.changed AS old_changed,
               of.denied AS old_denied
        FROM memory_fact nf
        JOIN memory_fact of ON of.user_id = nf.user_id AND of.subject_key = nf.subject_key
                           AND of.attribute = nf.attribute AND of.memory_id <> nf.memory_id
        JOIN memory n ON n.user_id = nf.user_id AND n.id = nf.memory_id
        JOIN memory o ON o.user_id = of.user_id AND o.id = of.memory_id
        WHERE nf.user_id = %(user)s AND (nf.memory_id = ANY(%(ids)s) OR of.memory_id = ANY(%(ids)s))
          AND {_WHEN.format(m="o")} < {_WHEN.format(m="n")}
          AND NOT n.archived AND NOT o.archived AND NOT n.blocked AND NOT o.blocked
          AND n.channel IS NOT DISTINCT FROM o.channel AND n.project_id IS NOT DISTINCT FROM o.project_id
          AND (o.valid_until IS NULL OR o.valid_until > coalesce(n.valid_from, n.created_at))
        ORDER BY coalesce(n.valid_from, n.created_at), n.id, coalesce(o.valid_from, o.created_at), o.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "ids": list(memory_ids), "limit": limit},
    )


@dataclass(frozen=True, slots=True)
class NewConflict:
    """A contradiction to be noted."""

    id: UUID
    rival: Rival
    certainty: float


async def put_conflicts(session: WriteSession, found: Sequence[NewConflict], now: int) -> None:
    """Note contradictions that are not known, and link their memories."""
    params = {
        "user": session.user_id,
        "now": now,
        "ids": [one.id for one in found],
        "old": [one.rival.old_id for one in found],
        "new": [one.rival.new_id for one in found],
        "subjects": [one.rival.subject for one in found],
        "attributes": [one.rival.attribute for one in found],
        "old_values": [one.rival.old_value for one in found],
        "new_values": [one.rival.new_value for one in found],
        "certainties": [one.certainty for one in found],
    }
    await session.execute(
        """
        INSERT INTO memory_conflict (user_id, id, old_id, new_id, subject, attribute, old_value, new_value, certainty, state,
                                     created_at)
        SELECT %(user)s, s.*, 'open', %(now)s
        FROM unnest(%(ids)s::uuid[], %(old)s::uuid[], %(new)s::uuid[], %(subjects)s::text[], %(attributes)s::text[],
                    %(old_values)s::text[], %(new_values)s::text[], %(certainties)s::float8[]) AS s
        ON CONFLICT (user_id, old_id, new_id, attribute) DO NOTHING
        """,
        params,
    )
    await session.execute(
        """
        INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)
        SELECT DISTINCT ON (s.new, s.old) %(user)s, s.new, s.old, 'contradicts', s.certainty, %(now)s, %(now)s
        FROM unnest(%(new)s::uuid[], %(old)s::uuid[], %(certainties)s::float8[]) AS s(new, old, certainty)
        ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO NOTHING
        """,
        params,
    )


class ConflictRow(NamedTuple):
    """A contradiction with the titles of its memories."""

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
JOIN memory o ON o.user_id = c.user_id AND o.id = c.old_id
JOIN memory n ON n.user_id = c.user_id AND n.id = c.new_id
"""


async def page(
    session: ReadSession, scope: MemoryScope, state: str, after: UUID | None, limit: int
) -> list[ConflictRow]:
    """The contradictions in a state between visible memories, the newest first, behind `after`."""
    params: dict[str, Any] = {"user": session.user_id, "state": state, "after": after, "limit": limit}
    seen = [channel_condition(scope, f"{alias}.channel", params, name=alias) for alias in ("o", "n")]
    return await session.rows(
        ConflictRow,
        f"""
        {_CONFLICT}
        WHERE c.user_id = %(user)s AND c.state = %(state)s AND (%(after)s::uuid IS NULL OR c.id < %(after)s)
          AND {" AND ".join(seen)} AND NOT o.blocked AND NOT n.blocked
        ORDER BY c.id DESC LIMIT %(limit)s
        """,
        params,
    )


async def lock(session: WriteSession, conflict_id: UUID) -> ConflictRow | None:
    """A contradiction, locked until the transaction ends; its memories before it, in the order of a deletion."""
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
    """Note what was decided; a rejected contradiction is no link between the memories any more."""
    params = {"user": session.user_id, "id": conflict_id, "state": state, "now": now}
    await session.execute(
        "UPDATE memory_conflict SET state = %(state)s, decided_at = %(now)s WHERE user_id = %(user)s AND id = %(id)s",
        params,
    )
    if state == "rejected":
        await session.execute(
            """
            DELETE FROM association a USING memory_conflict c
            WHERE c.user_id = %(user)s AND c.id = %(id)s AND a.user_id = c.user_id AND a.from_memory_id = c.new_id
              AND a.to_memory_id = c.old_id AND a.relationship_type = 'contradicts'
            """,
            params,
        )


async def settle(session: WriteSession, old_id: UUID, new_id: UUID, now: int) -> None:
    """Note that one of the two has superseded the other, in every open contradiction with the old one."""
    await session.execute(
        """
        UPDATE memory_conflict SET state = 'superseded', decided_at = %(now)s
        WHERE user_id = %(user)s AND state = 'open' AND old_id = %(old)s AND new_id = %(new)s
        """,
        {"user": session.user_id, "old": old_id, "new": new_id, "now": now},
    )


class Pair(NamedTuple):
    """The state of two memories, locked; `begins` is when the new one became true (epoch ms)."""

    old_archived: bool
    new_archived: bool
    begins: int
    learned: int


async def lock_pair(session: WriteSession, old_id: UUID, new_id: UUID) -> Pair | None:
    """Two ordinary memories, locked in the order of their ids."""
    params = {"user": session.user_id, "ids": [old_id, new_id], "old": old_id, "new": new_id}
    await session.execute(
        "SELECT FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE", params
    )
    return await session.row(
        Pair,
        """
        SELECT o.archived AS old_archived, n.archived AS new_archived, coalesce(n.valid_from, n.created_at) AS begins,
               n.created_at AS learned
        FROM memory o JOIN memory n ON n.user_id = o.user_id AND n.id = %(new)s
        WHERE o.user_id = %(user)s AND o.id = %(old)s AND o.knowledge_base_id IS NULL AND n.knowledge_base_id IS NULL
        """,
        params,
    )


async def link(session: WriteSession, old_id: UUID, new_id: UUID, begins: int, now: int) -> None:
    """End the period of the old memory where that of the new one begins, and point them to each other."""
    params = {"user": session.user_id, "old": old_id, "new": new_id, "begins": begins, "now": now}
    await session.execute(
        """
        UPDATE memory SET valid_until = greatest(%(begins)s, valid_from), superseded_by_memory_id = %(new)s,
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
