"""Work on a knowledge base that runs out of time: each request does at least a page and says whether that was all."""

import time
from types import SimpleNamespace

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.knowledge_bases import service
from memd.knowledge_bases.archiving import service as archiving
from tests.memd.knowledge_bases.test_archive import leave_unfinished
from tests.support.service import TestUser
from tests.support.wire import base_row, chunk, enumerate_chunks, fill, make_base, post, send


@pytest.mark.rule("8.7 counters", "8.7 twenty seconds")
async def test_emptying_that_runs_out_of_time_is_repeated_and_counts_as_it_goes(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.EMPTY_S == 20
    monkeypatch.setattr(service, "EMPTY_S", 0.0)
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number:03}") for number in range(410)))
    outcomes = [await post(user, f"/api/knowledge-bases/{base}/empty")]
    assert (await base_row(user, base))["chunkCount"] == 210
    assert (await base_row(user, base))["totalChars"] == 210 * len("Number 000")
    while not outcomes[-1]["isDone"]:
        outcomes.append(await post(user, f"/api/knowledge-bases/{base}/empty"))
    assert [reply["deletedMemories"] for reply in outcomes] == [200, 200, 10]
    assert (await base_row(user, base))["chunkCount"] == 0


async def test_a_new_scope_that_was_cut_off_is_carried_on(services: Services, user: TestUser) -> None:
    """Chunks move in pages; the scope is the new one when all of them have."""
    base = await make_base(user, scope="old")
    ids = (await fill(user, base, *(chunk(f"Number {number:03}") for number in range(510))))["memoryIds"]
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET channel = 'new' WHERE id = ANY(%(ids)s)",
            {"ids": [decode("mem", row) for row in ids[:5]]},
        )
    reply = await send(user, "PATCH", f"/api/knowledge-bases/{base}", {"scope": "new", "description": "d"})
    assert (reply["scope"], reply["description"]) == ("new", "d")
    assert {row["channel"] for row in await enumerate_chunks(user, base)} == {"new"}


@pytest.mark.rule("8.3 DELETE /:id", "8.3 POST /:id/unarchive")
async def test_archive_and_unarchive_that_run_out_of_time_are_repeated(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "WORK_S", 0.0)
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number:03}") for number in range(410)))
    path = f"/api/knowledge-bases/{base}"
    archived = [await send(user, "DELETE", path)]
    assert (await base_row(user, base))["archived"] is True
    while not archived[-1]["isDone"]:
        archived.append(await send(user, "DELETE", path))
    assert [reply["archivedMemoryCount"] for reply in archived] == [200, 200, 10]
    restored = [await post(user, f"{path}/unarchive")]
    assert (await base_row(user, base))["archived"] is True
    while not restored[-1]["isDone"]:
        restored.append(await post(user, f"{path}/unarchive"))
    assert [reply["restoredMemoryCount"] for reply in restored] == [200, 200, 10]
    row = await base_row(user, base)
    assert (row["archived"], row["chunkCount"]) == (False, 410)


@pytest.mark.rule("8.3 POST /:id/unarchive")
async def test_unarchiving_after_an_unfinished_archive_ends_in_the_time_of_a_request(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive that it ends and the restoration have 20 s together, not each: a request runs for 30 (contract 1.7)."""
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number:04}") for number in range(9)))
    await leave_unfinished(services, user, base, chunks=2)
    moments = [time.monotonic()]

    def ten_seconds_later() -> float:
        moments.append(moments[-1] + 10)
        return moments[-1]

    monkeypatch.setattr(archiving, "time", SimpleNamespace(monotonic=ten_seconds_later))
    monkeypatch.setattr(archiving, "PAGE", 4)
    path = f"/api/knowledge-bases/{base}/unarchive"
    is_done = False
    while not is_done:
        begun = moments[-1]
        is_done = (await post(user, path))["isDone"]
        assert moments[-1] - begun <= 30
    assert (await base_row(user, base))["chunkCount"] == 9
