"""One child process of `memd serve`, started again whenever it dies."""

import asyncio
import signal
import socket
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

import structlog

from memd.processes.forked import ForkedProcess
from memd.processes.frames import Frames
from memd.processes.handover import Handover

log = structlog.get_logger()
BACKOFF_S: Final = 0.5
MAX_BACKOFF_S: Final = 30.0
STABLE_S: Final = 10.0
"""The backoff starts over when the process has lived at least this long."""

AnyProcess: TypeAlias = Process | ForkedProcess
MakeHandover: TypeAlias = Callable[[], Awaitable[Handover]]
"""Called before each start of a child, which waits for it."""


class Kind(StrEnum):
    """The role of a child, as logs and `/metrics` name it."""

    REQUEST = "request"
    WORKER = "worker"

    @property
    def module(self) -> str:
        """The program of such a child."""
        return f"memd.processes.{self}"


def backoff_s(failures: int) -> float:
    """Seconds before a restart after this number of consecutive deaths (1 or more): doubles each time, up to MAX_BACKOFF_S."""
    return min(MAX_BACKOFF_S, BACKOFF_S * 2 ** min(failures - 1, 16))


@dataclass(slots=True)
class Child:
    """A process of a kind; `connect` makes the supervisor's end of its connection, `forked` is the first such process."""

    kind: Kind
    handover: MakeHandover
    connect: Callable[[], Frames]
    forked: ForkedProcess | None = None
    process: AnyProcess | None = None
    restarts: int = 0
    exit_code: int | None = None
    ended_at: float = 0.0

    async def keep_running(self) -> None:
        """Start the process, and again whenever it dies, until cancelled."""
        failures = 0
        while True:
            started = time.monotonic()
            try:
                await self._run_once()
            except Exception:
                log.exception("process.not_started", kind=self.kind.value)
                await self._kill()
                self.exit_code = None
            failures = 1 if time.monotonic() - started >= STABLE_S else failures + 1
            delay = backoff_s(failures)
            log.error("process.died", kind=self.kind.value, exitCode=self.exit_code, restartInSeconds=delay)
            await asyncio.sleep(delay)
            self.restarts += 1

    async def _run_once(self) -> None:
        process, connection = await self._start(await self.handover())
        log.info("process.started", kind=self.kind.value, pid=process.pid)
        try:
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(self.connect, connection)
        except Exception:
            connection.close()
            raise
        self.exit_code, self.ended_at = await process.wait(), time.monotonic()
        self.process = None
        transport.close()

    async def _kill(self) -> None:
        """End a process that could not be connected to: another one is started in its place."""
        if self.process is not None:
            self.signal(signal.SIGKILL)
            await self.process.wait()
            self.process = None

    async def _start(self, handover: Handover) -> tuple[AnyProcess, socket.socket]:
        """A process that has its handover, and our end of its connection."""
        forked, self.forked = self.forked, None
        if forked is not None:
            self.process = forked
            forked.hand_over(handover)
            return forked, forked.connection
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return await self._launch(replace(handover, connection=theirs.fileno())), ours
            except BaseException:
                ours.close()
                raise

    async def _launch(self, handover: Handover) -> Process:
        # Its own session: Ctrl+C at a terminal reaches the supervisor alone, which stops the child gracefully.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.kind.module,
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,
            pass_fds=handover.descriptors,
        )
        self.process = process
        if process.stdin is not None:
            process.stdin.write(handover.to_line())
            with suppress(OSError):
                await process.stdin.drain()
        return process

    def signal(self, number: int) -> None:
        """Send a signal, if it runs."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(number)
