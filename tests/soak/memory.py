"""Resident memory of a running memd and of the Postgres processes that serve it, over time."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final, NamedTuple

import psutil

from tests.support.daemon import Daemon

MEBIBYTE: Final = 2**20
_SESSION: Final = " memd "
"""In the command line of a Postgres process that serves a session of the database `memd`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """MiB at one moment: resident memory of memd and its workers, and of the sessions of Postgres in all and on average; jobs that wait.

    `postgres` and `session` count each page of the buffer cache in every session that has touched it, `proportional`
    counts it once in all, and `private` is the average without any.
    """

    at_s: float
    memd: float
    sessions: int
    postgres: float
    session: float
    private: float
    proportional: float
    waiting: int


class _Memory(NamedTuple):
    """MiB of a process: resident, resident and not shared, and with shared pages divided among their processes."""

    resident: float
    private: float
    proportional: float


Figure = Callable[[Sample], float]
FIGURES: Final[dict[str, Figure]] = {
    "memd": lambda sample: sample.memd,
    "session of Postgres, private average": lambda sample: sample.private,
    "session of Postgres, average with the buffer cache": lambda sample: sample.session,
    "sessions of Postgres, sum with the buffer cache once": lambda sample: sample.proportional,
}
"""The figures that have to stay flat."""
SHOWN: Final[dict[str, Figure]] = {
    "sessions of Postgres, number": lambda sample: sample.sessions,
    "sessions of Postgres, sum with the buffer cache": lambda sample: sample.postgres,
}
"""The figures that vary with the load: pools open and close sessions, and the sum counts the cache in each of them."""


def sampled(daemon: Daemon, begun: float, waiting: int) -> Sample:
    """The memory of a running daemon; `begun` (monotonic seconds) is where time counts from."""
    found = [_memory(process) for process in _sessions(daemon.data_dir)]
    sizes = [size for size in found if size is not None] or [_Memory(0, 0, 0)]
    return Sample(
        at_s=time.monotonic() - begun,
        memd=_memd(daemon),
        sessions=len(sizes),
        postgres=sum(size.resident for size in sizes),
        session=fmean(size.resident for size in sizes),
        private=fmean(size.private for size in sizes),
        proportional=sum(size.proportional for size in sizes),
        waiting=waiting,
    )


def quarters(samples: Sequence[Sample], figure: Figure) -> list[float]:
    """The median of a figure in each quarter of the time."""
    end = max(sample.at_s for sample in samples)
    parts: list[list[float]] = [[], [], [], []]
    for sample in samples:
        parts[min(3, int(4 * sample.at_s / end))].append(figure(sample))
    return [median(part) for part in parts]


def growth(medians: Sequence[float]) -> float:
    """The last quarter over the second one; the first holds what is only made once."""
    return medians[3] / medians[1]


def _memd(daemon: Daemon) -> float:
    """MiB of the process that serves and of its workers."""
    assert daemon.process is not None
    main = psutil.Process(daemon.process.pid)
    programs = [
        main,
        *(
            child
            for child in main.children(recursive=True)
            if "memd" in _title(child) and "postgres" not in _title(child)
        ),
    ]
    return sum(found.resident for process in programs if (found := _memory(process)) is not None)


def _sessions(data_dir: Path) -> list[psutil.Process]:
    postmaster = int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    return [child for child in psutil.Process(postmaster).children() if _SESSION in _title(child)]


def _title(process: psutil.Process) -> str:
    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return " ".join(process.cmdline())
    return ""


def _memory(process: psutil.Process) -> _Memory | None:
    """None when the process has ended."""
    with suppress(psutil.NoSuchProcess):
        info = process.memory_full_info()
        return _Memory(
            info.rss / MEBIBYTE, (info.rss - getattr(info, "shared", 0)) / MEBIBYTE, getattr(info, "pss", 0) / MEBIBYTE
        )
    return None
