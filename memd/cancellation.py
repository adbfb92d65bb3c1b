"""Ending concurrent work: cancelled background tasks, coroutines of which one fails, and one that takes too long."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
_abandoned: set[asyncio.Task[Any]] = set()
"""Cancelled tasks that nobody waits for; the loop itself holds them only weakly."""


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any]], *, again_after_s: float) -> None:
    """Cancel the tasks and wait until all have ended; their exceptions are dropped.

    A library may swallow a cancellation that arrives while it starts or stops. A task that is still there after
    `again_after_s` seconds is cancelled again.
    """
    ending = list(tasks)
    pending = set(ending)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=again_after_s)
    await asyncio.gather(*ending, return_exceptions=True)


async def both(first: Coroutine[Any, Any, A], second: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """The results of two coroutines that run concurrently.

    The first error of either is raised after the other has been cancelled and has ended, so that neither goes on using a
    session or a connection when the caller gets the error.
    """
    try:
        async with asyncio.TaskGroup() as group:
            one, other = group.create_task(first), group.create_task(second)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return one.result(), other.result()


async def within(seconds: float, work: Coroutine[Any, Any, A]) -> A:
    """The result of a coroutine; TimeoutError after so many seconds, even if its cancellation takes longer.

    psycopg asks the server to cancel a statement that is cancelled here, and waits up to 10 s for a server that hangs.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        if not task.done():
            _abandoned.add(task)
            task.add_done_callback(_forget)
            task.cancel()
    if not task.done():
        raise TimeoutError
    return task.result()


def _forget(task: asyncio.Task[Any]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        task.exception()  # or the loop logs that nobody has asked for it
