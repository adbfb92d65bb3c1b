"""The SQL of facts: replacing those of memories, and pairing them with those of other memories."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.db.sql.derived import last_said, learned_at
from memd.domain.facts.activities import HIDDEN_PREFIX
from memd.domain.facts.facts import COEXISTING, Fact
from memd.domain.facts.rivals import DatedMemory
from memd.domain.facts.versions import VERSION_END


def put_facts(session: WriteSession, facts: Sequence[tuple[UUID, int, Fact]], memory_ids: Sequence[UUID]) -> None:
    """Replace the facts of these memories by (memory, place, fact)."""
    session.execute_later(
        (
            "DELETE FROM memory_fact WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
            {"user": session.user_id, "ids": list(memory_ids)},
        )
    )
    if not facts:
        return
    session.execute_later(
        (
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
                "places": [index for _, index, _ in facts],
                "keys": [fact.subject_key for _, _, fact in facts],
                "attributes": [fact.attribute for _, _, fact in facts],
                "subjects": [fact.subject for _, _, fact in facts],
                "values": [fact.value for _, _, fact in facts],
                "changed": [fact.changed for _, _, fact in facts],
                "denied": [fact.denied for _, _, fact in facts],
            },
        )
    )


class SameAttribute(NamedTuple):
    """A fact of the page, and one of another memory about the same attribute with another value."""

    page_id: UUID
    other_id: UUID
    attribute: str
    page_subject: str
    page_value: str
    page_changed: bool
    page_denied: bool
    other_subject: str
    other_value: str
    other_changed: bool
    other_denied: bool

    @property
    def page_fact(self) -> Fact:
        """The fact of the page."""
        return Fact(self.page_subject, self.attribute, self.page_value, self.page_changed, self.page_denied)

    @property
    def other_fact(self) -> Fact:
        """The fact of the other memory."""
        return Fact(self.other_subject, self.attribute, self.other_value, self.other_changed, self.other_denied)


_NAME: Final = rf"regexp_replace(lower(%s.value), '{VERSION_END}', '')"
"""The name of a product in use, without its version."""
_SAME_ATTRIBUTE: Final = f"""
SELECT g.memory_id AS page_id, x.memory_id AS other_id, g.attribute,
       g.subject AS page_subject, g.value AS page_value, g.changed AS page_changed, g.denied AS page_denied,
       x.subject AS other_subject, x.value AS other_value, x.changed AS other_changed, x.denied AS other_denied
FROM memory_fact g
JOIN memory p ON p.user_id = %(user)s AND p.id = g.memory_id
CROSS JOIN LATERAL (
  SELECT n.memory_id, n.subject, n.value, n.changed, n.denied
  FROM (SELECT f.memory_id, f.subject, f.value, f.changed, f.denied FROM memory_fact f
        WHERE f.user_id = %(user)s AND f.subject_key = g.subject_key AND f.attribute = g.attribute
          AND f.memory_id <> g.memory_id
        ORDER BY f.memory_id DESC LIMIT %(scanned)s) n
  CROSS JOIN LATERAL (
    SELECT FROM memory m
    WHERE m.user_id = %(user)s AND m.id = n.memory_id AND NOT m.archived AND NOT m.blocked
      AND m.channel IS NOT DISTINCT FROM p.channel AND m.project_id IS NOT DISTINCT FROM p.project_id
    OFFSET 0) same_group
  WHERE (g.value <> n.value OR g.denied <> n.denied)
    AND (NOT (g.attribute = ANY(%(coexisting)s) OR starts_with(g.attribute, '{HIDDEN_PREFIX}')) OR g.changed OR n.changed OR g.denied OR n.denied
      OR (g.attribute = 'uses' AND {_NAME % "g"} = {_NAME % "n"}))
  ORDER BY n.memory_id DESC LIMIT %(window)s) x
WHERE g.user_id = %(user)s AND g.memory_id = ANY(%(ids)s) AND NOT p.archived AND NOT p.blocked
"""


async def same_attribute(
    session: OwnerSession, memory_ids: Sequence[UUID], *, scanned: int, window: int
) -> list[SameAttribute]:
    """Facts of these memories (the page) paired with those of active memories of the same channel and project.

    Of each fact the `scanned` newest facts about the same attribute are read, so that the cost does not grow with what
    is stored; the newest `window` of those that may contradict it are returned. Facts that repeat the value are
    dropped, as are two values of an attribute that may have several, but for versions of one product in use, and two
    activities that go on.
    """
    return await session.rows(
        SameAttribute,
        _SAME_ATTRIBUTE,
        {
            "user": session.user_id,
            "ids": list(memory_ids),
            "scanned": scanned,
            "window": window,
            "coexisting": list(COEXISTING),
        },
    )


async def dated_memories(session: OwnerSession, memory_ids: Sequence[UUID]) -> list[DatedMemory]:
    """Those of the memories that are active and not blocked, with when extraction last found them said."""
    return await session.rows(
        DatedMemory,
        f"""
        SELECT m.id, m.channel, m.project_id, coalesce(said.at, {learned_at("m")}) AS said_at, m.valid_from, m.valid_until,
               coalesce(said.id, m.id) AS said_in
        FROM memory m LEFT JOIN LATERAL ({last_said("m")}) said ON true
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND NOT m.archived AND NOT m.blocked
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )
