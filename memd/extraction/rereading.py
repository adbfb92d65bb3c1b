"""Reading messages again, to tell whether extraction would still make a memory of them (contract 13, `junk`)."""

import asyncio
from collections.abc import Collection, Mapping
from uuid import UUID

from memd.context import Context
from memd.domain.conversation_windows import SourceMessage
from memd.domain.junk import AFTER, BEFORE, SourceReading, read_source
from memd.extraction import store


async def read_again(context: Context, message_ids: Collection[UUID]) -> dict[UUID, SourceReading]:
    """What extraction makes of each of these messages now; those that are gone are left out."""
    async with context.database.owner(context.user_id) as session:
        found = await store.around(session, list(message_ids), BEFORE, AFTER)
    return await asyncio.to_thread(_read, found)


def _read(found: Mapping[UUID, list[SourceMessage]]) -> dict[UUID, SourceReading]:
    return {
        message_id: read_source(next(one for one in around if one.id == message_id), around)
        for message_id, around in found.items()
    }
