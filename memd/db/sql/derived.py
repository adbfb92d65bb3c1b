"""Conditions on the rows of `memory`: whether memd derived one from other memories, so that it repeats what they say.

A client may capture with the source `inference` too, but it cannot name source memories. Who supersedes a derived row
writes words of their own, so the successor, which a key made, is not derived any more.
"""


def derived(row: str) -> str:
    """The condition that memd derived a row from other memories: a reflection, a consolidation or a promotion."""
    return f"({row}.source = 'inference' AND {row}.source_memory_ids <> '{{}}' AND {row}.created_by IS NULL)"


def restates(row: str) -> str:
    """The condition that a row only repeats memories that are stored as well: a reflection or a promotion.

    The sources of a consolidation are archived, so it is the one that states what they said. A reflection that was
    exported and imported names no sources; it is known by its tags.
    """
    copied = f"{derived(row)} AND ({row}.promoted_from IS NOT NULL OR 'reflection' = ANY({row}.tags))"
    imported = (
        f"{row}.source = 'inference' AND {row}.source_memory_ids = '{{}}' "
        f"AND {row}.tags @> ARRAY['reflection', 'distilled']"
    )
    return f"({copied} OR {imported})"


def learned_at(row: str) -> str:
    """When a row was learned (epoch ms): for a derived memory, when its newest source was stored."""
    return f"""CASE WHEN {derived(row)} THEN coalesce((
      SELECT max(s.created_at) FROM memory s WHERE s.user_id = %(user)s AND s.id = ANY({row}.source_memory_ids)),
      {row}.created_at) ELSE {row}.created_at END"""


def last_said(row: str) -> str:
    """The message in which the statement of an extracted row was said last: its time (`at`, epoch ms) and id; maybe no row.

    By a clock that was ahead, it was said when it arrived.
    """
    return f"""SELECT least(s.timestamp, s.created_at) AS at, s.id FROM message s
      WHERE {row}.source = 'conversation' AND s.user_id = %(user)s AND s.id = ANY({row}.source_message_ids)
      ORDER BY at DESC, s.created_at DESC, s.id DESC LIMIT 1"""
