"""The parser of HTTP/1.1 requests, which lets no request change the protocol (RFC 9110, 7.8: a server may ignore Upgrade).

httptools takes a request with `Upgrade` and `Connection: upgrade` as one without a body: the body that follows would be
read as the next request. Here such a request goes on as if it had not asked: a second parser, which is fed what frames
the body, takes over at the end of the header.
"""

from typing import Final

import httptools
from httptools import HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_FRAMING: Final = frozenset({b"content-length", b"transfer-encoding", b"connection"})
"""The headers that tell where a body ends and whether the connection stays open."""


class RequestParser:
    """The part of `httptools.HttpRequestParser` that uvicorn uses, and the listener of a parser."""

    def __init__(self, listener: HttpToolsProtocol) -> None:
        self._listener = listener
        self._framing: list[tuple[bytes, bytes]] = []
        self._upgrades = False
        self._takes_over = False
        self._parser = self._new_parser()

    def feed_data(self, data: bytes) -> None:
        """Parse; raises what httptools raises, for CONNECT alone `HttpParserUpgrade`."""
        while True:
            try:
                self._parser.feed_data(data)
            except HttpParserUpgrade as upgrade:
                if not self._upgrades:
                    raise
                data = self._framed_head() + data[upgrade.args[0] :]
                self._parser, self._upgrades, self._takes_over = self._new_parser(), False, True
            else:
                return

    def get_http_version(self) -> str:
        """Of the request whose header was read last, such as `1.1`."""
        return self._parser.get_http_version()

    def get_method(self) -> bytes:
        """Of the request whose header was read last."""
        return self._parser.get_method()

    def should_keep_alive(self) -> bool:
        """Whether the connection stays open after the request."""
        return self._parser.should_keep_alive()

    def should_upgrade(self) -> bool:
        """Never."""
        return False

    def on_message_begin(self) -> None:
        """A request begins."""
        if not self._takes_over:
            self._framing = []
            self._listener.on_message_begin()

    def on_url(self, url: bytes) -> None:
        """The target of the request."""
        if not self._takes_over:
            self._listener.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer."""
        if self._takes_over:
            return
        if name.lower() in _FRAMING:
            self._framing.append((name, value))
        self._listener.on_header(name, value)

    def on_headers_complete(self) -> None:
        """The header has ended; that of a request with an upgrade, once the second parser has read it."""
        self._upgrades = self._parser.should_upgrade() and self._parser.get_method() != b"CONNECT"
        if not self._upgrades:
            self._takes_over = False
            self._listener.on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._listener.on_body(body)

    def on_message_complete(self) -> None:
        """The request has ended."""
        if not self._upgrades:
            self._listener.on_message_complete()

    def _new_parser(self) -> httptools.HttpRequestParser:
        parser = httptools.HttpRequestParser(self)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return parser

    def _framed_head(self) -> bytes:
        """A header with the method, the version and the framing of the request, and without the upgrade."""
        lines = [b"%b / HTTP/%b" % (self._parser.get_method(), self._parser.get_http_version().encode())]
        lines += [b"%b: %b" % (name, _without_upgrade(name, value)) for name, value in self._framing]
        return b"\r\n".join((*lines, b"", b""))


def _without_upgrade(name: bytes, value: bytes) -> bytes:
    if name.lower() != b"connection":
        return value
    return b", ".join(option for part in value.split(b",") if (option := part.strip()).lower() != b"upgrade")
