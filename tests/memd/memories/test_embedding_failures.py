"""Writes while the embedder fails or is slow (contract 1.5, 6.1, 6.3, 6.4, 8.4 rule 4): refuse, reject, or wait."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest
import pytest_asyncio

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.domain.types import Tier
from memd.embed.batcher import Batcher
from memd.embed.providers.provider import Embedder, EmbeddingRefusedError, EmbeddingTimeoutError, Vector
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.wire import base_row, capture, chunk, enumerate_chunks, fill, make_base, memory, post, totals

BROKEN, SLOW = "unreadable", "endless"


class Moody:
    """A real embedder that refuses some words and takes too long over others."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name, self.dimensions, self.cased = inner.name, inner.dimensions, inner.cased
        self.latin_only, self.remote = inner.latin_only, inner.remote
        self.batch_size, self.parallelism = inner.batch_size, 1

    def embed(self, texts: Sequence[str]) -> Vector:
        if any(BROKEN in text for text in texts):
            raise EmbeddingRefusedError("secret inner text")
        if any(SLOW in text for text in texts):
            raise EmbeddingTimeoutError
        return self._inner.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        return self.embed(queries)

    def close(self) -> None:
        """The real embedder belongs to others."""


@asynccontextmanager
async def at_moody_service(services: Services, user: TestUser) -> AsyncGenerator[TestUser]:
    """The user, at a service whose embedder is moody."""
    batcher = Batcher(Moody(services.batcher.embedder), threads=1)
    transport = httpx.ASGITransport(build(replace(services, batcher=batcher)))
    headers = {"Authorization": f"Bearer {user.key}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
        yield replace(user, http=http, client=MemdClient(BASE, user.key, transport=transport))
    await batcher.close()


@pytest_asyncio.fixture(loop_scope="session")
async def moody(services: Services, user: TestUser) -> AsyncGenerator[TestUser]:
    """An unmetered user at a service whose embedder is moody."""
    async with at_moody_service(services, user) as moved:
        yield moved


TIMEOUT = {
    "error": "Embedding service timeout",
    "details": "The embedding service did not answer in time; try again in 5 seconds",
}


@pytest.mark.rule("6.1 case: blocked; quota; timeout; cap")
async def test_a_capture_that_cannot_be_embedded_in_time_is_refused(moody: TestUser) -> None:
    reply = await moody.http.post("/api/mcp/capture", json={"title": "t", "content": SLOW})
    assert (reply.status_code, reply.json()) == (503, TIMEOUT)
    assert reply.headers["Retry-After"] == "5"
    assert await totals(moody) == (0, 0)


async def test_a_capture_that_cannot_be_embedded_tells_nothing_but_the_request(moody: TestUser) -> None:
    reply = await moody.http.post("/api/mcp/capture", json={"title": "t", "content": BROKEN})
    request_id = reply.headers["X-Request-Id"]
    assert (reply.status_code, reply.json()) == (500, {"error": "Internal server error", "requestId": request_id})
    assert await totals(moody) == (0, 0)


@pytest.mark.rule("6.1 case: an equal active memory")
@pytest.mark.parametrize("tier", [Tier.FREE, Tier.UNLIMITED])
async def test_a_duplicate_is_refused_as_one_whatever_the_embedder_does(
    services: Services, make_user: MakeUser, tier: Tier
) -> None:
    """The order of contract 1.3: duplicates before embedding."""
    user = await make_user(tier=tier)
    first = await capture(user, content=BROKEN)
    async with at_moody_service(services, user) as moved:
        refusal = await post(moved, "capture", {"title": "again", "content": BROKEN}, status=409)
    assert refusal["existingMemoryId"] == first


@pytest.mark.rule("6.3 re-embedding", "6.4 one transaction")
@pytest.mark.parametrize("path", ["update", "supersede"])
async def test_a_change_that_cannot_be_embedded_changes_nothing(moody: TestUser, path: str) -> None:
    memory_id = await capture(moody, content="as it was")
    body = {"memoryId": memory_id, "title": "t", "content": SLOW}
    assert await post(moody, path, body, status=503) == TIMEOUT
    row = await memory(moody, memory_id)
    assert (row["content"], row["archived"], row["supersededByMemoryId"]) == ("as it was", False, None)
    assert await totals(moody) == (1, 0)


@pytest.mark.rule("8.4.4")
async def test_a_chunk_that_cannot_be_embedded_is_rejected_alone(moody: TestUser) -> None:
    base = await make_base(moody)
    reply = await fill(moody, base, chunk("good"), chunk(BROKEN), chunk("good too"))
    assert reply["rejected"] == [{"index": 1, "reason": "embedding_failed"}]
    assert (reply["importedCount"], reply["embeddingsCreated"], reply["chunksProcessed"]) == (2, 2, 3)
    assert [row["content"] for row in await enumerate_chunks(moody, base)] == ["good", "good too"]
    assert (await base_row(moody, base))["chunkCount"] == 2


@pytest.mark.rule("8.4.4")
async def test_many_refused_chunks_in_a_row_keep_no_later_one_out(moody: TestUser) -> None:
    base = await make_base(moody)
    refused = [chunk(f"{BROKEN} {number}") for number in range(5)]
    reply = await fill(moody, base, chunk("good"), *refused, chunk("good too"))
    assert [row["index"] for row in reply["rejected"]] == [1, 2, 3, 4, 5]
    assert [row["content"] for row in await enumerate_chunks(moody, base)] == ["good", "good too"]


@pytest.mark.rule("8.4.4")
async def test_chunks_that_are_not_embedded_in_time_are_stored_and_found_by_their_words(moody: TestUser) -> None:
    base = await make_base(moody)
    reply = await fill(moody, base, chunk(f"{SLOW} harvest festival"))
    assert (reply["importedCount"], reply["embeddingsCreated"], reply["pendingEmbeddings"]) == (1, 0, 1)
    assert (reply["rejected"], reply["ok"]) == ([], True)
    found = await post(moody, f"/api/knowledge-bases/{base}/query", {"query": "harvest festival"})
    assert [row["chunkId"] for row in found["results"]] == reply["memoryIds"]


@pytest.mark.rule("17.2 capture-batch: equal to captures")
async def test_a_row_of_a_batch_that_cannot_be_embedded_is_refused_alone(moody: TestUser) -> None:
    rows = [{"title": "t", "content": content} for content in ("one", BROKEN, "two")]
    reply = await moody.http.post("/api/mcp/capture-batch", json={"memories": rows})
    first, refused, last = reply.json()["results"]
    request_id = reply.headers["X-Request-Id"]
    assert refused == {"index": 1, "status": 500, "error": "Internal server error", "requestId": request_id}
    assert [first.keys(), last.keys()] == [{"index", "id"}] * 2
    assert await totals(moody) == (2, 0)


@pytest.mark.rule("17.2 capture-batch: equal to captures")
@pytest.mark.parametrize("between", [0, 100], ids=["same page", "next page"])
async def test_a_row_that_cannot_be_embedded_leaves_its_place_in_the_quota(
    services: Services, make_user: MakeUser, between: int
) -> None:
    starter = await make_user(tier=Tier.STARTER)
    await capture(starter, content="zero")
    async with services.database.write(starter.id) as session:
        await session.execute(
            "UPDATE totals SET active_memories = 24998 WHERE user_id = %(user)s", {"user": starter.id}
        )
    contents = [BROKEN, *[" "] * between, "one", "two", "three"]
    async with at_moody_service(services, starter) as user:
        body = {"memories": [{"title": "t", "content": content} for content in contents]}
        results = (await user.http.post("/api/mcp/capture-batch", json=body)).json()["results"]
    assert [result.get("status", 200) for result in results] == [500, *[400] * between, 200, 200, 403]


@pytest.mark.rule("17.2 capture-batch: equal to captures")
async def test_the_rows_of_a_page_that_is_not_embedded_in_time_are_refused(moody: TestUser) -> None:
    rows = [{"title": "t", "content": content} for content in ("one", SLOW)]
    results = (await moody.http.post("/api/mcp/capture-batch", json={"memories": rows})).json()["results"]
    assert [result["status"] for result in results] == [503, 503]
    assert results[1] == {"index": 1, "status": 503, **TIMEOUT}
    assert await totals(moody) == (0, 0)
