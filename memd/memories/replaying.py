"""Automatic captures that arrive again: the memory that is there gets the tags and counts as used (contract 6.1)."""

from functools import partial
from uuid import UUID

from memd.context import Context
from memd.db.text_index import TextIndex
from memd.domain.types import HistoryAction
from memd.memories import store, text_index_store
from memd.memories.history.recording import Cause, record_versions
from memd.memories.text_index_store import StoredText
from memd.off_loop import in_thread_if_long


async def replay(context: Context, memory_id: UUID, new_tags: list[str]) -> list[float] | None:
    """Add the tags to a stored row, whose access is now; its embedding, None when the row no longer exists.

    A row that gets new tags is locked a second time, after its text has been analysed.
    """
    model, language = context.services.model, context.services.settings.text_search_config
    tagged: StoredText | None = None
    indexes: dict[UUID, TextIndex] = {}
    while True:
        async with context.database.write(context.user_id) as session:
            stored = await text_index_store.lock_active(session, memory_id)
            if stored is None:
                return None
            after = stored._replace(tags=list(dict.fromkeys([*stored.tags, *new_tags])))
            if after in (stored, tagged):
                if after != stored:
                    await record_versions(session, context, [memory_id], Cause(HistoryAction.CAPTURE))
                await store.touch(session, memory_id, context.now, after.tags)
                if after != stored:
                    await text_index_store.set_text_indexes(session, indexes)
                    await store.sync_filters(session, [memory_id])
                return await store.vector(session, memory_id, model)
        indexing = partial(text_index_store.text_indexes, context.user_id, [after], language)
        tagged, indexes = after, await in_thread_if_long(indexing, len(after.content))
