"""The messages behind memories, to tell whether extraction would still make these memories (contract 17.9)."""

from collections.abc import Collection
from uuid import UUID

from memd.context import Context
from memd.domain.extraction.junk import AFTER, BEFORE, SourceReading
from memd.extraction import store


async def read_again(context: Context, message_ids: Collection[UUID]) -> dict[UUID, SourceReading]:
    """Each of these messages that exists, to be read again."""
    async with context.database.owner(context.user_id) as session:
        found = await store.around(session, list(message_ids), BEFORE, AFTER)
    return {
        message_id: SourceReading(next(one for one in around if one.id == message_id), around)
        for message_id, around in found.items()
    }
