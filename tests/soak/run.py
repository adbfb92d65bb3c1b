"""The soak itself: eight users on one memd for some time, its memory meanwhile, and what is left afterwards."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

from tests.bench.latency import new_tenant
from tests.bench.lean import Lean
from tests.soak.caller import KEPT, Caller
from tests.soak.memory import Sample, sampled
from tests.support.daemon import Daemon

USERS: Final = 8
RATE: Final = 2.5
"""Calls of a user in a second."""
SAMPLES: Final = 400
SETTLED_S: Final = 600
"""How long the queue may take to run empty when the load has ended."""


@dataclass(frozen=True, slots=True)
class Soak:
    """The result of a run; `logged` are the error lines of memd's log, `waiting` and `failed` are jobs at the end."""

    seconds: float
    calls: Counter[str]
    errors: list[str]
    logged: list[str]
    waiting: int
    failed: int
    samples: Sequence[Sample]
    recalls_ms: Sequence[float]


def soak(
    daemon: Daemon,
    seconds: float,
    rate: float = RATE,
    *,
    users: int = USERS,
    kept: int = KEPT,
    note: Callable[[Sample], None] | None = None,
) -> Soak:
    """Load a running daemon for this many seconds; `note` gets every sample when it is taken.

    Each of the users keeps `kept` memories and chunks, and makes `rate` calls in a second.
    """
    keys = [new_tenant(daemon, f"soak {number}").key for number in range(users)]
    callers = [Caller(daemon.url, key, seed, rate, kept) for seed, key in enumerate(keys)]
    for caller in callers:
        caller.prepare()
    with Lean(daemon.url, daemon.key) as admin:
        with _calling(callers):
            samples = _watch(daemon, admin, seconds, note)
        queue = _settled(admin)
    return Soak(
        seconds=seconds,
        calls=sum((caller.calls for caller in callers), Counter[str]()),
        errors=[error for caller in callers for error in caller.errors],
        logged=[line.rstrip() for line in daemon.said if _is_error(line)],
        waiting=queue["depth"],
        failed=sum(kind["failed"] for kind in queue["byKind"].values()),
        samples=samples,
        recalls_ms=[1000 * took for caller in callers for took in caller.recalls],
    )


@contextmanager
def _calling(callers: Sequence[Caller]) -> Generator[None]:
    """Have the callers call, each in a thread, as long as the block runs."""
    stop = Event()
    threads = [threading.Thread(target=caller.run, args=(stop,)) for caller in callers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread, caller in zip(threads, callers, strict=True):
            thread.join()
            caller.close()


def _watch(daemon: Daemon, admin: Lean, seconds: float, note: Callable[[Sample], None] | None) -> list[Sample]:
    samples: list[Sample] = []
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < seconds:
        samples.append(sampled(daemon, begun, _queue(admin)["depth"]))
        if note is not None:
            note(samples[-1])
        time.sleep(min(seconds / SAMPLES, seconds - passed))
    return samples


def _settled(admin: Lean) -> dict[str, Any]:
    """The queue once it is empty, or after SETTLED_S; extraction starts two minutes after its turn."""
    deadline = time.monotonic() + SETTLED_S
    while True:
        queue = _queue(admin)
        if not queue["depth"] or time.monotonic() > deadline:
            return queue
        time.sleep(0.5)


def _queue(admin: Lean) -> dict[str, Any]:
    return admin.call("GET", "/api/jobs")["queue"]


def _is_error(line: str) -> bool:
    try:
        return json.loads(line).get("level") in {"error", "critical"}
    except (ValueError, AttributeError):
        return "Traceback" in line
