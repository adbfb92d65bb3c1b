"""SIGTERM, by which `timeout`, systemd and containers end a program, lets a long command report before it ends."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager


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
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    is_ours = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and _replace_handler(cancel)
    try:
        yield
    except asyncio.CancelledError:
        if came:
            raise Terminated from None
        raise
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def end_by_sigterm() -> None:
    """End the process as SIGTERM does by default: what started it sees the signal, not an exit code."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTERM)


def _replace_handler(handler: Callable[..., None]) -> bool:
    """Handle SIGTERM; False where that is not possible."""
    try:
        signal.signal(signal.SIGTERM, handler)
    except ValueError:  # not the main thread
        return False
    return True
