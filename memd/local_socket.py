"""The way to memd for programs of the same user on this machine: a unix socket, and a file that says where memd listens.

A port on loopback can be taken by anybody on the machine; a socket in the data directory only by who may write there. So
clients send the key of the data directory through the socket alone.
"""

import json
import os
import socket
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

log = structlog.get_logger()
SOCKET_FILE: Final = "memd.sock"
STATE_FILE: Final = "memd.json"
MAX_PATH_LENGTH: Final = 107
"""Bytes of a socket's path on Linux."""


@contextmanager
def local_socket(data_dir: Path) -> Generator[socket.socket | None]:
    """A bound socket for the owner of the data directory alone; None where there can be none, which is logged."""
    path = data_dir / SOCKET_FILE
    listener = _bind(path)
    try:
        yield listener
    finally:
        if listener is not None:
            listener.close()
            path.unlink(missing_ok=True)


def _bind(path: Path) -> socket.socket | None:
    if len(os.fsencode(path)) > MAX_PATH_LENGTH:
        log.warning("local_socket.path_too_long", path=str(path), most=MAX_PATH_LENGTH)
        return None
    if _is_served(path):
        log.warning("local_socket.in_use", path=str(path))
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        log.warning("local_socket.failed", path=str(path), error=error.strerror)
        return None
    finally:
        os.umask(before)
    return listener


def _is_served(path: Path) -> bool:
    """Whether another memd, with a database outside of this directory, listens there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


@contextmanager
def state_file(data_dir: Path, host: str, port: int, listener: socket.socket | None) -> Generator[None]:
    """Say in `memd.json` where memd listens, for as long as the block lasts; the file appears as a whole."""
    if listener is None:
        yield
        return
    path = data_dir / STATE_FILE
    state = {"host": host, "port": port, "socket": listener.getsockname(), "pid": os.getpid()}
    descriptor, draft = tempfile.mkstemp(prefix=".memd-", dir=data_dir)
    with os.fdopen(descriptor, "w") as file:
        json.dump(state, file)
    Path(draft).replace(path)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            path.unlink()
