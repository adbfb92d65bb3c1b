"""The command line on a machine with nothing on it, and against the real service in the test's own process."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
import structlog
from click.testing import CliRunner, Result
from starlette.types import ASGIApp

from memctl.main import cli
from tests.support.service import BASE, TestUser

Terminal = Callable[..., Awaitable[Result]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing on it: no config, no ledger, no local memd."""
    for name in (
        "MEMCTL_URL",
        "MEMCTL_API_KEY",
        "EDITOR",
        "VISUAL",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "XDG_CONFIG_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("MEMCTL_CONFIG", str(tmp_path / "config" / "config.toml"))
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("MEMD_DATA_DIR", str(tmp_path / "data"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return tmp_path


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test passes as standard input is typed at a terminal."""
    monkeypatch.setattr("memctl.diagnostics.is_someone_there", lambda: True)


class Beside(httpx.AsyncBaseTransport):
    """Answers from an application that lives in another event loop than the caller's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, app: ASGIApp) -> None:
        self._loop = loop
        self._inner = httpx.ASGITransport(app)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._inner.handle_async_request(request)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(answer, self._loop))


@pytest.fixture(autouse=True)
def _quiet_service() -> Iterator[None]:
    """The service shares the standard streams of the commands under test: its log stays out of them."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture
def terminal(home: Path, app: ASGIApp) -> Terminal:
    """Run memctl as a user of the real service: `await terminal(user, "capture", "Title")`."""

    async def run(user: TestUser | str, *arguments: str, stdin: str | bytes | None = None) -> Result:
        key = user if isinstance(user, str) else user.key
        call = partial(CliRunner().invoke, cli, ["--url", BASE, "--api-key", key, *arguments])
        transport = Beside(asyncio.get_running_loop(), app)
        return await asyncio.to_thread(call, input=stdin, obj=transport, catch_exceptions=False)

    return run
