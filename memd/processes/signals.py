"""Signals and garbage collection of every long-running process of memd."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType

from memd.logs import log

YOUNG_OBJECTS = 20_000
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""They ask the process to end; SIGHUP comes from a terminal that is closed. memd reads its settings at its start only."""


@contextmanager
def on_stop_signal(stop: Callable[[int], None]) -> Generator[None]:
    """Call `stop` with the number of a signal that asks the process to end. `nohup` keeps SIGHUP ignored."""
    loop = asyncio.get_running_loop()
    is_kept = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    numbers = [number for number in STOP_SIGNALS if number != signal.SIGHUP or not is_kept]
    for number in numbers:
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def ignore_stop_signals() -> None:
    """Ignore further signals that ask the process to end, so that it drains whoever else asks: a service manager, too.

    For a child, which the supervising process ends with force when it takes too long.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def reported_stop() -> Generator[None]:
    """Say so when SIGTERM or SIGHUP ends the process before an event loop handles it.

    Nothing is unwound: an exception at any point of a start could leave a lock held, and what a start begins ends with
    the process. `nohup` keeps SIGHUP ignored.
    """
    numbers = (signal.SIGTERM, signal.SIGHUP)
    previous = {number: handler for number in numbers if (handler := signal.getsignal(number)) != signal.SIG_IGN}
    for number in previous:
        signal.signal(number, _stop_start)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _stop_start(number: int, _frame: FrameType | None) -> None:
    name = signal.Signals(number).name
    with suppress(OSError):  # the terminal may be gone, which is what SIGHUP reports
        os.write(2, f"memd stops during its start: {name}\n".encode())  # a logger may hold its lock at this moment
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def log_stop(number: int) -> None:
    """Log the signal that ends the process."""
    log.info("memd.stopping", signal=signal.Signals(number).name)


def collect_garbage() -> None:
    """Turn the garbage collector on for objects that are made from now on.

    A collection over everything that a start makes would take 0.2 s, so that stays out; and a generation is larger than
    the objects of a few requests, nearly all of which reference counting frees.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    gc.enable()
