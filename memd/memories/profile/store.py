"""The SQL of profiles: the facts of visible memories that are true now."""

from typing import Any

from memd.db.moment_sql import period_condition
from memd.db.scope_sql import channel_condition
from memd.db.session import ReadSession
from memd.domain.profiles import StatedFact
from memd.domain.scoping import MemoryScope
from memd.domain.validity import Moment


async def facts(
    session: ReadSession, scope: MemoryScope, subject_key: str | None, now: int, limit: int
) -> list[StatedFact]:
    """The facts of active memories that are true now, about one subject or all, the last learned first."""
    params: dict[str, Any] = {"user": session.user_id, "subject": subject_key, "limit": limit}
    visible = channel_condition(scope, "m.channel", params)
    return await session.rows(
        StatedFact,
        f"""
        SELECT f.memory_id, f.subject_key, f.subject, f.attribute, f.value, f.denied, m.created_at AS seen_at
        FROM memory_fact f JOIN memory m ON m.user_id = f.user_id AND m.id = f.memory_id
        WHERE f.user_id = %(user)s AND (%(subject)s::text IS NULL OR f.subject_key = %(subject)s)
          AND NOT m.archived AND NOT m.blocked AND {visible} AND {period_condition(Moment(now), "m", params)}
        ORDER BY m.created_at DESC, f.memory_id, f.place LIMIT %(limit)s
        """,
        params,
    )
