"""Imports that have no time to embed everything: what they have is kept, and storing all of the text comes first."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from threading import Semaphore
from typing import Any

import httpx
import pytest

from memd.app import build
from memd.context import Services
from memd.embed.batcher import Batcher
from memd.embed.providers.provider import Embedder, Vector
from memd.knowledge_bases.imports.import_time import IMPORTS
from tests.support.limits import another
from tests.support.service import BASE, TestUser
from tests.support.waiting import PATIENCE_S
from tests.support.wire import Json, chunk, enumerate_chunks, fill, make_base

HELD = "A held text"


class HeldTexts:
    """The real embedder, one text at a time, which a text that begins with HELD stops until the test lets it go."""

    batch_size = parallelism = 1

    def __init__(self, embedder: Embedder) -> None:
        self.embedded: list[str] = []
        self.permits = Semaphore(0)
        self._embedder = embedder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(self, texts: Sequence[str]) -> Vector:
        if any(HELD in text for text in texts):
            assert self.permits.acquire(timeout=PATIENCE_S)
        self.embedded += texts
        return self._embedder.embed(texts)


@asynccontextmanager
async def held(services: Services, user: TestUser, **settings: Any) -> AsyncGenerator[tuple[TestUser, HeldTexts]]:
    """The user at a service with such an embedder and these settings."""
    embedder = HeldTexts(services.batcher.embedder)
    batcher = Batcher(embedder, threads=1)
    async with another(services, **settings) as (_, other):
        transport = httpx.ASGITransport(build(replace(other, batcher=batcher)))
        headers = {"Authorization": f"Bearer {user.key}"}
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers, timeout=PATIENCE_S) as http:
            try:
                yield replace(user, http=http), embedder
            finally:
                embedder.permits.release(100)
    await batcher.close()


def counts(reply: Json) -> tuple[int, int, int]:
    return reply["importedCount"], reply["embeddingsCreated"], reply["pendingEmbeddings"]


@pytest.mark.rule("8.4.4")
async def test_vectors_that_are_there_when_the_time_is_up_are_kept(services: Services, user: TestUser) -> None:
    async with held(services, user, http_import_timeout_s=3.0) as (moved, _):
        base = await make_base(moved)
        reply = await fill(moved, base, *(chunk(text) for text in ("One kiln", "Two kilns", HELD, "Three kilns")))
        assert counts(reply) == (4, 2, 2)


@pytest.mark.rule("8.4.4")
async def test_while_the_texts_of_other_imports_would_take_all_the_time_an_import_stores_and_does_not_embed(
    services: Services, user: TestUser
) -> None:
    async with held(services, user) as (moved, embedder):
        base = await make_base(moved)
        with IMPORTS.counted(120 * 1000 * 200):
            assert counts(await fill(moved, base, chunk("One kiln"))) == (1, 0, 1)
        assert embedder.embedded == []
        assert counts(await fill(moved, base, chunk("Two kilns"))) == (1, 1, 0)
        assert [row["content"] for row in await enumerate_chunks(moved, base)] == ["One kiln", "Two kilns"]
    assert IMPORTS.seconds_left() == 0
