"""Starts memd without loading it anew: a process that has loaded the program forks itself for each start.

Loading takes most of a start. What is forked runs `memd.main` on arguments and an environment of its own, as the script
does. Tests of the start itself run the script.
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

CLOSE_FROM = 3
Completed = subprocess.CompletedProcess[str]
LOADED = (
    "memd.main",
    "memd.serve",
    "memd.db.schema.catalogue",
    "memd.processes.worker",
    "memd.mcp.endpoint",
    "memd.mcp.protocol",
    "uvloop",
)


class ForkedProgram:
    """A forked memd, with what its tests use of `subprocess.Popen`."""

    def __init__(self, channel: socket.socket, stdout: int | None = None) -> None:
        """`channel` carries the process id and later the exit code; `stdout` is the read end of its output, if any."""
        self._channel = channel
        self._said = channel.makefile("r")
        self.pid = int(self._said.readline())
        self.stdout = None if stdout is None else os.fdopen(stdout, "r")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; `subprocess.TimeoutExpired` if it still runs after `timeout` seconds."""
        if (code := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired("memd", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._channel], [], [], timeout)[0]:
            self.returncode = int(self._said.readline())
            self._said.close()
            self._channel.close()
        return self.returncode


class ForkServer:
    """The process that forks; started with the first `start`."""

    def __init__(self, folder: Path) -> None:
        """Its socket goes into `folder`."""
        self._address = str(folder / "fork-server")
        self._process: subprocess.Popen[str] | None = None

    def start(self, arguments: list[str], environment: dict[str, str], output: int | None = None) -> ForkedProgram:
        """Fork a memd that writes both streams to the file descriptor `output`; by default to its `stdout`."""
        if output is not None:
            return ForkedProgram(self._forked(arguments, environment, output, output))
        reading, writing = os.pipe()
        channel = self._forked(arguments, environment, writing, writing)
        os.close(writing)
        return ForkedProgram(channel, reading)

    def run(self, arguments: list[str], environment: dict[str, str], timeout_s: float) -> Completed:
        """Run a command of memd to its end; `subprocess.TimeoutExpired` if that takes longer."""
        with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
            channel = self._forked(arguments, environment, output.fileno(), errors.fileno())
            program = ForkedProgram(channel)
            try:
                code = program.wait(timeout_s)
            except subprocess.TimeoutExpired:
                program.kill()
                raise
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(["memd", *arguments], code, output.read(), errors.read())

    def _forked(self, arguments: list[str], environment: dict[str, str], output: int, errors: int) -> socket.socket:
        """The channel to a fork that writes to these file descriptors."""
        if self._process is None:
            command = [sys.executable, "-m", __name__, self._address]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
            assert self._process.stdout is not None
            assert self._process.stdout.readline() == "ready\n"
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        channel.connect(self._address)
        request = json.dumps({"arguments": arguments, "environment": environment})
        socket.send_fds(channel, [request.encode()], [output, errors])
        return channel

    def stop(self) -> None:
        """End it; the processes that it has forked continue."""
        if self._process is not None:
            self._process.communicate()


@cache
def fork_server() -> ForkServer:
    """The server of this process."""
    folder = TemporaryDirectory(prefix="fork-server-")
    server = ForkServer(Path(folder.name))
    atexit.register(folder.cleanup)
    atexit.register(server.stop)
    return server


def serve(address: str) -> None:
    """Fork for each connection until the end of the standard input."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)  # noqa: T201 - read by the parent
    while listener in select.select([listener, sys.stdin], [], [])[0]:
        channel, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            watch(channel)
            os._exit(0)  # an orderly end would take the loaded program apart for half a second
        channel.close()


def watch(channel: socket.socket) -> None:
    """Fork one memd, and report its process id and its end."""
    request, streams, _flags, _address = socket.recv_fds(channel, 1 << 20, 2)
    pid = os.fork()
    if pid == 0:
        become_memd(json.loads(request), *streams)
    for stream in streams:
        os.close(stream)
    channel.send(f"{pid}\n".encode())
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    channel.send(f"{code}\n".encode())


def become_memd(request: dict[str, Any], output: int, errors: int) -> None:
    """Run the program in this process, which hears SIGHUP also under `nohup make test`; raises SystemExit with its code."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.closerange(CLOSE_FROM, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.argv = ["memd", *request["arguments"]]
    importlib.import_module("memd.main").main()


def load() -> None:
    """Load what each memd would, and compile the patterns of the content policy: `re` keeps them for all forks."""
    for module in LOADED:
        importlib.import_module(module)
    importlib.import_module("memd.policy.rules").load_rules(None)
    gc.freeze()  # no fork looks through what is loaded here, which would copy its pages


if __name__ == "__main__":
    load()
    serve(sys.argv[1])
