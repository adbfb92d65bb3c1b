"""Rows of the first schema are searchable after the upgrade, by their old lexemes and then by those of their language."""

from uuid import UUID

import httpx
import psycopg
import pytest

from memd.accounts.new_keys import hash_key
from memd.app import build
from memd.context import Services
from memd.db.schema.migrate import migrate
from memd.domain.ids import new_id
from memd.lifecycle import text_reindex
from memd.memories import text_reindexing as memories
from memd.messages import text_reindexing as messages
from memd.settings import Settings
from tests.support.dict_rows import dict_rows
from tests.support.service import BASE, serving
from tests.support.wire import Json

KEY = "ab" * 32
TEXTS = (
    "The boats are painted in March.",
    "Die Häuser am Fluss sind alt, und das Café ist geschlossen.",
    "安娜在旧桥边修理船只和渔网。",
    "Alarm ERR-4040 is the low pressure alarm.",
)

_USER = (
    "INSERT INTO app_user (user_id, tier, policy, created_at) VALUES (%(user)s, 'ultra', 'self_hosted_unmetered', 1)"
)
_KEY = """
INSERT INTO api_key (user_id, id, key_hash, scopes, created_at)
VALUES (%(user)s, gen_random_uuid(), %(hash)s, '{read,write}', 1)
"""
_MEMORY = """
INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence, arousal,
                    last_accessed_at, created_at, updated_at, content_hash)
VALUES (%(user)s, %(id)s, 'Note', %(text)s, 'semantic', 'fact', 'external', 0.8, 0.9, 0, 0.3, 1, 1, 1, %(text)s)
"""
_MEMORY_INDEX = """
INSERT INTO memory_index (user_id, memory_id, live, store, category, config, created_at, length, tsv)
VALUES (%(user)s, %(id)s, true, 'semantic', 'fact', false, 1, 9,
        memd_memory_tsv(%(user)s, 'english', 'Note', %(text)s, '{}'))
"""
_MESSAGE = """
INSERT INTO message (user_id, id, role, content, timestamp, created_at, expires_at, content_hash)
VALUES (%(user)s, %(id)s, 'user', %(text)s, 1, 1, 9223372036854775807, %(text)s)
"""
_MESSAGE_INDEX = """
INSERT INTO message_index (user_id, message_id, timestamp, asks, tsv)
VALUES (%(user)s, %(id)s, 1, false, memd_message_tsv(%(user)s, 'english', '1 January 1970 user: ' || %(text)s))
"""
_TOTALS = """
INSERT INTO totals (user_id, active_memories, total_messages, updated_at) VALUES (%(user)s, %(count)s, %(count)s, 1)
"""


@pytest.fixture
def upgraded(new_database: str) -> tuple[str, UUID]:
    """A database that was filled by the release before; its user."""
    migrate(new_database, "20261121_initial")
    user = new_id()
    with psycopg.connect(new_database, autocommit=True) as connection:
        connection.execute(_USER, {"user": user})
        connection.execute(_KEY, {"user": user, "hash": hash_key(KEY)})
        for statements in ((_MEMORY, _MEMORY_INDEX), (_MESSAGE, _MESSAGE_INDEX)):
            for text in TEXTS:
                row = {"user": user, "id": new_id(), "text": text}
                for statement in statements:
                    connection.execute(statement, row)
        connection.execute(_TOTALS, {"user": user, "count": len(TEXTS)})
    migrate(new_database)
    return new_database, user


async def contents(services: Services, path: str, query: str, rows: str) -> list[str]:
    """The texts that a search without vectors finds."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(build(services)), base_url=BASE) as http:
        body = {"query": query, "limit": 1}
        reply = await http.post(f"/api/mcp/{path}", json=body, headers={"Authorization": f"Bearer {KEY}"})
    found: Json = reply.json()
    return [row["content"] for row in found[rows]]


async def finds(services: Services, query: str) -> set[str]:
    memories = await contents(services, "recall", query, "memories")
    return {*memories, *await contents(services, "search-messages", query, "messages")}


async def test_rows_are_found_before_and_after_they_are_indexed_anew(
    upgraded: tuple[str, UUID], service_settings: Settings
) -> None:
    conninfo, user = upgraded
    async with serving(service_settings.model_copy(update={"workers_off": True}), conninfo) as services:
        await services.batcher.close()  # words alone
        assert await finds(services, "boat") == {TEXTS[0]}
        assert await finds(services, "Häuser") == {TEXTS[1]}
        result = await text_reindex.reindex_all(services)
        assert (result.users, result.rows) == (1, 2 * len(TEXTS))
        assert (await text_reindex.reindex_all(services)).users == 0
        async with services.database.read(user) as session:
            languages = await dict_rows(session, "SELECT language FROM memory_index ORDER BY language")
        assert [row["language"] for row in languages] == ["chinese", "english", "english", "german"]
        assert await finds(services, "boat") == {TEXTS[0]}
        assert await finds(services, "Haus cafe") == {TEXTS[1]}
        assert await finds(services, "谁修理船只？") == {TEXTS[2]}
        assert await finds(services, "4040") == {TEXTS[3]}


async def test_rows_that_somebody_is_writing_are_left_to_the_next_run(
    upgraded: tuple[str, UUID], service_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "PAGE", 3)
    monkeypatch.setattr(messages, "PAGE", 3)
    conninfo, user = upgraded
    async with serving(service_settings.model_copy(update={"workers_off": True}), conninfo) as services:
        async with services.database.write(user) as session:
            await session.execute("SELECT FROM memory WHERE content = %(text)s FOR UPDATE", {"text": TEXTS[0]})
            result = await text_reindex.reindex_all(services)
            assert (result.rows, result.more) == (2 * len(TEXTS) - 1, True)
            result = await text_reindex.reindex_all(services)
            assert (result.rows, result.more) == (0, False)
        result = await text_reindex.reindex_all(services)
        assert (result.rows, result.more) == (1, False)
