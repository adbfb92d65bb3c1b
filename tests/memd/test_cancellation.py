"""Concurrent work ends: also when a library swallows the first cancellation, and before a failure is reported."""

import asyncio

import pytest

from memd.cancellation import both, cancel_and_wait, within


async def test_a_task_that_swallows_a_cancellation_is_cancelled_again() -> None:
    begun, swallowed = asyncio.Event(), 0

    async def stubborn() -> None:
        nonlocal swallowed
        begun.set()
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if swallowed:
                    raise
                swallowed += 1

    task = asyncio.create_task(stubborn())
    await begun.wait()
    await cancel_and_wait([task], again_after_s=0.01)
    assert (task.cancelled(), swallowed) == (True, 1)


async def test_a_task_that_failed_already_is_no_error() -> None:
    async def failing() -> None:
        raise ValueError("wrong")

    task = asyncio.create_task(failing())
    await asyncio.wait([task])
    await cancel_and_wait([task], again_after_s=1)
    assert isinstance(task.exception(), ValueError)


async def test_both_results_come_in_their_order() -> None:
    later = asyncio.Event()

    async def first() -> str:
        await later.wait()
        return "first"

    async def second() -> int:
        later.set()
        return 2

    assert await both(first(), second()) == ("first", 2)


@pytest.mark.parametrize("is_first", [True, False])
async def test_of_two_coroutines_the_other_has_ended_when_the_failure_is_reported(is_first: bool) -> None:
    begun, has_ended = asyncio.Event(), False

    async def failing() -> None:
        await begun.wait()
        raise ValueError("failed")

    async def slow() -> None:
        nonlocal has_ended
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            has_ended = True

    with pytest.raises(ValueError, match="failed"):
        await (both(failing(), slow()) if is_first else both(slow(), failing()))
    assert has_ended


async def test_what_takes_too_long_is_cancelled_and_not_waited_for() -> None:
    cancelled, ended = asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()
            await ended.wait()

    with pytest.raises(TimeoutError):
        await within(0.01, slow_to_end())
    await asyncio.wait_for(cancelled.wait(), 20)
    ended.set()


async def test_what_is_cancelled_cancels_its_work() -> None:
    cancelled = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    task = asyncio.create_task(within(60, work()))
    for _ in range(2):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait_for(cancelled.wait(), 20)
    assert task.cancelled()


async def test_what_ends_in_time_gives_its_result_or_its_error() -> None:
    async def failing() -> None:
        raise ValueError("wrong")

    assert await within(60, asyncio.sleep(0, "done")) == "done"
    with pytest.raises(ValueError, match="wrong"):
        await within(60, failing())
