"""Searching among many messages (contract 11.4): common words are not looked for, and still count."""

from itertools import product

import pytest_asyncio
from psycopg import AsyncConnection

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.stats import service as stats
from tests.support.service import TestUser
from tests.support.talk import found, log

MANY = 4_500

_MESSAGES = """
INSERT INTO message (user_id, id, role, content, session_key, timestamp, created_at, expires_at, embedding_pending,
                     content_hash)
SELECT %(user)s, gen_random_uuid(), 'user', 'the weekly report about sales, number ' || n, 's' || n / 20, n, n,
       %(expires)s, false, 'h' || n
FROM generate_series(1, %(many)s) n
"""
_INDEX = """
INSERT INTO message_index (user_id, message_id, session_key, timestamp, asks, tsv)
SELECT user_id, id, session_key, timestamp, false, memd_message_tsv(user_id, 'english', content) FROM message
WHERE user_id = %(user)s
"""


@pytest_asyncio.fixture(loop_scope="session")
async def talkative(wordy: TestUser, services: Services, embedded_postgres: EmbeddedPostgres) -> TestUser:
    """A user with thousands of messages that share their words."""
    params = {"user": wordy.id, "many": MANY, "expires": services.clock() + 10**9}
    async with services.database.write(wordy.id) as session:
        await session.execute(_MESSAGES, params)
        await session.execute(_INDEX, params)
        await stats.move(session, services.clock(), messages=MANY)
    async with await AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        await owner.execute("ANALYZE message, message_index")  # as autovacuum does after this many rows
    return wordy


async def test_the_rare_word_finds_and_the_common_ones_order(talkative: TestUser) -> None:
    await log(talkative, "a walrus and the weekly report", sessionKey="a")
    await log(talkative, "a walrus alone", sessionKey="b")
    hits = await found(talkative, "weekly report about the walrus", limit=100)
    assert hits == ["a walrus and the weekly report", "a walrus alone"]


async def test_common_words_alone_still_find(talkative: TestUser) -> None:
    assert len(await found(talkative, "weekly sales report", limit=100)) == 100


async def test_a_long_query_is_read_by_its_rarest_words(talkative: TestUser) -> None:
    await log(talkative, "a walrus", sessionKey="a")
    filler = " ".join("".join(letters) for letters in product("bdfklmn", repeat=3))
    assert await found(talkative, f"weekly report walrus {filler}") == ["a walrus"]
