"""Retries with backoff: rate limits, a busy server, a broken connection."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

from memctl.client.errors import NotReachable, RateLimited, ServerBusy, ServerError
from memctl.diagnostics import note

PAUSES = (1, 2, 4, 8, 16, 30)
"""Seconds before each retry after a failure of the server or the connection."""

Sleep = Callable[[float], Awaitable[None]]
Reply = TypeVar("Reply")


async def until_reached(
    request: Callable[[], Awaitable[Reply]],
    seconds: float,
    sleep: Sleep = asyncio.sleep,
    report: Callable[[str], None] = note,
) -> Reply:
    """The reply of the first request of a long command; waits up to `seconds` for a memd that does not answer.

    Other failures, such as a wrong key, are raised at once.
    """
    waited = 0.0
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await request()
        except (NotReachable, ServerBusy) as error:
            wait = min(float(pause), seconds - waited)
            if wait <= 0:
                raise
            report(f"trying again in {wait:.0f} s: {error}")
        await sleep(wait)
        waited += wait
    raise AssertionError("the last pause repeats forever")


async def with_retries(
    request: Callable[[], Awaitable[Reply]], sleep: Sleep = asyncio.sleep, report: Callable[[str], None] = note
) -> Reply:
    """The reply of an idempotent request.

    A rate limit is waited out, however long it takes, unless it is the daily cap. Failures are retried after the
    `PAUSES`; then, and for errors that a retry cannot fix, the error is raised. `report` gets a line about each wait.
    """
    pauses = iter(PAUSES)
    while True:
        try:
            return await request()
        except RateLimited as error:
            if error.for_the_day:
                raise
            report(f"waiting {error.retry_after:.0f} s: {error}")
            await sleep(error.retry_after)
        except (ServerBusy, ServerError, NotReachable) as error:
            pause = next(pauses, None)
            if pause is None:
                raise
            wait = max(pause, error.retry_after) if isinstance(error, ServerBusy) else pause
            report(f"trying again in {wait:.0f} s: {error}")
            await sleep(wait)
