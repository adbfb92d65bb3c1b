"""Raw sockets to a memd process, for what no HTTP client sends."""

import json
import select
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 60
"""Until a test gives up; nothing is measured with it."""


def connect(url: str, *, receive_buffer: int | None = None) -> socket.socket:
    """A connection to the host and port of an address."""
    where = urlsplit(url)
    raw = socket.socket()
    if receive_buffer is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    raw.settimeout(PATIENCE_S)
    raw.connect((where.hostname, where.port))
    return raw


def head(method: str, path: str, key: str | None = None, **more: str) -> bytes:
    """A header block; `Content_Length="3"` is a header."""
    fields = {"Host": "localhost"} | {name.replace("_", "-"): value for name, value in more.items()}
    if key is not None:
        fields["Authorization"] = f"Bearer {key}"
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def read_all(raw: socket.socket) -> bytes:
    """All bytes that the server sends until it closes the connection."""
    parts: list[bytes] = []
    with suppress(ConnectionError):
        while part := raw.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def status_of(reply: bytes) -> int | None:
    """The status of a reply; None when there is none."""
    return int(reply.split(b" ", 2)[1]) if reply else None


def body_of(reply: bytes) -> Any:
    """The JSON of a reply."""
    return json.loads(reply.partition(b"\r\n\r\n")[2])


def wait_for_hang_up(raw: socket.socket) -> None:
    """Wait, without reading, until the server has ended the connection."""
    poll = select.poll()
    poll.register(raw, select.POLLHUP | select.POLLERR)
    assert poll.poll(PATIENCE_S * 1000), "the connection is still open"
