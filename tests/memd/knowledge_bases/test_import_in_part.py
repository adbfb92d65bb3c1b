"""An import of which a page is stored answers 201, whatever becomes of the others (contract 1.7)."""

from typing import Any

import pytest
from psycopg.errors import DeadlockDetected, InternalError_

from memd.knowledge_bases import store
from memd.knowledge_bases.imports import service as importing
from tests.support.service import TestUser
from tests.support.wire import base_row, chunk, fill, make_base

PAGE = 3
CHUNKS = [chunk(f"Chunk {number} of the guide.") for number in range(3 * PAGE)]


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "PAGE", PAGE)


def failing(monkeypatch: pytest.MonkeyPatch, number: int, error: Exception) -> None:
    """The database fails for the page of this number, from 0."""
    write, pages = importing.write_page, iter(range(9))

    async def write_page(*args: Any) -> Any:
        if next(pages) == number:
            raise error
        return await write(*args)

    monkeypatch.setattr(importing, "write_page", write_page)


async def test_a_later_page_that_cannot_be_stored_is_rejected(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    base = await make_base(user)
    failing(monkeypatch, 1, DeadlockDetected())
    reply = await fill(user, base, *CHUNKS)
    assert reply["rejected"] == [{"index": index, "reason": "not_stored"} for index in range(PAGE, 2 * PAGE)]
    assert (reply["importedCount"], reply["chunksProcessed"]) == (2 * PAGE, 3 * PAGE)
    assert (await base_row(user, base))["chunkCount"] == 2 * PAGE


@pytest.mark.parametrize(("number", "error", "status"), [(0, DeadlockDetected(), 503), (1, InternalError_(), 500)])
async def test_nothing_stored_and_unexpected_failures_are_failures(
    user: TestUser, monkeypatch: pytest.MonkeyPatch, number: int, error: Exception, status: int
) -> None:
    base = await make_base(user)
    failing(monkeypatch, number, error)
    await fill(user, base, *CHUNKS, status=status)


async def test_what_is_stored_needs_no_record_of_the_import(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def insert_run(*_args: Any) -> None:
        raise DeadlockDetected

    monkeypatch.setattr(store, "insert_run", insert_run)
    assert (await fill(user, await make_base(user), *CHUNKS))["importedCount"] == len(CHUNKS)
