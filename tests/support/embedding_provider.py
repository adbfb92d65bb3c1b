"""An OpenAI-compatible embedding server on the loopback address, which can fall silent."""

import json
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from tests.support.loopback import LoopbackHandler, LoopbackServer, answering

KEY = "sk-never-to-be-seen"


class Provider(LoopbackServer):
    """An OpenAI-compatible embedding server: vector of a text = [its length, 1, 0]; answers backwards, as it may."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.statuses: list[int] = []
        """Answers of this status come first, one each."""
        self.body: bytes | None = None
        """An answer instead of the right one."""
        self.talking = threading.Event()
        self.talking.set()
        self.retry_after: str | None = None
        self.longest: int | None = None
        """A request with a longer text gets 413."""

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def texts(self) -> list[list[str]]:
        return [body["input"] for _, _, body in self.requests]


class _Handler(LoopbackHandler):
    server: Provider  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        body = json.loads(self.body())
        self.server.requests.append((self.path, dict(self.headers.items()), body))
        self.server.talking.wait()
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if self.server.longest is not None and any(len(text) > self.server.longest for text in body["input"]):
            status = 413
        rows = [{"index": i, "embedding": [len(text), 1, 0]} for i, text in enumerate(body["input"])]
        answer = json.dumps({"object": "list", "data": rows[::-1], "model": body["model"]}).encode()
        if status != 200:
            answer = json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()
        elif self.server.body is not None:
            answer = self.server.body
        headers = {} if self.server.retry_after is None else {"Retry_After": self.server.retry_after}
        with suppress(BrokenPipeError):  # the client has given up
            self.reply(status, answer, **headers)


@contextmanager
def providing() -> Generator[Provider]:
    """A provider that answers until the end of the block."""
    with answering(Provider()) as server:
        yield server
        server.talking.set()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with providing() as server:
        yield server
