"""The SQL that pages through users."""

from uuid import UUID

from memd.db.session import SystemSession


async def active_users(session: SystemSession, after: UUID, limit: int) -> list[UUID]:
    """The ids of active users after `after`, in order."""
    return await session.values(
        "SELECT user_id FROM app_user WHERE active AND user_id > %(after)s ORDER BY user_id LIMIT %(limit)s",
        {"after": after, "limit": limit},
    )
