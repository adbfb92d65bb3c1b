"""Indexing anew what an earlier text analysis has indexed: in pages, beside everything else, resumed where it stopped.

Until its turn comes a row is found by its old lexemes.
"""

import asyncio
from typing import Final
from uuid import UUID

from memd.accounts.rounds import Tally, round_of
from memd.context import Context, Services
from memd.lifecycle import text_reindex_store as store
from memd.memories import text_index_store as memory_store
from memd.messages import text_index_store as message_store

PAGE: Final = 200
_FIRST: Final = UUID(int=0)


async def reindex_all(services: Services) -> Tally:
    """`text_reindex`: index the rows anew that another version of the text analysis has indexed."""
    async with services.database.system() as session:
        users = await store.users_with_outdated(session)
    tally = await round_of(services, users, reindex_texts)
    async with services.database.system() as session:
        tally.more = tally.rows > 0 and bool(await store.users_with_outdated(session))
    return tally


async def reindex_texts(context: Context) -> int:
    """Index the outdated rows of one user anew; how many. What somebody else is writing is left to the next run."""
    return await _memories(context) + await _messages(context)


async def _memories(context: Context) -> int:
    """Page by page, each row locked, so that no edit comes between its text and its lexemes."""
    language, total, after = context.services.settings.text_search_config, 0, _FIRST
    while True:
        async with context.database.write(context.user_id) as session:
            page = await store.outdated_memories(session, after, PAGE)
            texts = await memory_store.lock_texts(session, page)
            indexes = await asyncio.to_thread(memory_store.text_indexes, context.user_id, texts, language)
            await memory_store.set_text_indexes(session, indexes)
        total += len(texts)
        if len(page) < PAGE:
            return total
        after = page[-1]


async def _messages(context: Context) -> int:
    """Page by page; a message never changes its text."""
    language, total, after = context.services.settings.text_search_config, 0, _FIRST
    while True:
        async with context.database.write(context.user_id) as session:
            page = await store.outdated_messages(session, after, PAGE)
            indexes = await asyncio.to_thread(message_store.text_indexes, context.user_id, page, language)
            await message_store.set_text_indexes(session, indexes)
        total += len(page)
        if len(page) < PAGE:
            return total
        after = page[-1].id
