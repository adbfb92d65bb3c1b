"""The HTTP/1.1 connection: a cap on what the parser buffers, and deadlines wherever memd waits for the client.

uvicorn's protocol buffers headers and trailers without a limit and waits for them without one. Here a header block, a
block of trailers or a run of pipelined requests ends at a bound, a header has to arrive in time, and a client that does
not read its reply is disconnected. The deadline of a body that a handler reads is `memd.access.request.body`'s.
"""

import asyncio
import os
import socket
import struct
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import structlog
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from memd.access.authentication.peer_user import peer_user
from memd.access.http.envelope import REFUSAL
from memd.access.http.request_parser import RequestParser
from memd.errors import BadRequest, HeadersTooLarge, MemdError, RequestTimeout
from memd.settings import Settings

log = structlog.get_logger()
MAX_PIPELINED: Final = 16
LINGER_S: Final = 2.0
"""How long input is discarded after a refusal: closing at once would reset the connection before the client reads it."""
SLOWEST_READ: Final = 1024
"""Bytes of a reply that a client has to read in each `write_timeout_s`, at least."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Bytes of a header block, and seconds to wait for one and for a client that does not read."""

    header_bytes: int
    header_timeout_s: float
    write_timeout_s: float


def limited_protocol(settings: Settings) -> type[HttpToolsProtocol]:
    """The protocol class of a server with these settings."""

    class Limited(LimitedProtocol):
        limits = ConnectionLimits(
            header_bytes=settings.http_max_header_bytes,
            header_timeout_s=settings.http_header_timeout_s,
            write_timeout_s=settings.http_write_timeout_s,
        )

    return Limited


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits."""

    limits: ClassVar[ConnectionLimits]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.parser: Any = RequestParser(self)
        self._unparsed = 0
        self._running: RequestResponseCycle | None = None
        self._in_message = False
        self._in_headers = False
        self._refused = False
        self._client_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request."""
        super().connection_made(transport)
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None and raw.family == socket.AF_UNIX:
            self.client = ("127.0.0.1", 0)  # a caller on this machine, as over loopback
            peer = peer_user(raw)
            if peer not in {None, 0, os.geteuid()}:
                log.warning("connection.foreign_user", user=peer)
                transport.abort()
                return
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers and mark the running request as disconnected; uvicorn marks the newest one, which may still be queued."""
        self._expect_nothing()
        self._stop_write_timer()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse input up to the buffer limit; more is refused with 431."""
        while data and not self._refused and not self.transport.is_closing():
            room = self.limits.header_bytes - self._unparsed
            piece, data = data[:room], data[room:]
            self._unparsed += len(piece)
            super().data_received(piece)
            if self._unparsed >= self.limits.header_bytes:
                self._refuse(HeadersTooLarge(self.limits.header_bytes))
        self._watch()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_message = self._in_headers = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. A trailer is none: what checks or sets headers in front of memd has not seen it."""
        if self._in_headers:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the request, unless too many wait on this connection already; the parser turns the error into a 400."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError("too many pipelined requests")
        self._in_headers = False
        self._unparsed = 0
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        """The reader of a body bounds its size."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has arrived as a whole."""
        self._in_message = False
        self._unparsed = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The unread rest of a body has to arrive in time too."""
        super().on_response_complete()
        if self._refused and self._is_answered():
            self.close_soon()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP, in the form of the contract."""
        self._refuse(BadRequest(msg.rstrip(".")))

    def pause_writing(self) -> None:
        """The client does not read as fast as memd writes."""
        super().pause_writing()
        if self._write_timer is None:
            self._start_write_timer()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._stop_write_timer()
        super().resume_writing()

    def _watch(self) -> None:
        """Run the deadline while memd waits for the rest of something, and not while it works on a reply."""
        if self._refused or self.transport.is_closing():
            return
        if self._in_headers or (self._in_message and self._is_answered()):
            self._expect()
            return
        self._expect_nothing()
        if self._is_answered() and not self._in_message and self.timeout_keep_alive_task is None and self.cycle:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _is_answered(self) -> bool:
        return not self.cycle or self.cycle.response_complete

    def _expect(self) -> None:
        if self._client_timer is None:
            self._client_timer = self.loop.call_later(self.limits.header_timeout_s, self._client_is_late)

    def _expect_nothing(self) -> None:
        if self._client_timer is not None:
            self._client_timer.cancel()
            self._client_timer = None

    def _client_is_late(self) -> None:
        self._client_timer = None
        if self.transport.is_closing():
            return
        if not self._is_answered():
            self._expect()
        elif self._in_headers:
            self._refuse(RequestTimeout("The header did not arrive in time"))
        else:
            self.transport.close()

    def _refuse(self, error: MemdError) -> None:
        """Answer with an error and close; where requests with whole bodies run, their replies are the last ones."""
        if self._refused:
            return
        self._refused = True
        self._expect_nothing()
        log.info("connection.refused", status=error.status, address=self.client[0] if self.client else None)
        cycle = self.cycle
        broken = cycle and self._in_message and not (self._in_headers or self.pipeline or cycle.response_started)
        if cycle and broken:  # the request is waiting for the rest of a malformed body
            cycle.disconnected = True
            cycle.message_event.set()
        if broken or self._is_answered():
            self.cycle = self._refusal(error)
            self._start_asgi_task(self.cycle, self.app)

    def _refusal(self, error: MemdError) -> RequestResponseCycle:
        """An ASGI application that answers a request which could not be read."""
        scope: Any = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": "GET",
            "root_path": "",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [],
            REFUSAL: error,
        }
        lingering: Any = _Lingering(self)
        return RequestResponseCycle(
            scope=scope,
            transport=lingering,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=False,
            on_response=lambda: None,
        )

    def close_soon(self) -> None:
        """End the reply, discard further input for a short time, then close."""
        if self.transport.is_closing():
            return
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._client_timer = self.loop.call_later(LINGER_S, self.transport.close)

    def _start_write_timer(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        self._write_timer = self.loop.call_later(self.limits.write_timeout_s, self._reader_is_late, unsent)

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _reader_is_late(self, unsent: int) -> None:
        """Disconnect a client that has read less than the minimum since the timer started."""
        if unsent - self.transport.get_write_buffer_size() < SLOWEST_READ:
            log.info("connection.reader_stalled", address=self.client[0] if self.client else None)
            self._write_timer = None
            self._reset()
        else:
            self._start_write_timer()

    def _reset(self) -> None:
        """Close without waiting for the client to read the bytes that the kernel has buffered."""
        raw: socket.socket | None = self.transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


class _Lingering:
    """The transport as a refusal sees it: closing it lets the client read the reply first."""

    def __init__(self, protocol: LimitedProtocol) -> None:
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        self._protocol.transport.write(data)

    def is_closing(self) -> bool:
        return self._protocol.transport.is_closing()

    def close(self) -> None:
        self._protocol.close_soon()
