"""A small OpenAI-compatible chat server on the loopback address that answers as it is told: well, badly, late, never."""

import contextlib
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from tests.support.loopback import LoopbackHandler, LoopbackServer, answering

Json = dict[str, Any]


class ChatServer(LoopbackServer):
    """Records what it was asked; `answers` are taken one by one, the last one stays."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[tuple[dict[str, str], Json]] = []
        self.answers: list[Callable[[_Handler], None]] = []
        self.open = threading.Event()
        """A silent server answers nobody before this is set."""

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    @property
    def bodies(self) -> list[Json]:
        return [body for _, body in self.requests]


class _Handler(LoopbackHandler):
    server: ChatServer  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        body = json.loads(self.body())
        self.server.requests.append((dict(self.headers.items()), body))
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        answer(self)


Answer = Callable[[_Handler], None]


def says(value: Any) -> Answer:
    """The model says this, as JSON unless it is a text."""
    text = value if isinstance(value, str) else json.dumps(value)
    body = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    return lambda handler: handler.reply(200, json.dumps(body).encode())


def fails(status: int, **headers: str) -> Answer:
    """The server refuses."""
    return lambda handler: handler.reply(status, b'{"error": {"message": "no"}}', **headers)


def sends(content: bytes) -> Answer:
    """The server sends these bytes as its reply."""
    return lambda handler: handler.reply(200, content)


def hangs_up(handler: _Handler) -> None:
    """The server ends the connection without a word."""
    handler.close_connection = True
    handler.connection.close()


def is_silent(handler: _Handler) -> None:
    """The server says nothing for as long as the test lasts."""
    handler.server.open.wait(30)


def is_slow(handler: _Handler) -> None:
    """The server speaks without end, a blank at a time, so that no single wait is long."""
    handler.send_response(200)
    handler.end_headers()
    with contextlib.suppress(OSError):
        while not handler.server.open.wait(0.01):
            handler.wfile.write(b" ")


@contextmanager
def chat_server(*answers: Answer) -> Generator[ChatServer]:
    """A running server with these answers."""
    server = ChatServer()
    server.answers = list(answers)
    with answering(server):
        try:
            yield server
        finally:
            server.open.set()
