"""Starts the other processes of `memd serve`, restarts those that die, and stops them together with this one."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from memd.access.http.request_durations import RequestDurations
from memd.access.rate_limits.limits import Limits
from memd.cancellation import cancel_and_wait
from memd.processes.child import Child, Kind, MakeHandover
from memd.processes.forked import ForkedProcess
from memd.processes.limits_service import LimitsService
from memd.processes.status import ProcessStatus

STOP_S: Final = 30.0
"""Longer than running jobs are waited for."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """How many children of a kind there should be, and what each of them gets."""

    count: int
    handover: MakeHandover
    forked: Sequence[ForkedProcess] = ()
    """Those that are running already and wait for their handover; at most `count`."""


class Supervisor:
    """The children of a memd that serves, and the limits and counts of requests that they share with it."""

    def __init__(
        self, processes: Mapping[Kind, ProcessGroup], limits: Callable[[], Limits], durations: RequestDurations
    ) -> None:
        """`limits` is asked when a child starts."""
        self._limits = limits
        self._durations = durations
        self._children = [
            Child(kind, each.handover, self._connect, forked)
            for kind, each in processes.items()
            for _, forked in zip_longest(range(each.count), each.forked)
        ]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start all of them; returns at once."""
        self._tasks = [asyncio.create_task(child.keep_running()) for child in self._children]

    def terminate(self) -> None:
        """Ask them to finish their work and end; none is started again. Returns at once."""
        for task in self._tasks:
            task.cancel()
        self._signal(signal.SIGTERM)

    async def stop(self) -> None:
        """End them: after STOP_S with force."""
        self.terminate()
        await cancel_and_wait(self._tasks, again_after_s=1)
        running = [child.process for child in self._children if child.process is not None]
        waits = [asyncio.ensure_future(process.wait()) for process in running]
        if waits and (await asyncio.wait(waits, timeout=STOP_S))[1]:
            self._signal(signal.SIGKILL)
            await asyncio.wait(waits)

    async def status(self) -> ProcessStatus:
        """All processes; this one answers requests, too."""
        requests, workers = self._of(Kind.REQUEST), self._of(Kind.WORKER)
        reports = {Kind.REQUEST.value: report(requests, more=1)}
        if workers:
            reports[Kind.WORKER.value] = report(workers)
        pids = {Kind.REQUEST.value: [os.getpid(), *_pids(requests)], Kind.WORKER.value: _pids(workers)}
        return ProcessStatus(reports, pids)

    def _of(self, kind: Kind) -> list[Child]:
        return [child for child in self._children if child.kind is kind]

    def _connect(self) -> LimitsService:
        return LimitsService(self._limits(), self.status, self._durations)

    def _signal(self, number: int) -> None:
        for child in self._children:
            child.signal(number)


def _pids(children: list[Child]) -> list[int]:
    return [child.process.pid for child in children if child.process is not None]


def report(children: list[Child], more: int = 0) -> dict[str, int]:
    """For `/readyz`: how many run of how many, restarts since the start, and how the last one to die ended."""
    last = max(children, key=lambda child: child.ended_at, default=None)
    return {
        "running": len(_pids(children)) + more,
        "wanted": len(children) + more,
        "restarts": sum(child.restarts for child in children),
        **({} if last is None or last.exit_code is None else {"lastExitCode": last.exit_code}),
    }


@asynccontextmanager
async def supervised(
    processes: Mapping[Kind, ProcessGroup], limits: Callable[[], Limits], durations: RequestDurations
) -> AsyncGenerator[Supervisor]:
    """Children, not yet started; those that run are stopped when the block ends."""
    supervisor = Supervisor(processes, limits, durations)
    try:
        yield supervisor
    finally:
        await supervisor.stop()
