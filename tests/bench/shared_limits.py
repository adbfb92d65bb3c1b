"""How long a request waits for a limit: counted in its own process, and in the supervising one over a socket pair.

`python -m tests.bench.shared_limits` prints microseconds for a place (taken and left) and for a debit, one after another
and eight at a time.
"""

import asyncio
import multiprocessing
import socket
import time
from collections.abc import Awaitable, Callable
from uuid import uuid4

import uvloop

from memd.access.http.request_durations import MemoryDurations
from memd.access.rate_limits.limits import Limits, local_limits
from memd.processes.limits_client import LimitsClient, shared_limits
from memd.processes.limits_service import LimitsService
from memd.processes.status import ProcessStatus
from memd.services import now_ms
from memd.settings import Settings

CALLS = 4_000
MINUTE_MS = 60_000


async def _status() -> ProcessStatus:
    return ProcessStatus({}, {})


def _serve(ours: socket.socket) -> None:
    async def run() -> None:
        limits = local_limits(Settings(), now_ms)
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: LimitsService(limits, _status, MemoryDurations()), ours)
        await loop.create_future()

    uvloop.run(run())


async def _each_us(call: Callable[[], Awaitable[object]], at_once: int) -> float:
    """Microseconds of a call, when this many run at once."""

    async def some() -> None:
        for _ in range(CALLS // at_once):
            await call()

    began = time.perf_counter()
    await asyncio.gather(*(some() for _ in range(at_once)))
    return (time.perf_counter() - began) / CALLS * 1e6


async def _measure(name: str, limits: Limits) -> None:
    user, ledger = uuid4(), limits.ledgers.ledger("user", MINUTE_MS)

    async def place() -> None:
        async with limits.concurrency.hold(user, 10):
            pass

    async def debit() -> None:
        await ledger.take("user", 1, 10**9)

    for at_once in (1, 8):
        places, debits = await _each_us(place, at_once), await _each_us(debit, at_once)
        print(f"{name}, {at_once} at once: place {places:.0f} µs, debit {debits:.0f} µs", flush=True)


async def _run(theirs: socket.socket) -> None:
    await _measure("own process", local_limits(Settings(), now_ms))
    _, client = await asyncio.get_running_loop().connect_accepted_socket(LimitsClient, theirs)
    await _measure("supervising process", shared_limits(client))


def main() -> None:
    """Print both."""
    ours, theirs = socket.socketpair()
    server = multiprocessing.get_context("fork").Process(target=_serve, args=(ours,), daemon=True)
    server.start()
    try:
        uvloop.run(_run(theirs))
    finally:
        server.kill()


if __name__ == "__main__":
    main()
