"""One HTTP request to memd with the standard library alone, over its unix socket or an address."""

import http.client
import json
import socket
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

from memctl.settings import Connection

MAX_REPLY_BYTES: Final = 16 << 20
"""The most that is read of a reply, which may have no end; a hook shows some thousand characters of it."""


class UnreachableError(Exception):
    """No answer came; memd may have received the request or not. The text says what happened."""


class Answer(NamedTuple):
    """An answer of memd; `document` is empty when it is not a JSON object."""

    status: int
    document: dict[str, Any]

    @property
    def error(self) -> str:
        """The error of a refusal in words."""
        text, details = self.document.get("error", ""), self.document.get("details")
        return f"{self.status} {text}: {details}" if details else f"{self.status} {text}"


class _Socket(http.client.HTTPConnection):
    """A connection through a unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Open the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def send(target: Connection, path: str, body: dict[str, Any] | None, timeout_s: float) -> Answer:
    """The answer to a POST of `body`, or to a GET without one; `UnreachableError` when there is none.

    `timeout_s` bounds each step of the network, not their sum.
    """
    if target.is_guess:
        raise UnreachableError("no memd serves the data directory of this machine")
    connection = _open(target, timeout_s)
    headers = {"Content-Type": b"application/json", "Connection": b"close"}
    if target.api_key:
        headers["Authorization"] = f"Bearer {target.api_key}".encode()
    if target.end_user:
        headers["X-Memd-User"] = target.end_user.encode()
    content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    try:
        connection.request("GET" if body is None else "POST", urlsplit(target.url).path + path, content, headers)
        reply = connection.getresponse()
        return Answer(reply.status, _document(reply.read(MAX_REPLY_BYTES)))
    except (OSError, http.client.HTTPException) as error:
        raise UnreachableError(f"{target.url} did not answer: {error or type(error).__name__}") from error
    finally:
        connection.close()


def _open(target: Connection, timeout_s: float) -> http.client.HTTPConnection:
    if target.socket:
        return _Socket(target.socket, timeout_s)
    where = urlsplit(target.url)
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    return kind(where.hostname or "", where.port, timeout=timeout_s)


def _document(content: bytes) -> dict[str, Any]:
    try:
        read: Any = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", read) if isinstance(read, dict) else {}
