"""Webhooks on loopback: one records what it gets and answers with scripted statuses, another never answers."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import NamedTuple

from tests.support.loopback import LoopbackHandler, LoopbackServer, answering


class Delivered(NamedTuple):
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


class Webhook(LoopbackServer):
    """`requests` are those that came, in order."""

    def __init__(self, statuses: tuple[int, ...]) -> None:
        super().__init__(_Handler)
        self.statuses = [*statuses]
        self.requests: list[Delivered] = []

    @property
    def url(self) -> str:
        return f"{self.address}/hook"


class _Handler(LoopbackHandler):
    server: Webhook  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        body = self.body()
        self.server.requests.append(Delivered(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        statuses = self.server.statuses
        self.reply(statuses.pop(0) if len(statuses) > 1 else statuses[0], Location=f"{self.server.url}/elsewhere")


def webhook(*statuses: int) -> AbstractContextManager[Webhook]:
    """Serve while the block lasts; the address takes part in nothing else."""
    return answering(Webhook(statuses or (200,)))


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
