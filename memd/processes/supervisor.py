"""Starts worker processes, restarts those that die, and stops them together with the process that answers requests."""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from memd.cancellation import cancel_and_wait
from memd.processes.handover import Handover

log = structlog.get_logger()
COMMAND: Final = (sys.executable, "-m", "memd.processes.worker")
BACKOFF_S: Final = 0.5
MAX_BACKOFF_S: Final = 30.0
STABLE_S: Final = 60.0
"""A worker that lived for so long restarts the backoff when it dies."""
STOP_S: Final = 30.0
"""Longer than running jobs are waited for."""


MakeHandover: TypeAlias = Callable[[], Awaitable[Handover]]
"""Called before each start of a worker, which waits for it."""


def backoff_s(failures: int) -> float:
    """Seconds before a restart after so many deaths in a row (1 or more): doubles each time, up to MAX_BACKOFF_S."""
    return min(MAX_BACKOFF_S, BACKOFF_S * 2 ** min(failures - 1, 16))


@dataclass(slots=True)
class _Worker:
    """One worker process, kept running."""

    handover: MakeHandover
    process: Process | None = None
    restarts: int = 0
    exit_code: int | None = None

    async def keep_running(self) -> None:
        """Start the process, and again whenever it dies, until cancelled."""
        failures = 0
        while True:
            started = time.monotonic()
            try:
                await self._run_once()
            except Exception:
                log.exception("worker.not_started")
                self.exit_code = None
            failures = 1 if time.monotonic() - started >= STABLE_S else failures + 1
            delay = backoff_s(failures)
            log.error("worker.died", exitCode=self.exit_code, restartInSeconds=delay)
            await asyncio.sleep(delay)
            self.restarts += 1

    async def _run_once(self) -> None:
        handover = await self.handover()
        # Its own session: Ctrl-C at a terminal reaches this process alone, which stops the worker in good order.
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=asyncio.subprocess.PIPE, start_new_session=True)
        self.process = process
        log.info("worker.started", pid=process.pid)
        if process.stdin is not None:
            process.stdin.write(handover.to_line())
            with suppress(OSError):
                await process.stdin.drain()
        self.exit_code = await process.wait()
        self.process = None


class Workers:
    """The worker processes of a memd that serves."""

    def __init__(self, handover: MakeHandover, count: int) -> None:
        self._workers = [_Worker(handover) for _ in range(count)]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start all of them; returns at once."""
        self._tasks = [asyncio.create_task(worker.keep_running()) for worker in self._workers]

    def terminate(self) -> None:
        """Ask them to finish their jobs and end; none is started again. Returns at once."""
        for task in self._tasks:
            task.cancel()
        self._signal(signal.SIGTERM)

    async def stop(self) -> None:
        """End them: after STOP_S with force."""
        self.terminate()
        await cancel_and_wait(self._tasks, again_after_s=1)
        running = [worker.process for worker in self._workers if worker.process is not None]
        waits = [asyncio.ensure_future(process.wait()) for process in running]
        if waits and (await asyncio.wait(waits, timeout=STOP_S))[1]:
            self._signal(signal.SIGKILL)
            await asyncio.wait(waits)

    def report(self) -> dict[str, object]:
        """For `/readyz`: how many run of how many, restarts since the start, and how the last one to die ended."""
        codes = [worker.exit_code for worker in self._workers if worker.exit_code is not None]
        return {
            "running": sum(worker.process is not None for worker in self._workers),
            "wanted": len(self._workers),
            "restarts": sum(worker.restarts for worker in self._workers),
            **({"lastExitCode": codes[-1]} if codes else {}),
        }

    def _signal(self, number: int) -> None:
        for worker in self._workers:
            if worker.process is not None:
                with suppress(ProcessLookupError):
                    worker.process.send_signal(number)


@asynccontextmanager
async def supervised(handover: MakeHandover, count: int) -> AsyncGenerator[Workers]:
    """`count` worker processes, not yet started; those that run are stopped when the block ends."""
    workers = Workers(handover, count)
    try:
        yield workers
    finally:
        await workers.stop()
