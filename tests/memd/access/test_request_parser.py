"""Requests that ask for another protocol are parsed like any other, however their bytes arrive."""

from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memd.access.http.request_parser import RequestParser

UPGRADE = b"Upgrade: h2c\r\nConnection: keep-alive, Upgrade\r\n"
SENT = b"".join(
    (
        b"POST /a HTTP/1.1\r\n" + UPGRADE + b"Content-Length: 5\r\n\r\nhello",
        b"POST /b HTTP/1.1\r\n" + UPGRADE + b"Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nT: 1\r\n\r\n",
        b"GET /c HTTP/1.1\r\n" + UPGRADE + b"\r\n",
        b"PUT /d HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
        b"GET /e HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n",
    )
)
REQUESTS = [
    (b"POST", b"/a", b"hello", True),
    (b"POST", b"/b", b"hi", True),
    (b"GET", b"/c", b"", True),
    (b"PUT", b"/d", b"abc", True),
    (b"GET", b"/e", b"", False),
]


class Listener:
    """Collects method, target, body and whether the connection stays open."""

    def __init__(self) -> None:
        self.parser = RequestParser(cast("HttpToolsProtocol", self))
        self.found: list[tuple[Any, ...]] = []
        self.target = self.body = b""
        self.headers: list[bytes] = []
        self.stays = False

    def on_message_begin(self) -> None:
        self.target = self.body = b""

    def on_url(self, url: bytes) -> None:
        self.target += url

    def on_header(self, name: bytes, _value: bytes) -> None:
        self.headers.append(name)

    def on_headers_complete(self) -> None:
        self.stays = self.parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.found.append((self.parser.get_method(), self.target, self.body, self.stays))


@given(st.sets(st.integers(1, len(SENT) - 1)))
def test_requests_with_an_upgrade_keep_their_bodies(cuts: set[int]) -> None:
    listener, start = Listener(), 0
    for end in (*sorted(cuts), len(SENT)):
        listener.parser.feed_data(SENT[start:end])
        start = end
    assert listener.found == REQUESTS
    assert listener.headers.count(b"Upgrade") == 4
