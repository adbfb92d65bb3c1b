"""The job that finishes a permanent delete nobody continues, and leaves alone what was taken back (contract 8.3, 5, 13)."""

import pytest

from memd.context import Services
from memd.knowledge_bases.archiving import service as archiving
from tests.memd.knowledge_bases.test_archive import archive, filled, remove, unarchive
from tests.support.service import TestUser
from tests.support.wire import base_row

CHUNKS, PAGE = 60, 50


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "REMOVAL_PAGE", PAGE)


async def begun(user: TestUser, base: str) -> None:
    """Archive a knowledge base and delete a page of it."""
    await archive(user, base)
    assert await remove(user, base) == {"knowledgeBaseId": base, "deletedMemories": PAGE, "isDone": False}


async def run_waiting_jobs(services: Services, user: TestUser) -> int:
    """Do at once what the jobs of this user that wait would do in ten minutes; how many there are."""
    waiting = "SELECT args FROM procrastinate_jobs WHERE task_name = 'kb_delete_page' AND args->>'user_id' = %(user)s"
    async with services.database.system() as session:
        payloads = await session.values(f"{waiting} ORDER BY id", {"user": str(user.id)})
    for payload in payloads:
        await archiving.finish_removal(services, user.id, payload)
    return len(payloads)


@pytest.mark.rule("8.3 DELETE /:id?permanent=true")
async def test_a_removal_that_nobody_carries_on_is_finished(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, CHUNKS)
    await begun(user, base)
    for _ in range(2):
        assert await run_waiting_jobs(services, user) == 1
        await remove(user, base, 404)


@pytest.mark.rule("5 KB archived: unarchive")
async def test_one_that_was_taken_back_is_left_alone(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, CHUNKS)
    await begun(user, base)
    await unarchive(user, base)
    await run_waiting_jobs(services, user)
    assert (await base_row(user, base))["chunkCount"] == CHUNKS - PAGE


@pytest.mark.rule("5 KB archived: unarchive")
async def test_one_that_was_taken_back_is_not_finished_after_the_next_archive(
    services: Services, user: TestUser
) -> None:
    base, _ = await filled(user, CHUNKS)
    await begun(user, base)
    await unarchive(user, base)
    await archive(user, base)
    await run_waiting_jobs(services, user)
    assert (await unarchive(user, base))["restoredMemoryCount"] == CHUNKS - PAGE


@pytest.mark.rule("8.3 DELETE /:id?permanent=true")
async def test_a_removal_after_one_that_was_taken_back_is_finished(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, CHUNKS + PAGE)
    await begun(user, base)
    await unarchive(user, base)
    await begun(user, base)
    await run_waiting_jobs(services, user)
    await remove(user, base, 404)
