"""How a command ends by a signal: a long one reports first, at Ctrl+C and at SIGTERM, by which `timeout` ends a program."""

import asyncio
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

COPY_S: Final = 0.25
"""Seconds in which the same signal is a copy: `timeout` sends it to the program and to the program's group."""


class Terminated(BaseException):
    """SIGTERM has ended the command."""


@contextmanager
def sigterm_cancels() -> Generator[None]:
    """Cancel the running task at SIGTERM, as asyncio does at Ctrl+C, and raise Terminated when it has ended by that.

    A second SIGTERM ends the process at once. Where SIGTERM is ignored, or outside of the main thread, nothing changes.
    """
    loop, task, came = asyncio.get_running_loop(), asyncio.current_task(), False

    def cancel(*_: object) -> None:
        nonlocal came
        came = True
        _next_one_ends(signal.SIGTERM)
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    is_ours = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and _replace_handler(signal.SIGTERM, cancel)
    try:
        yield
    except asyncio.CancelledError:
        if came:
            raise Terminated from None
        raise
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def second_ctrl_c_ends() -> Generator[None]:
    """End the process at once at the second Ctrl+C, as at the second SIGTERM; the first one cancels the task as before.

    asyncio would raise KeyboardInterrupt wherever the second one arrives, also where tasks are being ended, which may
    then wait for each other.
    """
    cancel = signal.getsignal(signal.SIGINT)

    def first(number: int, frame: FrameType | None) -> None:
        _next_one_ends(signal.SIGINT)
        if callable(cancel):
            cancel(number, frame)

    is_ours = callable(cancel) and _replace_handler(signal.SIGINT, first)
    try:
        yield
    finally:
        if is_ours and signal.getsignal(signal.SIGINT) is first:
            signal.signal(signal.SIGINT, cancel)


def end_by_sigterm() -> None:
    """End the process as SIGTERM does by default: what started it sees the signal, not an exit code."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTERM)


def _next_one_ends(number: signal.Signals) -> None:
    """Let the next signal of this kind end the process at once, but not a copy of the one that has just come."""
    came = time.monotonic()

    def end(*_: object) -> None:
        if time.monotonic() - came > COPY_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    signal.signal(number, end)


def _replace_handler(number: signal.Signals, handler: Callable[..., None]) -> bool:
    """Handle a signal; False where that is not possible."""
    try:
        signal.signal(number, handler)
    except ValueError:  # not the main thread
        return False
    return True
