"""A kept HTTP connection, of which a test knows the process that has accepted it."""

import http.client
import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

PATIENCE_S: Final = 60


class Reply(NamedTuple):
    """A status and a JSON body."""

    status: int
    body: Any


class Connection:
    """A connection to a memd."""

    def __init__(self, url: str, source: str = "127.0.0.1") -> None:
        """Connect from an address of this machine."""
        self._http = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE_S, source_address=(source, 0))
        self._http.connect()
        self.end_point: tuple[str, int] = self._http.sock.getsockname()

    def send(self, method: str, path: str, key: str | None, body: object = None) -> Reply:
        """Send a request and read its reply."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self._http.getresponse()
        return Reply(reply.status, json.loads(reply.read()))

    def begin(self, path: str, key: str) -> None:
        """Send the header of a request and wait until memd asks for the body, after it has given it a place."""
        self._http.putrequest("POST", path)
        self._http.putheader("Authorization", f"Bearer {key}")
        self._http.putheader("Content-Length", "2")
        self._http.putheader("Expect", "100-continue")
        self._http.endheaders()
        assert self._http.sock.recv(1024) == b"HTTP/1.1 100 Continue\r\n\r\n"

    def end(self) -> int:
        """Send the body; the status of the reply."""
        self._http.send(b"{}")
        reply = self._http.getresponse()
        reply.read()
        return reply.status

    def close(self) -> None:
        self._http.close()
