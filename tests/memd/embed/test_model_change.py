"""`memd reembed` beside a running memd: nothing is lost until the restart, nor of what is stored meanwhile."""

import asyncio
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest
from click.testing import CliRunner

from memd.app import build
from memd.context import Services
from memd.db.schema.migrate import migrate
from memd.embed import models
from memd.embed.providers.provider import SAMPLE, EmbeddingRefusedError
from memd.embed.reembedding import earlier_models, reembed
from memd.embed.reembedding.reembed import run
from memd.health import service as health
from memd.lifecycle.upkeep import embed_all
from memd.main import main as memd
from memd.settings import EmbedModel, Settings
from tests.support.embedding_provider import providing
from tests.support.service import BASE, add_user, serving

ONE_VECTOR_STAYS = """
CREATE FUNCTION refuse_last() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM memory_vector WHERE model = OLD.model) = 1 THEN RAISE 'the last one stays'; END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER one_vector_stays BEFORE DELETE ON memory_vector FOR EACH ROW EXECUTE FUNCTION refuse_last();
"""
"""A failure of the database in the middle of the work."""


@pytest.fixture
def earlier(service_settings: Settings, new_database: str) -> Settings:
    """Settings of a memd on a server of its own, with the fast model."""
    migrate(new_database)
    return service_settings.model_copy(update={"database_url": new_database, "workers_off": True})


async def call(services: Services, key: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(build(services)), base_url=BASE) as http:
        return (await http.post(path, headers=headers, json=body)).raise_for_status().json()


async def capture_five(services: Services, key: str) -> None:
    for hall in range(5):
        await call(services, key, "/api/mcp/capture", {"title": "Pump", "content": f"The pump of hall {hall} leaks."})


async def closeness(services: Services, key: str, query: str) -> float:
    """How close in meaning the best memory is to the query; 0 without vectors."""
    memories = (await call(services, key, "/api/mcp/recall", {"query": query}))["memories"]
    return max((row["rankingSignals"]["vectorScore"] for row in memories), default=0)


async def vectors(services: Services) -> dict[int, int]:
    """The number of vectors of each model."""
    async with services.database.system() as session:
        ids = await session.values("SELECT model FROM memory_vector ORDER BY model")
    return {model: ids.count(model) for model in ids}


async def test_a_running_memd_keeps_its_vectors_and_what_it_stores_is_embedded_later(earlier: Settings) -> None:
    assert earlier.database_url is not None
    later = earlier.model_copy(update={"embed_model": EmbedModel.MINILM})
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        await call(services, key, "/api/mcp/capture", {"title": "Pump", "content": "The pump in hall 3 leaks."})
        assert "model" not in await health.degradations(services)
        assert await asyncio.to_thread(run, later, lambda _: None) == (1, 0)
        assert await closeness(services, key, "leaking pump") > 0.3
        await call(services, key, "/api/mcp/capture", {"title": "Valve", "content": "The valve in hall 4 is stuck."})
        await embed_all(services)
        assert await vectors(services) == {1: 2, 2: 1}
        assert "restart memd" in (await health.degradations(services))["model"]
    async with serving(later, earlier.database_url) as services:
        await embed_all(services)
        assert await vectors(services) == {2: 2}
        assert await closeness(services, key, "stuck valve") > 0.3
        assert "model" not in await health.degradations(services)


async def test_what_another_host_still_stores_with_the_earlier_model_is_embedded_again(earlier: Settings) -> None:
    assert earlier.database_url is not None
    later = earlier.model_copy(update={"embed_model": EmbedModel.MINILM})
    async with serving(earlier, earlier.database_url) as other_host:
        _, key = await add_user(other_host)
        await call(other_host, key, "/api/mcp/capture", {"title": "Pump", "content": "The pump in hall 3 leaks."})
        await asyncio.to_thread(run, later, lambda _: None)
        async with serving(later, earlier.database_url) as services:
            await embed_all(services)
            await call(other_host, key, "/api/mcp/capture", {"title": "Valve", "content": "The valve is stuck."})
            await embed_all(services)
            assert await vectors(services) == {2: 2}
            await embed_all(services)
            async with services.database.system() as session:
                assert await session.values("SELECT id FROM embedding_model") == [2]


