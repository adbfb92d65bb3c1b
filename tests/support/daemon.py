"""A real memd process on a data directory of the test's own."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx
import psutil
import pytest

from memd.bootstrap import bootstrap
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.resources import KEY_FILE
from memd.settings import EmbedModel, Settings
from tests.support.fork_server import ForkedProgram, fork_server
from tests.support.service import serving

START_S = 60
COMMAND_S = 120


@dataclass(slots=True)
class Daemon:
    """Start, stop and kill memd; `said` is what it printed so far."""

    data_dir: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])
    arguments: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list[str])
    process: subprocess.Popen[str] | ForkedProgram | None = None
    url: str = ""
    listener: threading.Thread | None = None
    command: tuple[str, ...] = (sys.executable, "-m", "memd")
    start_s: float = START_S
    forked: bool = False
    """Whether it is forked from a process that has loaded memd already, which takes half of the time."""
    template: Path | None = None
    """A data directory that is copied on the first start; making one takes most of that start."""

    def start(self) -> "Daemon":
        """Start the process and wait until it says that it is ready."""
        if self.template is not None and "MEMD_DATABASE_URL" not in self.environment and not self.data_dir.exists():
            subprocess.run(["cp", "-a", self.template, self.data_dir], check=True)  # with the owners of the files
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
        self.said = []
        arguments = ["serve", "--port", "0", "--data-dir", str(self.data_dir), *self.arguments]
        self.process = self._launch(arguments, {**clean, "PYTHONUNBUFFERED": "1", **self.environment})
        ready = threading.Event()
        assert self.process.stdout is not None
        self.listener = threading.Thread(target=self._listen, args=(self.process.stdout, ready))
        self.listener.start()
        assert ready.wait(self.start_s), "memd did not start:\n" + "".join(self.said)
        assert self.url, "memd gave up:\n" + "".join(self.said)
        return self

    def _launch(self, arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str] | ForkedProgram:
        if self.forked and "LD_PRELOAD" not in environment:
            return fork_server().start(arguments, environment)
        return subprocess.Popen(
            [*self.command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )

    def _listen(self, output: IO[str], ready: threading.Event) -> None:
        with output:
            for line in output:
                self.said.append(line)
                match = re.search(r"memd is ready at (\S+)", line)
                if match:
                    self.url = match.group(1)
                if " stats" in line:
                    ready.set()
        ready.set()

    @property
    def key(self) -> str:
        """The key of the local user."""
        return (self.data_dir / "local.key").read_text().strip()

    def http(self, timeout: float = 60) -> httpx.Client:
        """A plain client with the local user's key."""
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.key}"}, timeout=timeout)

    def memory_bytes(self) -> int:
        """Resident memory of the process itself; its Postgres is not counted."""
        assert self.process is not None
        return psutil.Process(self.process.pid).memory_info().rss

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """End the process as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        """Stop in good order; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self) -> int:
        assert self.process is not None
        assert self.listener is not None
        code = self.process.wait(60)
        self.listener.join(30)
        return code


def run_memd(*words: str | Path, forked: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of memd to its end, forked or as the script; no setting but the `variables` plays a part."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMD_")}
    arguments, environment = [str(word) for word in words], {**clean, **variables}
    if forked:
        return fork_server().run(arguments, environment, COMMAND_S)
    command = [sys.executable, "-m", "memd", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=COMMAND_S)


@contextmanager
def fast_daemon(folder: Path, template: Path | None = None) -> Generator[Daemon]:
    """A memd that is not started yet, forked, with the fast embedder; its data directory goes at the end of the block."""
    served = Daemon(folder, {"MEMD_EMBED_MODEL": "wordllama"}, forked=True, template=template)
    try:
        yield served
    finally:  # also when it did not start in time
        if served.runs:
            served.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def migrated(enterable_folder: Path) -> Path:
    """A data directory with a migrated database, in which memd has never run."""
    folder = enterable_folder / "migrated"
    with EmbeddedPostgres(folder) as server:
        migrate(server.conninfo)
    return folder


@pytest.fixture(scope="session")
def started_once(enterable_folder: Path, migrated: Path) -> Path:
    """A data directory with the local user and its key, as the first start leaves it: the `template` of daemons."""
    folder = enterable_folder / "started-once"
    subprocess.run(["cp", "-a", migrated, folder], check=True)  # with the owners of the files
    settings = Settings(data_dir=folder, embed_model=EmbedModel.WORDLLAMA, workers_off=True)

    async def make_first_user(conninfo: str) -> None:
        async with serving(settings, conninfo) as services:
            await bootstrap(services.database, folder / KEY_FILE)

    with EmbeddedPostgres(folder) as server, ThreadPoolExecutor(1) as pool:  # the loop of the tests has this thread
        pool.submit(asyncio.run, make_first_user(server.conninfo)).result()
    return folder


@pytest.fixture
def daemon(enterable_folder: Path, started_once: Path, request: pytest.FixtureRequest) -> Iterator[Daemon]:
    """A `fast_daemon` of this test's own."""
    name = re.sub(r"\W", "", request.node.name)[:24]
    with fast_daemon(enterable_folder / f"d-{name}", started_once) as served:
        yield served


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, object, object]:
    """Show, below a failure, what the daemons of the test printed."""
    if call.excinfo is not None and isinstance(item, pytest.Function):
        for name, served in item.funcargs.items():
            if isinstance(served, Daemon):
                item.add_report_section(call.when, f"printed by {name}", "".join(served.said))
    return (yield)
