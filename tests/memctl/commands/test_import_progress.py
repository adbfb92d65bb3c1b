"""The progress that an import reports: the bar at a terminal, lines in a log, and how it continues after Ctrl+C."""

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from click.testing import CliRunner, Result
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memctl import diagnostics
from memctl.main import cli
from tests.support.served import served
from tests.support.service import TestUser

FILES = 60
END_S = 60


class SecondImportWaits:
    """The service; after the first batch, imports wait until `go`: those that are `stored` with their answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.imports = 0
        self.stored = False
        self.go = asyncio.Event()
        self.kept = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith("/import"):
            self.imports += 1
            if self.imports > 1 and not self.go.is_set():
                if self.stored:
                    send = self._late(send)
                else:
                    await self.go.wait()
        await self._app(scope, receive, send)

    def _late(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            self.kept.set()
            await self.go.wait()
            await send(message)

        return sending


class LogsWait:
    """The service; messages to log wait until `go`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.came = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith("/log"):
            self.came.set()
            await self.go.wait()
        await self._app(scope, receive, send)


@pytest.fixture
def slow(app: ASGIApp) -> SecondImportWaits:
    return SecondImportWaits(app)


@pytest_asyncio.fixture
async def environment(slow: SecondImportWaits, user: TestUser, home: Path) -> AsyncIterator[dict[str, str]]:
    folder = home / "work" / "docs"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number:03}.md").write_text(f"# Valve {number}\n\nValve {number} is opened by hand.\n")
    async with served(slow) as url:
        yield {**os.environ, "MEMCTL_URL": url, "MEMCTL_API_KEY": user.key, "TERM": "xterm", "COLUMNS": "120"}


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "memctl", "kb", "import", "valves", "docs", "--create", "--batch", "20", *options]


async def resumed(environment: dict[str, str]) -> dict[str, int]:
    """The counts of the same import when it runs again."""
    arguments = command("--json")[3:]
    done = await asyncio.to_thread(CliRunner().invoke, cli, arguments, env=environment, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


async def at_a_terminal(environment: dict[str, str]) -> str:
    """The progress of the import on standard error when that is a terminal."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *command(), stdout=subprocess.DEVNULL, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = await asyncio.to_thread(_read_all, ours)
    assert await process.wait() == 0, shown
    return shown


def _read_all(terminal: int) -> str:
    """Until the other side closes, which Linux reports as an input/output error."""
    parts: list[bytes] = []
    try:
        while part := os.read(terminal, 65_536):
            parts.append(part)
    except OSError:
        pass
    finally:
        os.close(terminal)
    return b"".join(parts).decode()


def frames(shown: str) -> list[str]:
    """The states of the bar, without colours."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    return [line for line in re.split(r"[\r\n]+", plain) if line.startswith("importing")]


async def test_the_bar_counts_the_last_batch_and_never_shows_an_end_without_chunks(
    environment: dict[str, str], slow: SecondImportWaits
) -> None:
    slow.go.set()
    first, again = frames(await at_a_terminal(environment)), frames(await at_a_terminal(environment))
    assert "100%" in first[-1]
    assert f"{FILES} chunks" in first[-1]
    assert "100%" in again[-1]
    assert f"{FILES} unchanged" in again[-1]
    assert not [line for line in first + again if re.search(r"\b0 chunks", line)]


async def test_ctrl_c_says_that_the_same_command_resumes_and_it_does(
    environment: dict[str, str], slow: SecondImportWaits, user: TestUser
) -> None:
    process = await asyncio.create_subprocess_exec(
        *command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    async with asyncio.timeout(END_S):
        while slow.imports < 2:  # the first batch has been answered  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = await process.communicate()
    slow.go.set()
    assert process.returncode == 130
    assert "run the same command again to continue where it stopped" in errors.decode()
    assert "Traceback" not in errors.decode()
    counts = await resumed(environment)
    row = next(each for each in (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"])
    assert row["chunkCount"] == FILES
    assert counts["unchanged"] >= 20


async def test_sigterm_says_how_far_it_came_and_which_command_resumes(
    environment: dict[str, str], slow: SecondImportWaits
) -> None:
    process = await asyncio.create_subprocess_exec(
        *command("--api-key", environment["MEMCTL_API_KEY"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    async with asyncio.timeout(END_S):
        while slow.imports < 2:  # the first batch has been answered  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, told = await process.communicate()
    slow.go.set()
    assert process.returncode == -signal.SIGTERM
    assert out.decode().startswith("20 new, ")
    resume = "memctl kb import valves docs --create --batch 20 --api-key …"
    assert told.decode().splitlines()[-1] == (
        f"the import is not complete (33% done); run the same command again to continue where it stopped: {resume}"
    )
    assert (await resumed(environment))["unchanged"] >= 20


async def test_sigterm_ends_an_import_of_messages_in_the_same_way(app: ASGIApp, user: TestUser, home: Path) -> None:
    rows = "\n".join(json.dumps({"role": "user", "content": f"Message {n}", "sessionKey": "s"}) for n in range(50))
    (home / "work" / "rows.jsonl").write_text(rows)
    waiting = LogsWait(app)
    async with served(waiting) as url:
        environment = {**os.environ, "MEMCTL_URL": url, "MEMCTL_API_KEY": user.key}
        import_ = [sys.executable, "-m", "memctl", "import", "jsonl", "rows.jsonl"]
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*import_, stdout=pipe, stderr=pipe, env=environment)
        async with asyncio.timeout(END_S):
            await waiting.came.wait()
        process.send_signal(signal.SIGTERM)
        _, told = await process.communicate()
        waiting.go.set()
    assert process.returncode == -signal.SIGTERM
    assert "(0% done); run the same command again to continue where it stopped: memctl import jsonl" in told.decode()


async def test_what_was_stored_before_ctrl_c_without_an_answer_is_said_and_not_sent_again(
    environment: dict[str, str], slow: SecondImportWaits
) -> None:
    slow.stored = True
    process = await asyncio.create_subprocess_exec(
        *command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    async with asyncio.timeout(END_S):
        await slow.kept.wait()
    process.send_signal(signal.SIGINT)
    out, errors = await process.communicate()
    slow.go.set()
    assert "20 new" in out.decode()
    assert "not counted: 20 chunks on the way when it ended, which memd may have stored" in errors.decode()
    counts = await resumed(environment)
    assert (counts["new"], counts["updated"], counts["unchanged"]) == (20, 0, 40)


def test_a_log_gets_lines_of_progress_on_standard_error(
    memctl: Callable[..., Result], service: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "work" / "notes.md").write_text("# One\n\nText.\n\n# Two\n\nText.\n\n# Six\n\nText.\n")
    import_ = ("kb", "import", "handbook", "notes.md", "--batch", "2")
    assert memctl(*import_, transport=service.transport).stderr == ""
    monkeypatch.setattr(diagnostics, "LINE_EVERY_S", 0.0)
    done = memctl(*import_, "--all", "--json", transport=service.transport)
    first, last = done.stderr.splitlines()
    assert re.fullmatch(r"importing: \d\d%, 2 chunks, [\d,]+/s", first)
    assert re.fullmatch(r"importing: 100%, 3 chunks, [\d,]+/s", last)
    assert json.loads(done.stdout)["updated"] == 3
