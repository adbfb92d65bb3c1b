"""The SQL that finds users with rows of an earlier text analysis."""

from uuid import UUID

from memd.db.session import SystemSession
from memd.domain.text_analysis.analysis import VERSION

_OUTDATED = f"index_version < {VERSION}"


async def users_with_outdated(session: SystemSession) -> list[UUID]:
    """Active users with rows to re-index."""
    return await session.values(
        f"""
        SELECT user_id FROM app_user u WHERE active AND (
            EXISTS (SELECT FROM memory_index i WHERE i.user_id = u.user_id AND i.{_OUTDATED})
            OR EXISTS (SELECT FROM message_index i WHERE i.user_id = u.user_id AND i.{_OUTDATED}))
        ORDER BY user_id
        """
    )
