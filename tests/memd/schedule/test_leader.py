"""What fails unexpectedly costs the schedule one turn: the process stands for the lead again (contract 13)."""

import asyncio
from itertools import count

import pytest
from structlog.testing import capture_logs

from memd.cancellation import cancel_and_wait
from memd.schedule import leader

PATIENCE_S = 20


async def test_a_leader_that_cannot_start_says_why_and_tries_again(
    new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader, "POLL_S", 0.01)
    leading, turns, followed = asyncio.Event(), count(), list[str]()

    async def start() -> None:
        if next(turns) == 0:
            raise RuntimeError("unreadable timetable")
        leading.set()

    async def follow() -> None:
        followed.append("follows")

    with capture_logs() as logged:
        task = asyncio.create_task(leader.lead(new_database, start, follow))
        try:
            async with asyncio.timeout(PATIENCE_S):
                await leading.wait()
            assert followed == ["follows"]
        finally:
            await cancel_and_wait([task], again_after_s=1)
    assert [line["event"] for line in logged if line["log_level"] == "error"] == ["schedule.leader_failed"]
