"""Servers of a test on the loopback address, over HTTP; free ports for those that are other programs."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar


def free_port() -> int:
    """A port that no server has."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers GET and POST alike, and logs nothing."""

    def answer(self) -> None:
        """Answer a request."""
        raise NotImplementedError

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def reply(self, status: int, content: bytes = b"", **headers: str) -> None:
        """Send a whole reply; a header is written with `_` for its hyphens."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def body(self) -> bytes:
        """What the request carries."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""


class LoopbackServer(ThreadingHTTPServer):
    """Has a free port; answers each request in a thread of its own."""

    daemon_threads = True

    def __init__(self, handler: type[LoopbackHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def address(self) -> str:
        """The URL without a path."""
        return f"http://127.0.0.1:{self.server_port}"


Server = TypeVar("Server", bound=LoopbackServer)


@contextmanager
def answering(server: Server) -> Generator[Server]:
    """Let it answer for the block."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
