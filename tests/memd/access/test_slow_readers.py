"""A client that reads its reply slowly holds its slot until the last byte (contract 1.7): a real process and raw sockets."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.daemon import Daemon, fast_daemon
from tests.support.raw import PATIENCE_S, connect, head

MESSAGES, CHARACTERS = 20, 99_000
"""Of four bytes each, four times in the reply: more than any buffer of the system takes."""
PLACES = 2
"""Of a user of the free tier at once."""
RECENT = b'{"channel": "c"}'


@pytest.fixture(scope="module")
def daemon(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    with fast_daemon(enterable_folder / "slow-readers", started_once) as served:
        served.environment |= {"MEMD_LIMITS_QUEUE_WAIT_S": "0.2"}
        served.arguments = ("--workers-off",)
        yield served.start()


@pytest.fixture(scope="module")
def key(daemon: Daemon) -> str:
    """The key of a user of the free tier with long messages."""
    with daemon.http() as admin:
        made = str(admin.post("/api/admin/users", json={"name": "slow", "tier": "free"}).json()["apiKey"])
    with httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {made}"}, timeout=60) as http:
        for number in range(MESSAGES):
            message = {"role": "user", "content": f"{number}" + "\U0001f600" * CHARACTERS, "channel": "c"}
            assert http.post("/api/mcp/log", json=message).status_code == 200
    return made


def ask(daemon: Daemon, key: str) -> socket.socket:
    """A connection on which a long reply has begun, of which hardly anything is read."""
    raw = connect(daemon.url, receive_buffer=4096)
    raw.sendall(head("POST", "/api/mcp/recent-messages", key, Content_Length=str(len(RECENT))) + RECENT)
    assert raw.recv(64).startswith(b"HTTP/1.1 200")
    return raw


def test_a_place_is_held_until_the_client_has_read_the_reply(daemon: Daemon, key: str) -> None:
    with httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        with ExitStack() as reading:
            for _ in range(PLACES):
                reading.enter_context(ask(daemon, key))
            assert http.get("/api/mcp/auth").status_code == 429
        statuses: list[int] = []
        end = time.monotonic() + PATIENCE_S
        while statuses[-1:] != [200] and time.monotonic() < end:
            statuses.append(http.get("/api/mcp/auth").status_code)
        assert statuses[-1] == 200


def test_a_long_reply_arrives_as_a_whole(daemon: Daemon, key: str) -> None:
    with httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        reply = http.post("/api/mcp/recent-messages", content=RECENT)
    assert len(reply.content) > MESSAGES * CHARACTERS * 16
    assert len(reply.json()["messages"]) == MESSAGES
