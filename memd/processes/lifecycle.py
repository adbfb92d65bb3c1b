"""What every long-running process of memd does: end on a signal, and collect garbage without long pauses."""

import asyncio
import gc
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager

YOUNG_OBJECTS = 20_000


@contextmanager
def on_stop_signal(stop: Callable[[int], None]) -> Generator[None]:
    """Call `stop` with the number of a signal (SIGINT, SIGTERM) that asks the process to end."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def collect_garbage() -> None:
    """Turn the garbage collector on for what is made from now on.

    A collection over everything that a start makes would take 0.2 s, so that stays out; and a generation is larger than
    the objects of a few requests, nearly all of which reference counting frees.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    gc.enable()
