"""Tries a request again as long as waiting helps: limits, a busy server, a broken connection."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

from memctl.client.errors import NotReachable, RateLimited, ServerBusy, ServerError
from memctl.diagnostics import note

PAUSES = (1, 2, 4, 8, 16, 30)
"""Seconds to wait before each further try after a failure of the server or the way to it."""

Sleep = Callable[[float], Awaitable[None]]
Reply = TypeVar("Reply")


async def until_reached(
    request: Callable[[], Awaitable[Reply]],
    seconds: float,
    sleep: Sleep = asyncio.sleep,
    tell: Callable[[str], None] = note,
) -> Reply:
    """The reply of the first request of a long command: it waits up to `seconds` for a memd that does not answer.

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
            tell(f"trying again in {wait:.0f} s: {error}")
        await sleep(wait)
        waited += wait
    raise AssertionError("the pauses have no end")


async def patiently(
    request: Callable[[], Awaitable[Reply]], sleep: Sleep = asyncio.sleep, tell: Callable[[str], None] = note
) -> Reply:
    """The reply of a request that may be repeated.

    Credits are waited for as long as it takes; after a failure it is tried again as PAUSES says. The cap of the day is
    not waited for. `tell` hears of every wait. Raises what cannot be survived.
    """
    pauses = iter(PAUSES)
    while True:
        try:
            return await request()
        except RateLimited as error:
            if error.for_the_day:
                raise
            tell(f"waiting {error.retry_after:.0f} s: {error}")
            await sleep(error.retry_after)
        except (ServerBusy, ServerError, NotReachable) as error:
            pause = next(pauses, None)
            if pause is None:
                raise
            wait = max(pause, error.retry_after) if isinstance(error, ServerBusy) else pause
            tell(f"trying again in {wait:.0f} s: {error}")
            await sleep(wait)
