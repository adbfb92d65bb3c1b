"""Figures of all processes of a memd for `/metrics`, whichever of them answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import psutil
from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from memd.processes.status import ProcessStatus
from memd.version import VERSION


@dataclass(frozen=True, slots=True)
class _Usage:
    """The resources that a process, or several, use: seconds of processor time, bytes, open files; epoch seconds of the first start."""

    cpu_s: float = 0
    resident: int = 0
    virtual: int = 0
    files: int = 0
    started: float = float("inf")

    @classmethod
    def of(cls, pids: Iterable[int]) -> Self:
        """The sum over processes; one that has just ended counts as nothing."""
        total = cls()
        for pid in pids:
            try:
                total = total.plus(psutil.Process(pid))
            except psutil.Error:
                continue
        return total

    def plus(self, process: psutil.Process) -> Self:
        """This and what a process uses."""
        with process.oneshot():
            memory, cpu = process.memory_info(), process.cpu_times()
            return type(self)(
                self.cpu_s + cpu.user + cpu.system,
                self.resident + memory.rss,
                self.virtual + memory.vms,
                self.files + process.num_fds(),
                min(self.started, process.create_time()),
            )


class ProcessMetrics(Collector):
    """`process_*` summed over all processes, some of them by kind of process as `memd_process_*`, and the release."""

    def __init__(self, status: ProcessStatus) -> None:
        self._status = status

    def collect(self) -> Iterable[Metric]:
        """The metrics now."""
        yield InfoMetricFamily("memd_build", "The release of memd.", {"version": VERSION})
        by_kind = {kind: _Usage.of(pids) for kind, pids in self._status.pids.items() if pids}
        yield from _totals(_Usage.of(pid for pids in self._status.pids.values() for pid in pids))
        yield _labelled(
            "memd_process_cpu_seconds", "Processor time", {k: u.cpu_s for k, u in by_kind.items()}, total=True
        )
        yield _labelled(
            "memd_process_resident_memory_bytes", "Resident memory", {k: u.resident for k, u in by_kind.items()}
        )
        yield _labelled("memd_processes", "Running processes", {k: len(p) for k, p in self._status.pids.items()})
        restarts = {kind: report["restarts"] for kind, report in self._status.reports.items()}
        yield _labelled("memd_process_restarts", "Restarts of processes that died", restarts, total=True)


def registry(status: ProcessStatus, gauges: Sequence[Collector]) -> CollectorRegistry:
    """A registry of the gauges and of all processes; figures of one interpreter are there while one alone answers."""
    made = CollectorRegistry()
    answering = len(status.pids.get("request", ()))
    for collector in (
        PLATFORM_COLLECTOR,
        *((GC_COLLECTOR,) if answering == 1 else ()),
        *gauges,
        ProcessMetrics(status),
    ):
        made.register(collector)
    return made


def _totals(usage: _Usage) -> Iterable[Metric]:
    yield CounterMetricFamily("process_cpu_seconds", "Processor time of all processes in seconds.", usage.cpu_s)
    yield GaugeMetricFamily("process_resident_memory_bytes", "Resident memory of all processes.", usage.resident)
    yield GaugeMetricFamily("process_virtual_memory_bytes", "Virtual memory of all processes.", usage.virtual)
    yield GaugeMetricFamily("process_open_fds", "Open file descriptors of all processes.", usage.files)
    yield GaugeMetricFamily("process_start_time_seconds", "Start of the oldest process, Unix seconds.", usage.started)


def _labelled(name: str, text: str, values: Mapping[str, float], *, total: bool = False) -> Metric:
    """A metric with a value for each kind of process; `total` makes it a counter."""
    family = (CounterMetricFamily if total else GaugeMetricFamily)(name, f"{text} by kind of process.", labels=["kind"])
    for kind, value in values.items():
        family.add_metric([kind], value)
    return family
