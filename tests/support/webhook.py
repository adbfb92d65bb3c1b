"""Webhooks on loopback: one records what it gets and answers with scripted statuses, another never answers."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
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
    server: Webhook  # pyrefly: ignore[bad-override-mutable-attribute]

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


class SilentWebhook:
    """Reads requests and answers none; `open` counts the connections that a path has open, `most_open` their maximum."""

    def __init__(self) -> None:
        self.port = 0
        self.open: Counter[str] = Counter()
        self.most_open: Counter[str] = Counter()
        self.came: Counter[str] = Counter()
        self._changed = asyncio.Condition()
        self._writers: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hold a connection until the other side closes it."""
        path = (await reader.readline()).split(b" ")[1].decode()
        self.came[path] += 1
        self.open[path] += 1
        self.most_open |= self.open
        async with self._changed:
            self._changed.notify_all()
        self._writers.add(writer)
        while await reader.read(4096):
            pass
        self.open[path] -= 1
        self._writers.remove(writer)
        writer.close()

    def hang_up(self) -> None:
        """Close what is open, as the end of the process would."""
        for writer in self._writers:
            writer.close()

    async def until(self, connections: int) -> None:
        """Wait until this many connections are open; TimeoutError after a minute."""
        async with asyncio.timeout(60), self._changed:
            await self._changed.wait_for(lambda: self.open.total() >= connections)


@asynccontextmanager
async def silent_webhook() -> AsyncGenerator[SilentWebhook]:
    """Serve while the block lasts."""
    silent = SilentWebhook()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    silent.port = server.sockets[0].getsockname()[1]
    try:
        yield silent
    finally:
        server.close()
        silent.hang_up()
