"""A caller who has all the threads for long work that one caller may have, from a certain step of its request on."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from memd.off_loop import THREADS, in_thread
from tests.support.held_embedder import PATIENCE_S


@asynccontextmanager
async def busy_after(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> AsyncGenerator[None]:
    """Within the block, a request that has called `owner.name` gets no further thread; TimeoutError if it waits for one."""
    step, release = getattr(owner, name), threading.Event()
    work = list[asyncio.Task[bool]]()

    async def step_with_busy_threads(*arguments: Any, **options: Any) -> Any:
        result = await step(*arguments, **options)
        work.extend(asyncio.create_task(in_thread(release.wait, PATIENCE_S)) for _ in range(THREADS - 1))
        await asyncio.sleep(0)
        return result

    monkeypatch.setattr(owner, name, step_with_busy_threads)
    try:
        async with asyncio.timeout(PATIENCE_S / 2):
            yield
        assert work, f"{name} was not called"
        assert not any(task.done() for task in work)
    finally:
        release.set()
        await asyncio.gather(*work)
