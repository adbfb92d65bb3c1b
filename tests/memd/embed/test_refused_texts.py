"""Texts that an embedder refuses: they keep no others from their vectors, and are asked for once."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
import pytest_asyncio

from memctl.wire.enums import LagKind
from memd.context import Services
from memd.domain.ids import decode
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.embed.pending import embed_pending
from memd.embed.providers.provider import EmbeddingRefusedError, Vector
from memd.embed.providers.remote import RemoteEmbedder
from memd.embed.refusals import embed_accepted
from memd.jobs.lag.service import lag_ms
from memd.lifecycle.upkeep_store import users_with_pending
from tests.support.embedding_provider import Provider, providing
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, post

TEXTS = ["The pump is leased.", "pump " * 200, "The pump is blue.", "pump " * 300, "The pump is loud."]
LONG = {TEXTS[1], TEXTS[3]}


async def embed_short(asked: list[list[str]], texts: Sequence[str]) -> Vector:
    """An embedder whose vector of a text is its length, and which takes texts of up to 20 characters."""
    asked.append(list(texts))
    if any(len(text) > 20 for text in texts):
        raise EmbeddingRefusedError("too long")
    return np.array([[len(text)] for text in texts], dtype=np.float32)


@pytest.mark.parametrize("refused", [(), (0,), (6,), (0, 1, 2, 3), (1, 3, 5), tuple(range(7))])
async def test_every_other_text_gets_its_vector_in_its_place(refused: Sequence[int]) -> None:
    texts = ["x" * 30 if place in refused else "x" * place for place in range(7)]
    asked: list[list[str]] = []
    found = [each async for each in embed_accepted(lambda part: embed_short(asked, part), texts)]
    assert [place for place, _ in found] == list(range(7))
    assert [None if vector is None else int(vector[0]) for _, vector in found] == [
        None if place in refused else place for place in range(7)
    ]


async def test_an_embedder_that_refuses_everything_is_asked_twice() -> None:
    asked: list[list[str]] = []

    async def refuse(texts: Sequence[str]) -> Vector:
        asked.append(list(texts))
        raise EmbeddingRefusedError("no such model")

    with pytest.raises(EmbeddingRefusedError, match="no such model"):
        _ = [each async for each in embed_accepted(refuse, ["one"] * 200)]
    assert [len(texts) for texts in asked] == [200, 1]


async def test_no_text_is_no_request() -> None:
    asked: list[list[str]] = []
    assert [each async for each in embed_accepted(lambda part: embed_short(asked, part), [])] == []
    assert asked == []


@dataclass(frozen=True)
class Picky:
    """A service whose remote embedder refuses texts of over 100 characters."""

    services: Services
    provider: Provider
    user: TestUser

    async def embed(self) -> set[str]:
        """Run the job; the texts that the embedder was asked for."""
        before = len(self.provider.texts())
        await embed_pending(self.services, self.user.id, {})
        return {text for texts in self.provider.texts()[before:] for text in texts} - {"dimension"}

    def with_model(self, number: int) -> "Picky":
        return replace(self, services=replace(self.services, current_model=CurrentModel(number)))

    async def waiting(self) -> list[str]:
        """The contents without a vector, oldest first."""
        async with self.services.database.read(self.user.id) as session:
            return await session.values("SELECT content FROM memory WHERE embedding_pending ORDER BY id")


@pytest_asyncio.fixture(loop_scope="session")
async def picky(services: Services, user: TestUser) -> AsyncGenerator[Picky]:
    with providing() as provider:
        provider.longest = 100
        embedder = RemoteEmbedder(url=provider.url, model="some-model")
        embedder.dimensions = embedder.measure()
        batcher = Batcher(embedder, threads=1)
        other = replace(services, batcher=batcher, current_model=CurrentModel(services.model + 101))
        yield Picky(other, provider, user)
        async with services.database.write(user.id) as session:
            await session.execute("DELETE FROM memory_vector WHERE model > %(model)s", {"model": services.model})
            await session.execute("DELETE FROM message_vector WHERE model > %(model)s", {"model": services.model})
            await session.execute("UPDATE memory SET embedding_pending = false, refused_by = NULL")
            await session.execute("UPDATE message SET embedding_pending = false, refused_by = NULL")
        await batcher.close()


async def let_wait(picky: Picky) -> None:
    async with picky.services.database.write(picky.user.id) as session:
        await session.execute("UPDATE memory SET embedding_pending = true")


async def capture_all(picky: Picky) -> list[str]:
    ids = [await capture(picky.user, title="t", content=text) for text in TEXTS]
    await let_wait(picky)
    return ids


async def test_a_refused_text_keeps_no_other_from_its_vector(picky: Picky) -> None:
    """Somebody who talks to an agent could otherwise end the search by meaning with one long message."""
    await capture_all(picky)
    await picky.embed()
    assert await picky.waiting() == [TEXTS[1], TEXTS[3]]
    async with picky.services.database.read(picky.user.id) as session:
        embedded = await session.values(
            "SELECT content FROM memory m JOIN memory_vector v ON v.memory_id = m.id AND v.model = %(model)s "
            "ORDER BY m.id",
            {"model": picky.services.model},
        )
    assert embedded == TEXTS[::2]


async def test_a_refused_text_is_asked_for_once(picky: Picky) -> None:
    await capture_all(picky)
    assert len(await picky.embed()) == len(TEXTS)
    assert await picky.embed() == set()
    async with picky.services.database.system() as session:
        assert picky.user.id not in await users_with_pending(session, picky.services.model)
        assert picky.user.id in await users_with_pending(session, picky.services.model + 1)


async def test_a_refused_text_does_not_wait(picky: Picky) -> None:
    """It would otherwise look as if background work was behind, more so every day."""
    await capture_all(picky)
    assert LagKind.EMBED_MEMORY in await lag_ms(picky.services, picky.user.id)
    await picky.embed()
    assert LagKind.EMBED_MEMORY not in await lag_ms(picky.services, picky.user.id)
    assert LagKind.EMBED_MEMORY in await lag_ms(picky.with_model(picky.services.model + 1).services, picky.user.id)


async def test_another_model_is_asked_for_a_refused_text(picky: Picky) -> None:
    await capture_all(picky)
    await picky.embed()
    assert len(await picky.with_model(picky.services.model + 1).embed()) == len(LONG)


async def test_a_refused_text_is_asked_for_again_after_an_edit(picky: Picky) -> None:
    ids = await capture_all(picky)
    await picky.embed()
    await post(picky.user, "update", {"memoryId": ids[1], "title": "t", "content": "The pump is new."})
    await let_wait(picky)
    async with picky.services.database.read(picky.user.id) as session:
        refused = await session.values("SELECT id FROM memory WHERE refused_by IS NOT NULL")
    assert refused == [decode("mem", ids[3])]


async def test_a_refused_message_is_asked_for_once(picky: Picky) -> None:
    await post(picky.user, "log", {"role": "user", "content": TEXTS[1]})
    await done(picky.services, picky.user)
    async with picky.services.database.write(picky.user.id) as session:
        await session.execute("UPDATE message SET embedding_pending = true")
    assert len(await picky.embed()) == 1
    assert await picky.embed() == set()


async def test_more_refused_texts_than_a_page_keep_no_other_from_its_vector(picky: Picky) -> None:
    for number in range(70):
        await capture(picky.user, title="t", content=f"pump {number} " * 30)
    await capture(picky.user, title="t", content="The pump is loud.")
    await let_wait(picky)
    await picky.embed()
    assert len(await picky.waiting()) == 70


async def test_an_embedder_that_refuses_everything_leaves_all_texts_waiting(picky: Picky) -> None:
    """A wrong name of the model must not cost the texts their vectors once it is put right."""
    await capture_all(picky)
    picky.provider.longest = 0
    with pytest.raises(EmbeddingRefusedError):
        await picky.embed()
    picky.provider.longest = 100
    assert len(await picky.embed()) == len(TEXTS)
