"""Limits of another process behave as those of the process itself, and what a connection holds ends with it."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from memd.access.http.request_durations import MemoryDurations
from memd.access.rate_limits.limits import Limits, local_limits
from memd.errors import RateLimitExceeded, ServerBusy
from memd.processes.limits_client import LimitsClient, shared_limits
from memd.processes.limits_service import LimitsService
from memd.processes.status import ProcessStatus
from memd.services import now_ms
from memd.settings import Settings

MINUTE_MS = 60_000
STATUS = ProcessStatus({"request": {"running": 2, "wanted": 2, "restarts": 0}}, {"request": [1, 2]})


async def status() -> ProcessStatus:
    return STATUS


@asynccontextmanager
async def connected(limits: Limits) -> AsyncGenerator[LimitsClient]:
    """The child's end of a connection to a process with these limits; closed at the end of the block."""
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    await loop.connect_accepted_socket(lambda: LimitsService(limits, status, MemoryDurations()), ours)
    transport, client = await loop.connect_accepted_socket(LimitsClient, theirs)
    try:
        yield client
    finally:
        transport.close()


def limits_of(**settings: object) -> Limits:
    return local_limits(Settings(**settings), now_ms)


async def test_all_connections_and_the_process_itself_take_from_one_ledger() -> None:
    limits = limits_of()
    async with connected(limits) as one, connected(limits) as other:
        own = limits.ledgers.ledger("user", MINUTE_MS)
        ledgers = [own, *(shared_limits(each).ledgers.ledger("user", MINUTE_MS) for each in (one, other))]
        takings = await asyncio.gather(*(ledger.take("a", 1, 10) for ledger in ledgers for _ in range(5)))
        assert sum(taking.allowed for taking in takings) == 10
        assert all((taking.retry_after_ms is None) == taking.allowed for taking in takings)
        await ledgers[1].refund("a", 4)
        assert await ledgers[1].peek("a") == await own.peek("a")
        assert (await own.peek("a")).used == 6


async def test_a_remainder_is_taken_in_one_call() -> None:
    limits = limits_of()
    async with connected(limits) as client:
        ledger = shared_limits(client).ledgers.ledger("user", MINUTE_MS)
        await limits.ledgers.ledger("user", MINUTE_MS).take("a", 6, 10)
        rest = await ledger.take("a", 5, 10, minimum=4)
        assert (rest.allowed, rest.taken, rest.window.used) == (True, 4, 10)


async def test_a_place_is_held_for_the_block_and_free_afterwards() -> None:
    limits, user = limits_of(limits_queue_wait_s=0), uuid4()
    async with connected(limits) as client:
        concurrency = shared_limits(client).concurrency
        async with concurrency.hold(user, 1):
            with pytest.raises(RateLimitExceeded):
                async with limits.concurrency.hold(user, 1):
                    pass
        await client.status()  # answered after the end of the slot
        async with limits.concurrency.hold(user, 1):
            with pytest.raises(RateLimitExceeded) as refused:
                async with concurrency.hold(user, 1):
                    pass
        assert refused.value.fields["retryAfterMs"] == 1000


async def test_a_waiting_request_that_is_cancelled_holds_nothing() -> None:
    limits, user = limits_of(limits_queue_wait_s=60), uuid4()
    async with connected(limits) as client:

        async def hold() -> None:
            async with shared_limits(client).concurrency.hold(user, 1):
                pass

        async with limits.concurrency.hold(user, 1):
            waiting = asyncio.create_task(hold())
            await client.status()
            waiting.cancel()
            await asyncio.wait([waiting])
            await client.status()
        async with limits.concurrency.hold(user, 1):
            pass


async def test_what_a_connection_holds_ends_with_it() -> None:
    limits, user = limits_of(limits_queue_wait_s=60), uuid4()
    async with connected(limits) as client:
        await shared_limits(client).concurrency.hold(user, 1).__aenter__()
    async with limits.concurrency.hold(user, 1):
        pass


async def test_calls_without_the_other_process_are_refused() -> None:
    async with connected(limits_of()) as client:
        assert await client.status() == STATUS
    with pytest.raises(ServerBusy):
        await client.status()
