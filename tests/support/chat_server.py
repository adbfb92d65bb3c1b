"""A small OpenAI-compatible chat server on the loopback address that answers as it is told: well, badly, late, never."""

import contextlib
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


class ChatServer(ThreadingHTTPServer):
    """Records what it was asked; `answers` are taken one by one, the last one stays."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[dict[str, str], Json]] = []
        self.answers: list[Callable[[_Handler], None]] = []
        self.open = threading.Event()
        """A silent server answers nobody before this is set."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def bodies(self) -> list[Json]:
        return [body for _, body in self.requests]


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer  # pyrefly: ignore[bad-override-mutable-attribute]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((dict(self.headers.items()), body))
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        answer(self)

    def reply(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        del format, args


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
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.open.set()
        server.shutdown()
        server.server_close()
        thread.join()
