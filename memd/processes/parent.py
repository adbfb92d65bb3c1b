"""A worker process does not outlive the process that started it, however that one ends."""

import ctypes
import os
import signal
import sys
from threading import Thread
from typing import IO

import structlog

PR_SET_PDEATHSIG = 1
log = structlog.get_logger()


def end_with_parent(parent: int, stream: IO[bytes]) -> None:
    """End this process at once when `parent` (a process id) ends; jobs that ran are requeued by the next worker.

    On Linux the kernel does it. Everywhere else, and until the kernel was asked, the end of `stream`, a pipe that only
    the parent writes to, shows it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    Thread(target=_watch, args=(stream,), name="parent", daemon=True).start()
    if os.getppid() != parent:
        _end()


def _watch(stream: IO[bytes]) -> None:
    while os.read(stream.fileno(), 4096):
        pass
    _end()


def _end() -> None:
    log.error("worker.parent_ended")
    os._exit(1)
