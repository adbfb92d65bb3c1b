"""Bodies hold a bounded number of bytes until they are answered, in all and of each caller; large ones are parsed in turn."""

import asyncio
import tracemalloc

import pytest

from memd.access.rate_limits.body_bytes import MAX_BYTES, MAX_BYTES_OF_CALLER, BodyBytes
from memd.access.request.body import parse_object
from memd.db.connections.fair_queue import CALLER
from memd.errors import ServerBusy
from memd.off_loop import LARGE_BYTES


def test_one_caller_holds_a_part_and_all_together_the_whole() -> None:
    bodies = BodyBytes()
    with bodies.receiving() as first:
        CALLER.set("greedy")
        with bodies.receiving() as greedy:
            greedy.add(MAX_BYTES_OF_CALLER)
            with bodies.receiving() as more, pytest.raises(ServerBusy):
                more.add(1)
            first.add(MAX_BYTES_OF_CALLER)
            for number in range(MAX_BYTES // MAX_BYTES_OF_CALLER - 2):
                CALLER.set(number)
                bodies.receiving().__enter__().add(MAX_BYTES_OF_CALLER)
            CALLER.set("last")
            with bodies.receiving() as last, pytest.raises(ServerBusy):
                last.add(1)
        with bodies.receiving() as last:
            last.add(MAX_BYTES_OF_CALLER)
    CALLER.set(None)


async def test_large_bodies_are_parsed_one_at_a_time() -> None:
    body = f'{{"content": "{"x" * LARGE_BYTES}🦉"}}'.encode()
    text = 4 * LARGE_BYTES  # of each decoded: the owl makes every character take four bytes
    tracemalloc.start()
    try:
        await asyncio.gather(*(_parsed_length(body) for _ in range(6)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * text


async def _parsed_length(body: bytes) -> int:
    return len((await parse_object(body))["content"])
