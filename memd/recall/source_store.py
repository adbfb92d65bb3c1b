"""The SQL of the messages that memories were made from."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession


class SourcesRow(NamedTuple):
    """A memory and the messages that it was made from."""

    id: UUID
    source_message_ids: list[UUID]


async def sources(
    session: OwnerSession, memory_ids: Collection[UUID], message_ids: Collection[UUID]
) -> list[SourcesRow]:
    """Those of the memories that were made from any of the messages."""
    return await session.rows(
        SourcesRow,
        """
        SELECT id, source_message_ids FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(memories)s) AND source_message_ids && %(messages)s::uuid[]
        """,
        {"user": session.user_id, "memories": list(memory_ids), "messages": list(message_ids)},
    )
