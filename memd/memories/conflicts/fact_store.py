"""The SQL of facts: replacing those of memories, and pairing them with those of other memories."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.domain.facts import COEXISTING, Fact


async def put_facts(session: WriteSession, facts: Sequence[tuple[UUID, int, Fact]], memory_ids: Sequence[UUID]) -> None:
    """Replace the facts of these memories by (memory, place, fact)."""
    await session.execute(
        "DELETE FROM memory_fact WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(memory_ids)},
    )
    await session.execute(
        """
        INSERT INTO memory_fact (user_id, memory_id, place, subject_key, attribute, subject, value, changed, denied)
        SELECT own.user_id, r.*
        FROM totals own CROSS JOIN
             unnest(%(ids)s::uuid[], %(places)s::int2[], %(keys)s::text[], %(attributes)s::text[],
                    %(subjects)s::text[], %(values)s::text[], %(changed)s::bool[], %(denied)s::bool[]) AS r
        WHERE own.user_id = %(user)s
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
        JOIN memory_fact of ON of.user_id = %(user)s AND of.subject_key = nf.subject_key
                           AND of.attribute = nf.attribute AND of.memory_id <> nf.memory_id
        JOIN memory n ON n.user_id = %(user)s AND n.id = nf.memory_id
        JOIN memory o ON o.user_id = %(user)s AND o.id = of.memory_id
        WHERE nf.user_id = %(user)s AND (nf.memory_id = ANY(%(ids)s) OR of.memory_id = ANY(%(ids)s))
          AND {_WHEN.format(m="o")} < {_WHEN.format(m="n")}
          AND NOT n.archived AND NOT o.archived AND NOT n.blocked AND NOT o.blocked
          AND n.channel IS NOT DISTINCT FROM o.channel AND n.project_id IS NOT DISTINCT FROM o.project_id
          AND (o.valid_until IS NULL OR o.valid_until > coalesce(n.valid_from, n.created_at))
          AND (nf.attribute <> ALL(%(coexisting)s) OR nf.changed OR nf.denied OR of.denied)
        ORDER BY coalesce(n.valid_from, n.created_at), n.id, coalesce(o.valid_from, o.created_at), o.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "ids": list(memory_ids), "limit": limit, "coexisting": list(COEXISTING)},
    )
