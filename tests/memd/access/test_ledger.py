"""Contract 2.2: fixed windows that begin with the first taking; a refusal takes nothing. Here and in Redis alike."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from memd.access.rate_limits.ledger import MAX_BUCKETS, Ledger, Ledgers, MemoryLedger

MINUTE = 60_000
NOW = 1_800_000_000_000


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture(params=["memory", "redis"], loop_scope="session")
async def ledger(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Ledger]:
    url = "memory://" if request.param == "memory" else request.getfixturevalue("redis_url")
    ledgers = Ledgers(url, clock)
    yield ledgers.ledger(request.node.name, MINUTE)
    await ledgers.close()


async def test_takings_add_up_to_the_limit_and_not_beyond(ledger: Ledger) -> None:
    answers = [await ledger.take("a", 10, 100) for _ in range(11)]
    assert [answer.allowed for answer in answers] == [True] * 10 + [False]
    assert [answer.window.used for answer in answers] == [*range(10, 101, 10), 100]


async def test_a_refusal_takes_nothing_and_smaller_costs_still_fit(ledger: Ledger) -> None:
    await ledger.take("a", 95, 100)
    assert not (await ledger.take("a", 10, 100)).allowed
    assert (await ledger.peek("a")).used == 95
    assert (await ledger.take("a", 5, 100)).allowed


async def test_with_a_least_amount_the_remainder_is_taken_at_once(ledger: Ledger) -> None:
    await ledger.take("a", 93, 100)
    refused = await ledger.take("a", 10, 100, minimum=8)
    assert (refused.allowed, refused.taken, refused.window.used) == (False, 0, 93)
    rest = await ledger.take("a", 10, 100, minimum=7)
    assert (rest.allowed, rest.taken, rest.window.used) == (True, 7, 100)
    whole = await ledger.take("b", 10, 100, minimum=7)
    assert (whole.allowed, whole.taken) == (True, 10)


async def test_a_refusal_names_the_time_to_the_end_of_the_window(ledger: Ledger) -> None:
    await ledger.take("a", 1, 1)
    refusal = await ledger.take("a", 1, 1)
    assert refusal.retry_after_ms is not None
    assert MINUTE - 5_000 < refusal.retry_after_ms <= MINUTE


async def test_buckets_do_not_touch_each_other(ledger: Ledger) -> None:
    await ledger.take("a", 1, 1)
    assert (await ledger.take("b", 1, 1)).allowed


async def test_looking_begins_and_takes_nothing(ledger: Ledger) -> None:
    assert (await ledger.peek("a")).used == 0
    assert (await ledger.take("a", 1, 1)).allowed


async def test_a_change_of_limit_keeps_what_is_used(ledger: Ledger) -> None:
    await ledger.take("a", 200, 250)
    assert not (await ledger.take("a", 1, 100)).allowed
    assert (await ledger.take("a", 300, 500)).window.used == 500


async def test_what_is_given_back_can_be_taken_again(ledger: Ledger) -> None:
    await ledger.take("a", 1, 1)
    await ledger.refund("a", 1)
    assert (await ledger.take("a", 1, 1)).allowed
    await ledger.refund("never taken", 1)
    assert (await ledger.peek("never taken")).used == 0


async def test_parallel_takings_never_overspend(ledger: Ledger) -> None:
    answers = await asyncio.gather(*(ledger.take("a", 7, 100) for _ in range(50)))
    assert sum(answer.allowed for answer in answers) == 14
    assert (await ledger.peek("a")).used == 98


async def test_a_window_ends_a_minute_after_its_first_taking(clock: Clock) -> None:
    ledger = MemoryLedger(MINUTE, clock)
    await ledger.take("a", 1, 2)
    clock.now += 59_999
    assert (await ledger.take("a", 1, 2)).window.start == NOW
    assert (await ledger.take("a", 1, 2)).retry_after_ms == 1
    clock.now += 1
    assert (await ledger.take("a", 1, 2)).window.start == NOW + MINUTE


async def test_ended_windows_are_forgotten(clock: Clock) -> None:
    ledger = MemoryLedger(MINUTE, clock)
    for number in range(1000):
        await ledger.take(f"address {number}", 1, 100)
    clock.now += MINUTE
    await ledger.take("one more", 1, 100)
    assert len(ledger) == 1


async def test_the_number_of_buckets_is_bounded(clock: Clock) -> None:
    ledger = MemoryLedger(MINUTE, clock)
    for number in range(MAX_BUCKETS + 10):
        await ledger.take(str(number), 1, 100)
    assert len(ledger) == MAX_BUCKETS


async def test_a_window_in_redis_ends_by_itself(redis_url: str) -> None:
    ledgers = Ledgers(redis_url, Clock())
    ledger = ledgers.ledger("short", 50)
    assert (await ledger.take("a", 1, 1)).allowed
    await asyncio.sleep(0.06)
    assert (await ledger.take("a", 1, 1)).allowed
    await ledgers.close()


async def test_replicas_share_what_is_counted_in_redis(redis_url: str) -> None:
    first, second = Ledgers(redis_url, Clock()), Ledgers(redis_url, Clock())
    here, there = first.ledger("shared", MINUTE), second.ledger("shared", MINUTE)
    answers = await asyncio.gather(*(side.take("a", 1, 25) for side in (here, there) for _ in range(20)))
    assert sum(answer.allowed for answer in answers) == 25
    assert (await here.peek("a")).used == (await there.peek("a")).used == 25
    await first.close()
    await second.close()


async def test_without_redis_each_replica_counts_for_itself(clock: Clock) -> None:
    ledgers = Ledgers("redis://127.0.0.1:1/0", clock)
    ledger = ledgers.ledger("alone", MINUTE)
    assert (await ledger.take("a", 1, 1)).allowed
    assert not (await ledger.take("a", 1, 1)).allowed
    assert (await ledger.peek("a")).used == 1
    await ledger.refund("a", 1)
    assert (await ledger.take("a", 1, 1)).allowed
    await ledgers.close()
