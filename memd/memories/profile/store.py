"""The SQL of profiles: the facts of visible memories that are true now, and what was decided about their conflicts."""

from collections.abc import Sequence
from typing import Any, Final

from memd.db.session import ReadSession
from memd.db.sql.derived import derived, learned_at
from memd.db.sql.moment import period_condition
from memd.db.sql.scope import channel_condition
from memd.domain.facts.activities import HIDDEN_PREFIX
from memd.domain.facts.full_names import FULL_NAME
from memd.domain.facts.profiles import StatedFact
from memd.domain.periods.validity import Moment
from memd.domain.visibility.scoping import MemoryScope

_CONFLICTS: Final = """
SELECT coalesce(array_agg(d.other_id) FILTER (WHERE d.state IN ('kept', 'rejected')), '{}'::uuid[]) AS settled,
       coalesce(array_agg(d.other_id) FILTER (WHERE d.state = 'open'), '{}'::uuid[]) AS disputed
FROM (
  SELECT k.new_id AS other_id, k.new_id, k.attribute, k.subject, k.state
  FROM memory_conflict k WHERE k.user_id = %(user)s AND k.old_id = s.memory_id
  UNION ALL
  SELECT k.old_id AS other_id, k.new_id, k.attribute, k.subject, k.state
  FROM memory_conflict k WHERE k.user_id = %(user)s AND k.new_id = s.memory_id
) d
WHERE d.attribute = s.attribute AND EXISTS (
  SELECT FROM memory_fact n WHERE n.user_id = %(user)s AND n.memory_id = d.new_id AND n.attribute = d.attribute
    AND n.subject = d.subject AND n.subject_key = s.subject_key)
"""
"""The other memories of the conflicts that name the memory of the fact `s`, its attribute and its subject."""

_SUBJECTS: Final = """
SELECT unnest(%(subjects)s::text[]) UNION (
  SELECT n.value FROM memory_fact n
  WHERE n.user_id = %(user)s AND n.subject_key = ANY(%(subjects)s) AND n.attribute = %(full_name)s LIMIT 1000)
"""
"""The keys of the subjects, and those of the full names that begin with one of them."""

_EDITS: Final = """
SELECT max(v.recorded_until) FILTER (WHERE v.fields->>'content' <> s.content) AS last_at,
       min(v.recorded_from) FILTER (WHERE position(lower(s.value) IN lower(v.fields->>'content')) > 0) AS stated_at
FROM memory_version v WHERE v.user_id = %(user)s AND v.memory_id = s.memory_id AND s.edited
"""
"""When the text of the memory of the fact `s` was last edited, and since when a text of it has had the value."""

_WRITTEN: Final = r"""
SELECT (regexp_match(left(s.content, 4000), '\s(' || replace(s.attribute, '-', '[^[:alnum:]]+') || ')\M', 'i'))[1] AS written
"""
"""The attribute of the fact `s` in the words of its memory, but not where these begin: there it may have a capital."""


async def facts(
    session: ReadSession, scope: MemoryScope, subject_keys: Sequence[str] | None, now: int, limit: int
) -> list[StatedFact]:
    """The facts of active memories that are true now, about some subjects or all, the last learned first.

    Those about some subjects include the full names that begin with one of them (see `full_names.about`).

    Who edits the text of a memory sees its facts again, but which of two memories is newer stays as it was. The two
    memories of a conflict are of one channel; a fact names the other one, whether or not its facts are read.
    """
    condition = f"left(f.attribute, 1) <> '{HIDDEN_PREFIX}'"
    if subject_keys is not None:
        condition = f"f.subject_key = ANY(ARRAY({_SUBJECTS})) AND ({condition} OR f.attribute = %(full_name)s)"
    params: dict[str, Any] = {"user": session.user_id, "limit": limit, "full_name": FULL_NAME}
    params["subjects"] = list(subject_keys or ())
    visible = channel_condition(scope, "m.channel", params)
    return await session.rows(
        StatedFact,
        f"""
        SELECT s.memory_id, s.subject_key, s.subject, s.attribute, s.value, s.denied,
               coalesce(e.last_at, s.learned_at) AS seen_at,
               coalesce(e.stated_at, CASE WHEN position(lower(s.value) IN lower(s.content)) > 0 THEN e.last_at END,
                        s.learned_at) AS first_seen_at,
               c.settled, c.disputed, w.written
        FROM (
          SELECT f.memory_id, f.subject_key, f.subject, f.attribute, f.value, f.denied, f.place, m.content,
                 {learned_at("m")} AS learned_at, m.version > 1 AND NOT {derived("m")} AS edited
          FROM memory_fact f JOIN memory m ON m.user_id = %(user)s AND m.id = f.memory_id
          WHERE f.user_id = %(user)s AND {condition}
            AND NOT m.archived AND NOT m.blocked AND {visible} AND {period_condition(Moment(now), "m", params)}
          ORDER BY m.created_at DESC, f.memory_id, f.place LIMIT %(limit)s
        ) s
        CROSS JOIN LATERAL ({_CONFLICTS}) c CROSS JOIN LATERAL ({_EDITS}) e CROSS JOIN LATERAL ({_WRITTEN}) w
        ORDER BY s.learned_at DESC, s.memory_id, s.place
        """,
        params,
    )