async def test_every_page_of_memories_and_messages_is_embedded_again(
    earlier: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert earlier.database_url is not None
    monkeypatch.setattr(reembed, "PAGE", 2)
    later = earlier.model_copy(update={"embed_model": EmbedModel.MINILM})
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        await capture_five(services, key)
        for hall in range(5):
            await call(services, key, "/api/mcp/log", {"role": "user", "content": f"Hall {hall} is wet."})
        await embed_all(services)
        assert await asyncio.to_thread(run, later, lambda _: None) == (10, 0)
        assert await vectors(services) == {1: 5, 2: 5}


async def test_vectors_of_an_earlier_model_are_deleted_page_by_page(
    earlier: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert earlier.database_url is not None
    monkeypatch.setattr(earlier_models, "PAGE", 2)
    later = earlier.model_copy(update={"embed_model": EmbedModel.MINILM})
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        await capture_five(services, key)
        await asyncio.to_thread(run, later, lambda _: None)
    with psycopg.connect(earlier.database_url, autocommit=True) as connection:
        connection.execute(ONE_VECTOR_STAYS)
        async with serving(later, earlier.database_url) as services:
            with pytest.raises(psycopg.errors.RaiseException):
                await embed_all(services)
            assert await vectors(services) == {1: 1, 2: 5}, "pages before the failure are not rolled back"
            connection.execute("DROP TRIGGER one_vector_stays ON memory_vector")
            await embed_all(services)
            assert await vectors(services) == {2: 5}


def test_a_model_that_was_current_earlier_is_made_again_from_the_start(new_database: str) -> None:
    migrate(new_database)
    first = models.claim(new_database, "first", 3)
    assert models.register(new_database, "first", 3) == first
    second = models.register(new_database, "second", 4)
    assert models.register(new_database, "second", 4) == second
    with psycopg.connect(new_database) as connection:
        connection.execute("UPDATE embedding_model SET current = (id = %s)", [second])
    assert models.register(new_database, "first", 3) > second


def test_a_model_may_be_replaced_by_itself_with_vectors_of_another_length(new_database: str) -> None:
    migrate(new_database)
    short = models.claim(new_database, "remote", 512)
    long = models.register(new_database, "remote", 1536)
    assert long > short
    with pytest.raises(models.ModelChangedError, match=r"remote \(512 dimensions\).*remote \(1536 dimensions\)"):
        models.claim(new_database, "remote", 1536)
    with psycopg.connect(new_database) as connection:
        connection.execute("UPDATE embedding_model SET current = (id = %s)", [long])
    assert models.claim(new_database, "remote", 1536) == long
    with pytest.raises(models.ModelChangedError):
        models.claim(new_database, "remote", 512)


async def test_a_text_that_the_new_model_refuses_does_not_stop_the_change(earlier: Settings) -> None:
    assert earlier.database_url is not None
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        for text in ("The pump leaks.", "pump " * 200, "The pump is loud."):
            await call(services, key, "/api/mcp/capture", {"title": text[:9], "content": text})
    with providing() as provider:
        provider.longest = 100
        remote = {"embed_model": EmbedModel.REMOTE, "embed_url": provider.url, "embed_name": "some-model"}
        later = earlier.model_copy(update=remote)
        assert await asyncio.to_thread(run, later, lambda _: None) == (2, 1)
        asked = len(provider.requests)
        assert await asyncio.to_thread(run, later, lambda _: None) == (0, 1), "a refused text is asked for once"
        assert [text for texts in provider.texts()[asked:] for text in texts] == [SAMPLE]
        provider.longest = None
        assert await asyncio.to_thread(partial(run, later, lambda _: None, retry_refused=True)) == (1, 0)
        async with serving(later, earlier.database_url) as services:
            assert (await vectors(services))[2] == 3


async def test_a_model_that_refuses_every_text_does_not_become_current(earlier: Settings) -> None:
    assert earlier.database_url is not None
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        await call(services, key, "/api/mcp/capture", {"title": "Pump", "content": "pump " * 200})
    with providing() as provider:
        provider.longest = 100
        remote = {"embed_model": EmbedModel.REMOTE, "embed_url": provider.url, "embed_name": "some-model"}
        with pytest.raises(EmbeddingRefusedError, match="refused every text"):
            await asyncio.to_thread(run, earlier.model_copy(update=remote), lambda _: None)
    async with serving(earlier, earlier.database_url) as services:
        assert await vectors(services) == {1: 1}


async def test_the_command_says_how_many_texts_were_refused_and_what_to_do(earlier: Settings) -> None:
    assert earlier.database_url is not None
    async with serving(earlier, earlier.database_url) as services:
        _, key = await add_user(services)
        for content in ("The pump leaks.", "pump " * 200):
            await call(services, key, "/api/mcp/capture", {"title": "Pump", "content": content})
    with providing() as provider:
        environment = {"MEMD_EMBED_MODEL": "remote", "MEMD_EMBED_URL": provider.url, "MEMD_EMBED_NAME": "some-model"}
        reembed = partial(CliRunner(env=environment).invoke, memd, ["reembed", "--database-url", earlier.database_url])
        provider.longest = 100
        done = await asyncio.to_thread(reembed)
        assert (done.exit_code, "1 rows embedded; start memd with this model" in done.stdout) == (0, True)
        assert "Texts refused by the model: 1." in done.stdout
        assert "`memd reembed --retry-refused`" in done.stdout
