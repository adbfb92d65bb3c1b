"""Contract 1.7: slots per user, first come first served, at most 100 waiting; the safeguard over all users."""

import asyncio
from uuid import UUID, uuid4

import pytest

from memd.access.rate_limits.concurrency_limiter import MAX_WAITING, ConcurrencyLimiter
from memd.errors import RateLimitExceeded, ServerBusy

LONG_S = 30


async def occupied(
    limiter: ConcurrencyLimiter, user: UUID, limit: int | None, release: asyncio.Event, log: list[int], name: int
):
    """One request that runs until `release`; notes when it began."""
    async with limiter.hold(user, limit):
        log.append(name)
        await release.wait()


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_request_over_the_number_waits_and_the_first_come_is_served_first() -> None:
    limiter, user, release = ConcurrencyLimiter(LONG_S, 400), uuid4(), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, user, 2, release, begun, name)) for name in range(8)]
    await settle()
    assert begun == [0, 1]
    release.set()
    await asyncio.gather(*tasks)
    assert begun == list(range(8))


async def test_another_user_does_not_wait() -> None:
    limiter, release = ConcurrencyLimiter(LONG_S, 400), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, uuid4(), 1, release, begun, name)) for name in range(5)]
    await settle()
    assert begun == [0, 1, 2, 3, 4]
    release.set()
    await asyncio.gather(*tasks)


async def test_of_a_user_without_a_limit_a_fixed_number_runs_and_all_others_wait_their_turn() -> None:
    limiter, user, release = ConcurrencyLimiter(0, 400, max_running=32), uuid4(), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, user, None, release, begun, name)) for name in range(200)]
    await settle()
    assert begun == list(range(32))
    other = asyncio.create_task(occupied(limiter, uuid4(), None, release, begun, 999))
    await settle()
    assert begun[32:] == [999]
    release.set()
    await asyncio.gather(*tasks, other)
    assert begun == [*range(32), 999, *range(32, 200)]


async def test_a_user_without_a_limit_gets_503_when_its_turn_does_not_come() -> None:
    limiter, user, release = (
        ConcurrencyLimiter(LONG_S, 400, max_running=1, unlimited_wait_s=0),
        uuid4(),
        asyncio.Event(),
    )
    first = asyncio.create_task(occupied(limiter, user, None, release, [], 1))
    await settle()
    with pytest.raises(ServerBusy):
        await occupied(limiter, user, None, release, [], 2)
    release.set()
    await first
    assert limiter._queues == {}


async def test_the_hundred_and_first_waiting_request_is_refused_at_once() -> None:
    limiter, user, release = ConcurrencyLimiter(LONG_S, 400), uuid4(), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, user, 2, release, begun, name)) for name in range(2 + MAX_WAITING)]
    await settle()
    with pytest.raises(RateLimitExceeded) as refusal:
        await occupied(limiter, user, 2, release, begun, 999)
    assert refusal.value.body() == {"error": "Rate limit exceeded", "retryAfterMs": 1000}
    assert refusal.value.headers == {"Retry-After": "1"}
    release.set()
    await asyncio.gather(*tasks)
    assert begun == list(range(102))


async def test_who_waited_too_long_is_refused_and_leaves_the_line() -> None:
    limiter, user, release = ConcurrencyLimiter(0, 400), uuid4(), asyncio.Event()
    begun: list[int] = []
    first = asyncio.create_task(occupied(limiter, user, 1, release, begun, 1))
    await settle()
    with pytest.raises(RateLimitExceeded):
        await occupied(limiter, user, 1, release, begun, 2)
    release.set()
    await first
    await occupied(limiter, user, 1, release, begun, 3)
    assert begun == [1, 3]


async def test_a_client_that_goes_away_while_waiting_leaves_no_gap() -> None:
    limiter, user, release = ConcurrencyLimiter(LONG_S, 400), uuid4(), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, user, 1, release, begun, name)) for name in range(3)]
    await settle()
    tasks[1].cancel()
    release.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == [0, 2]


async def test_a_place_handed_to_somebody_who_just_left_goes_to_the_next() -> None:
    limiter, user = ConcurrencyLimiter(LONG_S, 400), uuid4()
    releases = [asyncio.Event() for _ in range(3)]
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, user, 1, releases[name], begun, name)) for name in range(3)]
    await settle()
    releases[0].set()
    await asyncio.sleep(0)  # task 0 ends and hands its place to task 1, which has not run yet
    tasks[1].cancel()
    releases[2].set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert 2 in begun


async def test_the_server_wide_safeguard_refuses_running_and_waiting_alike() -> None:
    limiter, release = ConcurrencyLimiter(LONG_S, 3), asyncio.Event()
    user = uuid4()
    users = (user, user, uuid4())
    tasks = [asyncio.create_task(occupied(limiter, each, 1, release, [], name)) for name, each in enumerate(users)]
    await settle()
    with pytest.raises(ServerBusy) as refusal:
        await occupied(limiter, uuid4(), None, release, [], 9)
    assert refusal.value.body() == {"error": "Server busy", "retryAfterMs": 1000}
    assert refusal.value.headers == {"Retry-After": "1"}
    release.set()
    await asyncio.gather(*tasks)
    async with limiter.hold(uuid4(), 1):
        pass


async def test_nothing_is_remembered_of_users_without_requests() -> None:
    limiter = ConcurrencyLimiter(LONG_S, 400)
    for _ in range(50):
        async with limiter.hold(uuid4(), 2):
            pass
    assert limiter._queues == {}


async def test_one_caller_holds_as_many_places_as_are_free_and_others_find_room() -> None:
    limiter, greedy, release = ConcurrencyLimiter(LONG_S, 40), uuid4(), asyncio.Event()
    begun: list[int] = []
    tasks = [asyncio.create_task(occupied(limiter, greedy, None, release, begun, name)) for name in range(20)]
    await settle()
    with pytest.raises(ServerBusy):
        await occupied(limiter, greedy, None, release, begun, 99)
    tasks += [asyncio.create_task(occupied(limiter, uuid4(), None, release, begun, name)) for name in range(20, 40)]
    await settle()
    with pytest.raises(ServerBusy):
        await occupied(limiter, uuid4(), None, release, begun, 99)
    release.set()
    await asyncio.gather(*tasks)
    assert begun == list(range(40))
    await occupied(limiter, greedy, None, release, begun, 40)


async def test_requests_without_a_user_share_by_address() -> None:
    limiter = ConcurrencyLimiter(LONG_S, 4)
    async with limiter.admit("192.0.2.1"), limiter.admit("192.0.2.1"):
        with pytest.raises(ServerBusy):
            await limiter.admit("192.0.2.1").__aenter__()
        async with limiter.admit("192.0.2.2"):
            pass
