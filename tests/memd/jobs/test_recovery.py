"""The loop that requeues the jobs of dead workers outlives what it cannot foresee."""

import asyncio
from itertools import count
from typing import Any

import pytest
from structlog.testing import capture_logs

from memd.cancellation import cancel_and_wait
from memd.context import Services
from memd.jobs import store, worker
from tests.support.waiting import until


async def test_an_unexpected_failure_is_logged_and_the_next_turn_comes(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "HEARTBEAT_S", 0.01)
    requeue, turns, again = store.requeue_stalled, count(), asyncio.Event()

    async def failing_once(*arguments: Any) -> Any:
        if next(turns) == 0:
            raise RuntimeError("a column of another release")
        found = await requeue(*arguments)
        again.set()
        return found

    monkeypatch.setattr(store, "requeue_stalled", failing_once)
    with capture_logs() as logged:
        task = asyncio.create_task(worker._recover(services))
        try:
            await until(lambda: again.is_set() and "worker.recovery_failed" in [line["event"] for line in logged])
        finally:
            await cancel_and_wait([task], again_after_s=1)
