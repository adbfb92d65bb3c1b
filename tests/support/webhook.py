"""A webhook on loopback: records what it gets and answers with scripted statuses; the last one stays."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Delivered(NamedTuple):
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


class Webhook(ThreadingHTTPServer):
    """`requests` are those that came, in order."""

    daemon_threads = True

    def __init__(self, statuses: tuple[int, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = [*statuses]
        self.requests: list[Delivered] = []

    @property
    def port(self) -> int:
        return self.server_address[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


class _Handler(BaseHTTPRequestHandler):
    server: Webhook  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(Delivered(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        del format, args


@contextmanager
def webhook(*statuses: int) -> Generator[Webhook]:
    """Serve while the block lasts; the address takes part in nothing else."""
    server = Webhook(statuses or (200,))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
