"""Callers who leave while their query is being embedded: its thread is at work for them until it is done."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from threading import Semaphore
from typing import Any

import httpx

from memd.app import build
from memd.context import Services
from memd.embed.batcher import Batcher
from memd.embed.providers.provider import Embedder, Vector
from tests.support import mcp
from tests.support.served import served
from tests.support.service import MakeUser, TestUser
from tests.support.waiting import PATIENCE_S, until

THREADS = 2


class HeldQueries:
    """The real embedder, except that it holds queries that begin with `held` until the test lets them go."""

    def __init__(self, embedder: Embedder) -> None:
        self.begun: list[str] = []
        self.permits = Semaphore(0)
        self._embedder = embedder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        self.begun += queries
        if queries[0].startswith("held"):
            assert self.permits.acquire(timeout=PATIENCE_S)
        return self._embedder.embed_queries(queries)


def client(url: str, user: TestUser) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {user.key}"}
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE_S)


async def test_who_leaves_at_once_does_not_get_the_next_thread_before_another_caller(
    services: Services, make_user: MakeUser
) -> None:
    greedy, other = await make_user(), await make_user()
    held = HeldQueries(services.batcher.embedder)
    batcher = Batcher(held, threads=THREADS)
    async with served(build(replace(services, batcher=batcher))) as url, client(url, greedy) as http:
        try:
            leaving = [asyncio.create_task(mcp.call(http, "recall", query=f"held {n}")) for n in range(THREADS)]
            await until(lambda: len(held.begun) == THREADS)
            for task in leaving:
                task.cancel()
            await asyncio.wait(leaving)
            crowd = [asyncio.create_task(mcp.call(http, "recall", query=f"greedy {n}")) for n in range(6)]
            await asyncio.sleep(0.5)
            async with client(url, other) as others:
                waiting = asyncio.create_task(mcp.call(others, "recall", query="other"))
                await asyncio.sleep(0.5)
                assert len(held.begun) == THREADS
                held.permits.release(THREADS)
                await asyncio.gather(waiting, *crowd)
        finally:
            held.permits.release(100)
    await batcher.close()
    assert len(held.begun) == THREADS + 7
    assert held.begun.index("other") <= THREADS + 1
