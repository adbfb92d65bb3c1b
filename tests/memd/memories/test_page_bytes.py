"""Pages of large rows end early and miss none (contract 6.13, 8.6)."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memd.context import Services
from memd.db.page_bytes import PAGE_BYTES
from memd.domain.types import Policy
from tests.support.service import TestUser, making_users
from tests.support.wire import chunk, fill, make_base, send

ROWS, CHARACTERS = 14, 99_000


PLACES = [f"{number:02}" for number in range(ROWS)]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(services: Services, app: ASGIApp) -> AsyncIterator[TestUser]:
    async with making_users(services, app) as make_user:
        yield await make_user(policy=Policy.SELF_HOSTED_UNMETERED)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def base(reader: TestUser) -> str:
    """A knowledge base of chunks that begin with their places."""
    made, emoji = await make_base(reader), "\U0001f600" * CHARACTERS
    await fill(reader, made, *[chunk(f"{place} {emoji}", dedupeKey=place) for place in PLACES])
    return made


@pytest.mark.parametrize("path", ["/api/knowledge-bases/{base}/memories", "/api/memories"])
async def test_a_page_of_large_chunks_ends_early_and_none_is_missed(reader: TestUser, base: str, path: str) -> None:
    seen, pages, cursor = list[str](), 0, None
    while True:
        query = {"cursor": cursor} if cursor else {}
        reply = await send(reader, "GET", path.format(base=base), limit=200, **query)
        assert reply["memories"]
        assert sum(len(row["content"].encode()) for row in reply["memories"][:-1]) < PAGE_BYTES
        seen += [row["content"][:2] for row in reply["memories"]]
        pages += 1
        paging = reply.get("pagination", reply)
        cursor = paging.get("continueCursor") or paging.get("cursor")
        if paging["isDone"]:
            break
    assert sorted(seen) == PLACES
    assert pages == 2
