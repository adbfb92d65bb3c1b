"""Ending concurrent work: cancelled background tasks, and coroutines of which one fails."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")


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
