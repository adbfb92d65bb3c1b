"""A child process gets what it needs from the process that started it, keeps a connection to it, and ends with it."""

import asyncio
import ctypes
import gc
import os
import signal
import socket
import sys
from threading import Thread
from typing import IO

import structlog

from memd.logs import configure
from memd.processes.handover import Handover
from memd.processes.limits_client import LimitsClient

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
log = structlog.get_logger()


def read_handover(process: str, stream: IO[bytes]) -> Handover | None:
    """The start of a child: read the handover, write logs under its name, end with the parent; None without a handover.

    Garbage is not collected until `collect_garbage`.
    """
    gc.disable()
    name_process(f"memd {process}")
    try:
        handover = Handover.read(stream)
    except EOFError as error:
        print(error, file=sys.stderr)  # noqa: T201 - there are no settings to log by
        return None
    configure(handover.settings.log_level, process=process)
    end_with_parent(handover.parent)
    Thread(target=_watch, args=(stream,), name="parent", daemon=True).start()
    return handover


def end_with_parent(parent: int) -> None:
    """End this process at once when `parent` (a process id) ends; jobs that ran are requeued by the next worker.

    On Linux the kernel does it. Everywhere else the end of the handover's stream, a pipe that only the parent writes to,
    shows it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        _end()


def name_process(name: str) -> None:
    """The name of this process in `ps` and `top`, at most 15 bytes; Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


async def connect(descriptor: int) -> LimitsClient:
    """The inherited end of the socket pair, as this process uses it."""
    loop = asyncio.get_running_loop()
    _, client = await loop.connect_accepted_socket(LimitsClient, inherited_socket(descriptor))
    return client


def inherited_socket(descriptor: int) -> socket.socket:
    """A socket that the parent has opened; programs that this process starts do not inherit it."""
    inherited = socket.socket(fileno=descriptor)
    inherited.set_inheritable(False)
    return inherited


def _watch(stream: IO[bytes]) -> None:
    while os.read(stream.fileno(), 4096):
        pass
    _end()


def _end() -> None:
    log.error("process.parent_ended")
    os._exit(1)
