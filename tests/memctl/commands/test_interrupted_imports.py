"""Ctrl+C during `memctl import` says what was stored; a second Ctrl+C ends any command at once."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from memctl.termination import COPY_S
from tests.support.served import served
from tests.support.service import TestUser

CHUNKS = 60
MEMORIES = 250
END_S = 15


class Waits:
    """The service; requests to `path` wait for ever after the first `passing` ones."""

    def __init__(self, app: ASGIApp, path: str, passing: int) -> None:
        self._app, self._path, self._passing = app, path, passing
        self.came = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith(self._path):
            self._passing -= 1
            if self._passing < 0:
                self.came.set()
                await self.go.wait()
        await self._app(scope, receive, send)


async def interrupted(
    service: Waits, user: TestUser, file: Path, number: signal.Signals = signal.SIGINT, code: int = 130
) -> tuple[str, str]:
    """The output and the errors of an import of JSON lines that a signal ends while a request waits.

    It comes twice in a row, as from `timeout`, which sends it to the program and to its group.
    """
    async with served(service) as url:
        environment = {**os.environ, "MEMCTL_URL": url, "MEMCTL_API_KEY": user.key}
        command = [sys.executable, "-m", "memctl", "import", "jsonl", str(file)]
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=environment)
        async with asyncio.timeout(END_S):
            await service.came.wait()
        process.send_signal(number)
        process.send_signal(number)
        out, told = await process.communicate()
        service.go.set()
    assert process.returncode == code
    return out.decode(), told.decode()


async def test_chunks_that_were_stored_before_ctrl_c_are_counted(app: ASGIApp, user: TestUser, home: Path) -> None:
    rows = [{"knowledgeBase": {"id": "kb_0" + "1" * 25, "name": "Valves"}}]
    rows += [
        {"knowledgeBaseId": "kb_0" + "1" * 25, "title": f"Valve {at}", "content": f"Valve {at}.", "dedupeKey": f"v{at}"}
        for at in range(CHUNKS)
    ]
    file = home / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    out, told = await interrupted(Waits(app, "/import", 1), user, file)
    assert out.startswith("chunks: 20 new, 0 already there; 0 rejected in ")
    assert "not counted: 40 rows on the way when it ended, which memd may have stored\n" in told
    assert "(33% done)" in told


async def test_memories_on_the_way_at_sigterm_are_mentioned(app: ASGIApp, user: TestUser, home: Path) -> None:
    file = home / "rows.jsonl"
    file.write_text("\n".join(json.dumps({"title": f"T {at}", "content": f"Text {at}"}) for at in range(MEMORIES)))
    service = Waits(app, "/capture-batch", 0)
    out, told = await interrupted(service, user, file, signal.SIGTERM, -signal.SIGTERM)
    assert out.startswith("nothing imported; 0 rejected in ")
    assert "rows on the way when it ended, which memd may have stored\n" in told


SLOW_TO_END = """
import asyncio, signal
from memctl.termination import second_ctrl_c_ends

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it

async def main():
    with second_ctrl_c_ends():
        try:
            print("runs", flush=True)
            await asyncio.sleep(60)
        finally:
            print("ends", flush=True)
            await asyncio.sleep(60)

asyncio.run(main())
"""


def test_a_second_ctrl_c_ends_at_once_what_is_slow_to_end() -> None:
    command = [sys.executable, "-c", SLOW_TO_END]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for said in ("runs\n", "ends\n"):
            assert process.stdout.readline() == said
            time.sleep(2 * COPY_S)
            process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=END_S)
    assert (process.returncode, told) == (-signal.SIGINT, "")
