"""The scheduled job `text_reindex`: re-indexes rows that an earlier version of the text analysis has indexed.

It works in pages and resumes where it stopped; until its turn comes, a row is found by its old lexemes.
"""

from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.lifecycle import text_reindex_store as store
from memd.memories import text_reindexing as memories
from memd.messages import text_reindexing as messages


async def reindex_all(services: Services) -> JobResult:
    """Re-index the outdated rows."""
    result = await for_found_users(services, store.users_with_outdated, reindex_texts)
    async with services.database.system() as session:
        result.more = result.rows > 0 and bool(await store.users_with_outdated(session))
    return result


async def reindex_texts(context: Context) -> int:
    """Re-index the outdated rows of one user; returns how many."""
    return await memories.reindex(context) + await messages.reindex(context)
