"""Background tasks end, also when a library in them swallows the first cancellation."""

import asyncio

from memd.cancellation import cancel_and_wait


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
        raise ValueError

    task = asyncio.create_task(failing())
    await asyncio.wait([task])
    await cancel_and_wait([task], again_after_s=1)
    assert isinstance(task.exception(), ValueError)
