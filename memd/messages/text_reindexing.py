"""Re-indexes messages that an earlier version of the text analysis has indexed."""

from typing import Final
from uuid import UUID

from memd.context import Context
from memd.messages import text_index_store as store
from memd.off_loop import in_thread

PAGE: Final = 200


async def reindex(context: Context) -> int:
    """Re-index the outdated messages of a user, page by page; returns how many. A message never changes its text."""
    language, total, after = context.services.settings.text_search_config, 0, UUID(int=0)
    while True:
        async with context.database.write(context.user_id) as session:
            page = await store.outdated(session, after, PAGE)
            indexes = await in_thread(store.text_indexes, context.user_id, page, language, context.zone)
            await store.set_text_indexes(session, indexes)
        total += len(page)
        if len(page) < PAGE:
            return total
        after = page[-1].id
