"""Re-indexes memories that an earlier version of the text analysis has indexed."""

from typing import Final
from uuid import UUID

from memd.context import Context
from memd.memories import text_index_store as store
from memd.off_loop import in_thread

PAGE: Final = 200


async def reindex(context: Context) -> int:
    """Re-index the outdated memories and chunks of a user, page by page; returns how many.

    The texts are analysed before the rows are locked, so that no edit waits for that. A row that was edited meanwhile, or
    is locked, is left to the next run.
    """
    language, total, after = context.services.settings.text_search_config, 0, UUID(int=0)
    while True:
        async with context.database.owner(context.user_id) as session:
            page = await store.outdated(session, after, PAGE)
        indexes = await in_thread(store.text_indexes, context.user_id, page, language)
        async with context.database.write(context.user_id) as session:
            stored = {text.id: text for text in await store.lock_texts(session, list(indexes))}
            unchanged = {seen.id for seen in page if seen == stored.get(seen.id)}
            await store.set_text_indexes(session, {one: indexes[one] for one in unchanged})
        total += len(unchanged)
        if len(page) < PAGE:
            return total
        after = page[-1].id
