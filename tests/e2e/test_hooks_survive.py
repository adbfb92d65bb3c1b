"""Hooks through the unix socket of a real memd that is killed while agents go on: nothing is lost and nothing doubled."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.agents import Agent
from tests.support.daemon import Daemon
from tests.support.waiting import until

pytestmark = pytest.mark.e2e


@pytest.mark.long_form
async def test_turns_survive_the_death_of_memd(
    daemon: Daemon, tmp_path: Path, of_size: Callable[[int, int], int]
) -> None:
    turns = of_size(2, 6)
    daemon.arguments = ("--workers-off",)
    daemon.start()
    agent = Agent(tmp_path, {"MEMD_DATA_DIR": str(daemon.data_dir)})
    killed = asyncio.Event()

    async def talk(session: str) -> None:
        for number in range(turns):
            await agent.turn(session, number, f"Question {session} {number}", f"Answer {session} {number}")
            if number == turns // 2 and not killed.is_set():
                killed.set()
                await asyncio.to_thread(daemon.kill)

    await asyncio.gather(talk("a"), talk("b"))
    await until(lambda: any("delivery of turn error" in line for line in agent.log))
    await asyncio.to_thread(daemon.start)
    while agent.waiting:
        await agent.hook("session-start", {"session_id": "later", "hook_event_name": "SessionStart"})
    with daemon.http() as http:
        reply = http.post("/api/mcp/recent-messages", json={"limit": 100, "allChannels": True}).json()
    expected = [f"{kind} {session} {n}" for kind in ("Question", "Answer") for session in "ab" for n in range(turns)]
    assert Counter(row["content"] for row in reply["messages"]) == Counter(expected)
