"""The SQL that finds users with rows of an earlier text analysis."""

from uuid import UUID

from memd.db.session import SystemSession
from memd.domain.text_analysis.analysis import VERSION

_OUTDATED = f"index_version < {VERSION}"


async def users_with_outdated(session: SystemSession) -> list[UUID]:
    """Users with rows to re-index."""
    return await session.values(
        f"""
        SELECT user_id FROM memory_index WHERE {_OUTDATED}
        UNION SELECT user_id FROM message_index WHERE {_OUTDATED} ORDER BY user_id
        """
    )
