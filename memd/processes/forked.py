"""Workers forked while memd starts: they share the modules that it has loaded, which take most of a worker's start.

Only on Linux 5.3 and newer (`pidfd_open` to wait, the end of the parent as a signal); elsewhere, and after a worker has
died, a worker is a new program.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from traceback import print_exception
from typing import IO, Final, NoReturn

from memd.processes.handover import Handover
from memd.processes.parent import end_with_parent


def _can_fork() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):  # another system, or a Linux before 5.3
        return False
    return True


CAN_FORK: Final = _can_fork()


class ForkedProcess:
    """A forked process that waits for its handover, with what `asyncio.subprocess.Process` offers of a running one."""

    def __init__(self, pid: int, handover: int, connection: socket.socket, inherited: int) -> None:
        """`handover` is the pipe to write it to; `inherited` is the process's own end of `connection`."""
        self.pid = pid
        self.connection = connection
        self._descriptor = os.pidfd_open(pid)
        self._inherited = inherited
        self._handover = handover
        self._ended: asyncio.Future[int] | None = None

    def hand_over(self, handover: Handover) -> None:
        """Send the handover, with the child's end of the connection, and leave the pipe open: it closes when memd ends."""
        with suppress(BrokenPipeError):  # it has died already, which `wait` reports
            os.write(self._handover, replace(handover, connection=self._inherited).to_line())

    async def wait(self) -> int:
        """The exit code, negative for a signal; any number of callers may wait."""
        if self._ended is None:
            self._ended = asyncio.get_running_loop().create_future()
            self._watch(self._ended)
        return await asyncio.shield(self._ended)

    def send_signal(self, number: int) -> None:
        """Send a signal; ProcessLookupError when it has ended."""
        if self._ended is not None and self._ended.done():
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    def _watch(self, ended: "asyncio.Future[int]") -> None:
        loop = asyncio.get_running_loop()

        def reap() -> None:
            loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            os.close(self._handover)
            ended.set_result(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]))

        loop.add_reader(self._descriptor, reap)


def fork_processes(count: int, main: Callable[[IO[bytes]], int]) -> list[ForkedProcess]:
    """Fork `count` processes that call `main` with the stream of their handover and exit with its result.

    Empty where that is not safe. The caller may have other threads only if they wait without holding a lock.
    """
    return [_fork(main) for _ in range(count)] if CAN_FORK else []


def _fork(main: Callable[[IO[bytes]], int]) -> ForkedProcess:
    reading, writing = os.pipe()
    ours, theirs = socket.socketpair()
    _flush()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _run(main, parent, reading, theirs.fileno())
    os.close(reading)
    inherited = theirs.fileno()
    theirs.close()
    return ForkedProcess(pid, writing, ours, inherited)


def _run(main: Callable[[IO[bytes]], int], parent: int, reading: int, connection: int) -> NoReturn:  # pyrefly: ignore[bad-return]
    """Run `main` in the child, which keeps no other descriptor of its parent and runs none of its cleanup."""
    code = 1
    try:
        end_with_parent(parent)
        os.setsid()  # Ctrl+C at a terminal reaches memd alone, which stops its workers gracefully
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _close_all_but(reading, connection)
        with os.fdopen(reading, "rb") as stream:
            code = main(stream) if stream.peek(1) else 0  # memd has ended before it needed this process
    except BaseException as error:  # noqa: BLE001 - whatever it is, the stack below belongs to the parent
        print_exception(error)
    finally:
        with suppress(OSError):
            _flush()
        os._exit(code)


def _flush() -> None:
    """Flush the standard streams: after a fork, their buffers would be written twice. A stream that is closed is None."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()


def _close_all_but(*kept: int) -> None:
    """Close every file descriptor but the standard streams and these."""
    first = 3
    for descriptor in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, descriptor)
        first = descriptor + 1
