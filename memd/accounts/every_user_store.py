"""The SQL that finds users by what they did last."""

from uuid import UUID

from memd.db.session import SystemSession


async def changed_since(session: SystemSession, since: int) -> list[UUID]:
    """Users whose memories or messages have changed at `since` (epoch ms) or later."""
    return await session.values(
        "SELECT user_id FROM totals WHERE updated_at >= %(since)s ORDER BY user_id", {"since": since}
    )


async def with_memories(session: SystemSession, minimum: int) -> list[UUID]:
    """Users with at least this number of active memories."""
    return await session.values(
        "SELECT user_id FROM totals WHERE active_memories >= %(least)s ORDER BY user_id", {"least": minimum}
    )
