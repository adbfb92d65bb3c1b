"""Pages of large rows end early and miss none (contract 6.13, 8.6)."""

import pytest

from memd.db.page_bytes import PAGE_BYTES
from tests.support.service import TestUser
from tests.support.wire import chunk, fill, make_base, send

ROWS, CHARACTERS = 14, 99_000


@pytest.mark.parametrize("path", ["/api/knowledge-bases/{base}/memories", "/api/memories"])
async def test_a_page_of_large_chunks_ends_early_and_none_is_missed(user: TestUser, path: str) -> None:
    base = await make_base(user)
    texts = [f"{number:02} " + "\U0001f600" * CHARACTERS for number in range(ROWS)]
    await fill(user, base, *[chunk(text, dedupeKey=text[:2]) for text in texts])
    seen, pages, cursor = list[str](), 0, None
    while True:
        query = {"cursor": cursor} if cursor else {}
        reply = await send(user, "GET", path.format(base=base), limit=200, **query)
        assert reply["memories"]
        assert sum(len(row["content"].encode()) for row in reply["memories"][:-1]) < PAGE_BYTES
        seen += [row["content"][:2] for row in reply["memories"]]
        pages += 1
        paging = reply.get("pagination", reply)
        cursor = paging.get("continueCursor") or paging.get("cursor")
        if paging["isDone"]:
            break
    assert sorted(seen) == sorted(text[:2] for text in texts)
    assert pages == 2
