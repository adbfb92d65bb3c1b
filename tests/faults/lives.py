"""Processes that run memd: forked from one that has loaded everything, so that a life costs no imports."""

import asyncio
import gc
import http.client
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import uvloop

from memd import bootstrap, serve, services
from memd.bootstrap import Started
from memd.embed.providers.choose import load_embedder
from memd.embed.providers.provider import Embedder
from memd.jobs import worker
from memd.resources import logins_of
from memd.settings import EmbedModel, Settings
from tests.faults.points import Probe, watch
from tests.support.service import STILL

REPLY_S: Final = 60


@dataclass(frozen=True, slots=True)
class Request:
    """A call over HTTP."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Maker:
    """The state that all lives share."""

    folder: Path
    embedder: Embedder

    def settings(self, conninfo: str) -> Settings:
        """Settings of a memd whose schedule stands still, and that starts no worker process."""
        return Settings(
            data_dir=self.folder,
            database_url=conninfo,
            port=0,
            embed_model=EmbedModel.WORDLLAMA,
            schedule=STILL,
            workers_off=True,
            extraction_delay_s=0,
            log_level="error",
        )

    def loaded(self) -> Future[Embedder]:
        """The embedder, as a start awaits it."""
        done = Future[Embedder]()
        done.set_result(self.embedder)
        return done

    def fork(self, work: Callable[[socket.socket], None]) -> "Life":
        """Run `work` in a process of its own, with a channel to this one."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid:
            theirs.close()
            return Life(pid, ours)
        _close_all_but(theirs.fileno())
        log = os.open(self.folder / "lives.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.stdout.reconfigure(line_buffering=True)  # pyrefly: ignore[missing-attribute] - it is a text file
        try:
            work(theirs)
        except BaseException:  # noqa: BLE001 - the process ends with it
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)

    def serve(self, conninfo: str, *, target: str | None = None, working: bool = False, ahead_s: float = 0) -> "Life":
        """A memd that serves, on a clock that is ahead; the points of a `target` stop it."""

        def work(channel: socket.socket) -> None:
            def announce(settings: object, state: object, port: int) -> None:
                channel.sendall(f"ready {port}\n".encode())

            serve.announce = announce
            # How soon the jobs of the dead are taken up.
            worker.HEARTBEAT_S, worker.SILENCE_S = 1, 2  # pyrefly: ignore[bad-assignment]
            real = services.now_ms
            bootstrap.now_ms = services.now_ms = lambda: real() + int(1000 * ahead_s)
            if working:
                serve.started = _started_and_working(serve.started)
            if target is not None:
                watch(Probe(channel), target)
            main = serve.serve(self.settings(conninfo), conninfo, self.loaded())
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(main)

        return self.fork(work)


def maker(folder: Path) -> Maker:
    """Load what every life needs, once."""
    embedder = load_embedder("wordllama", data_dir=folder)
    for module in ("memd.db.schema.catalogue", "memd.mcp.endpoint"):
        import_module(module)
    gc.freeze()
    return Maker(folder, embedder)


def _started_and_working(real: Callable[..., AbstractAsyncContextManager[Started]]) -> Any:
    """A start after which jobs run in the process that serves, where their points are watched."""

    @asynccontextmanager
    async def started(
        settings: Settings,
        conninfo: str,
        loading: Future[Embedder],
        while_upgrading: Callable[[], AbstractContextManager[None]],
    ) -> AsyncGenerator[Started]:
        login = logins_of(settings, conninfo).system
        async with (
            real(settings, conninfo, loading, while_upgrading) as state,
            worker.run_workers(state.services, login),
        ):
            yield state

    return started


class Life:
    """A process and what it says: `ready PORT`, and the points at which it waits."""

    def __init__(self, pid: int, channel: socket.socket) -> None:
        self.pid = pid
        self.port = 0
        self._channel = channel
        self._said = b""
        self._ended = False

    def wait_ready(self) -> "Life":
        """Wait until it serves; it reaches no point before."""
        for point in self.points():
            raise AssertionError(f"at {point} before it serves")
        assert self.port, "memd ended before it served; see lives.log"
        return self

    def result(self) -> Any:
        """The result of a process that serves nothing; waits for its end."""
        text = b"".join(iter(lambda: self._channel.recv(65536), b""))
        _pid, status = os.waitpid(self.pid, 0)
        self._ended = True
        self._channel.close()
        assert status == 0, "a process of the harness failed; see lives.log"
        return json.loads(text)

    def points(self, reply: http.client.HTTPConnection | None = None) -> Iterator[str]:
        """Each point while the process waits there, until it serves, has ended or can be read from `reply`."""
        while True:
            line = self._line(reply)
            if line is None:
                return
            if line.startswith("ready "):
                self.port = int(line.removeprefix("ready "))
                return
            yield line

    def go_on(self) -> None:
        """Let the process leave the point where it is."""
        self._channel.sendall(b".")

    def kill(self) -> None:
        """End the process as a power cut would, unless it has ended."""
        if self._ended:
            return
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._ended = True
        self._channel.close()

    def send(self, request: Request, key: str) -> http.client.HTTPConnection:
        """Send a request and do not wait for its reply."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REPLY_S)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **request.headers}
        raw = request.body if isinstance(request.body, str | None) else json.dumps(request.body)
        connection.request(request.method, request.path, raw, headers)
        return connection

    def call(self, request: Request, key: str) -> tuple[int, bytes]:
        """Status and body of the reply."""
        connection = self.send(request, key)
        return read(connection)

    def _line(self, reply: http.client.HTTPConnection | None) -> str | None:
        """The next line; None at the end, or when a reply came first."""
        while b"\n" not in self._said:
            watched = [self._channel, *([reply.sock] if reply is not None else [])]
            ready, _, _ = select.select(watched, [], [], REPLY_S)
            assert ready, "nothing happens any more"
            if self._channel not in ready:
                return None
            more = self._channel.recv(4096)
            if not more:
                return None
            self._said += more
        line, _, self._said = self._said.partition(b"\n")
        return line.decode()


def _close_all_but(kept: int) -> None:
    """Close what a fork inherits: connections of the harness, and the pipe whose end stops its Postgres."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def read(connection: http.client.HTTPConnection) -> tuple[int, bytes]:
    """Status and body of the reply that has come or comes; raises when the connection ends before."""
    try:
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def ahead(**time: float) -> float:
    """Seconds, e.g. `ahead(minutes=3)`."""
    return timedelta(**time).total_seconds()
