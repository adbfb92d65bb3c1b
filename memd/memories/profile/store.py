"""The SQL of profiles: the facts of visible memories that are true now."""

from collections.abc import Sequence
from typing import Any

from memd.db.moment_sql import period_condition
from memd.db.scope_sql import channel_condition
from memd.db.session import ReadSession
from memd.domain.profiles import StatedFact
from memd.domain.scoping import MemoryScope
from memd.domain.validity import Moment


async def facts(
    session: ReadSession, scope: MemoryScope, subject_keys: Sequence[str] | None, now: int, limit: int
) -> list[StatedFact]:
    """The facts of active memories that are true now, about some subjects or all, the last learned first."""
    subjects = None if subject_keys is None else list(subject_keys)
    params: dict[str, Any] = {"user": session.user_id, "subjects": subjects, "limit": limit}
    visible = channel_condition(scope, "m.channel", params)
    return await session.rows(
        StatedFact,
        f"""
        SELECT f.memory_id, f.subject_key, f.subject, f.attribute, f.value, f.denied, m.created_at AS seen_at
        FROM memory_fact f JOIN memory m ON m.user_id = %(user)s AND m.id = f.memory_id
        WHERE f.user_id = %(user)s AND (%(subjects)s::text[] IS NULL OR f.subject_key = ANY(%(subjects)s))
          AND NOT m.archived AND NOT m.blocked AND {visible} AND {period_condition(Moment(now), "m", params)}
        ORDER BY m.created_at DESC, f.memory_id, f.place LIMIT %(limit)s
        """,
        params,
    )
