"""Captures of one user that are made at the same time share a transaction, and none of them waits for long."""

import asyncio

import pytest

from memd.context import Services
from memd.memories import group_commit
from memd.memories.group_commit import ENOUGH
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture

LONG_S = 60.0
"""Longer than a test may take: what waits for it fails."""


async def transactions(services: Services, user: TestUser) -> list[int]:
    """How many memories each transaction stored."""
    async with services.database.read(user.id) as session:
        return await session.values("SELECT count(*) FROM memory GROUP BY xmin::text ORDER BY 1")


async def test_captures_share_a_transaction_while_another_is_being_embedded(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LINGER_S", LONG_S)
    with services.captures.announce(user.id):
        async with asyncio.timeout(LONG_S / 2):
            await asyncio.gather(*(capture(user, content=f"The boat has {n} masts.") for n in range(ENOUGH)))
    assert await transactions(services, user) == [ENOUGH]


async def test_a_capture_does_not_wait_for_long(services: Services, user: TestUser) -> None:
    with services.captures.announce(user.id):
        await capture(user, content="The boat has 3 masts.")
    assert await transactions(services, user) == [1]


async def _fail_slowly(services: Services, user: TestUser) -> None:
    with services.captures.announce(user.id):
        await asyncio.sleep(0.2)
        raise ZeroDivisionError


async def test_a_capture_that_fails_lets_the_others_go(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LINGER_S", LONG_S)
    embedding = asyncio.create_task(_fail_slowly(services, user))
    waiting = asyncio.create_task(capture(user, content="The boat has 3 masts."))
    with pytest.raises(ZeroDivisionError):
        await embedding
    async with asyncio.timeout(LONG_S / 2):
        await waiting
    assert await transactions(services, user) == [1]


async def test_a_capture_does_not_wait_for_another_user(
    services: Services, user: TestUser, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LINGER_S", LONG_S)
    with services.captures.announce((await make_user()).id):
        async with asyncio.timeout(LONG_S / 2):
            await capture(user, content="The boat has 3 masts.")
    assert await transactions(services, user) == [1]
