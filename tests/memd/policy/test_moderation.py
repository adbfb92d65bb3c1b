"""Contract 12: the optional external moderation endpoint; on failure the local rules decide.

The endpoint is a real server on the loopback that also fails, dawdles and talks nonsense.
"""

import asyncio
import contextlib
import json

import httpx
import pytest
from structlog.testing import capture_logs

from memd.cooldown import FAILURES
from memd.domain.policy.content_policy import Block
from memd.domain.types import BlockReason
from memd.policy.moderation import Moderator


class Endpoint:
    """Answers every request with the next prepared bytes, the last one for ever; remembers what it was asked."""

    def __init__(self):
        self.answers = []
        self.requests = []
        self.talking = asyncio.Event()
        self.talking.set()
        self.connections = []
        self.url = ""

    def answer(self, body, status=200):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
        self.answers.append(head.encode() + text)

    async def serve(self, reader, writer):
        self.connections.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.split("content-length: ")[1].split("\r\n")[0])
            self.requests.append((head, json.loads(await reader.readexactly(length))))
            await self.talking.wait()
            writer.write(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
            await writer.drain()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@pytest.fixture
async def endpoint():
    endpoint = Endpoint()
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    endpoint.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/moderations"
    yield endpoint
    endpoint.talking.set()
    await asyncio.gather(*endpoint.connections)
    server.close()
    await server.wait_closed()


@pytest.fixture
async def client():
    async with httpx.AsyncClient(trust_env=False) as client:
        yield client


def flagged(**categories):
    return {"id": "modr-1", "results": [{"flagged": True, "categories": categories}]}


CLEAN = {"results": [{"flagged": False, "categories": {"violence": False}}]}


async def test_the_text_is_sent_in_the_usual_form(endpoint, client):
    endpoint.answer(CLEAN)
    moderator = Moderator(client, endpoint.url, api_key="k-1", model="omni")
    assert await moderator.moderate("Title", "Content") is None
    [(head, body)] = endpoint.requests
    assert head.startswith("post /moderations ")
    assert "authorization: bearer k-1" in head
    assert body == {"input": "Title\n\nContent", "model": "omni"}


async def test_without_key_and_model_only_the_input_is_sent(endpoint, client):
    endpoint.answer(CLEAN)
    await Moderator(client, endpoint.url).moderate("Title", "Content")
    [(head, body)] = endpoint.requests
    assert "authorization" not in head
    assert body == {"input": "Title\n\nContent"}


@pytest.mark.parametrize(
    ("categories", "reason"),
    [
        ({"hate": False, "violence": True}, BlockReason.VIOLENT_CONTENT),
        ({"violence/graphic": True}, BlockReason.VIOLENT_CONTENT),
        ({"self-harm/instructions": True}, BlockReason.VIOLENT_CONTENT),
        ({"harassment/threatening": True}, BlockReason.VIOLENT_CONTENT),
        ({"illicit": True, "violence": True}, BlockReason.ILLEGAL_ACTIVITY),
        ({"sexual/minors": True}, BlockReason.ILLEGAL_ACTIVITY),
        ({"pii": True}, BlockReason.PERSONAL_INFO_EXPOSURE),
        ({"Privacy": True}, BlockReason.PERSONAL_INFO_EXPOSURE),
        ({"intellectual_property": True}, BlockReason.COPYRIGHT_VIOLATION),
        ({"something_new": True}, BlockReason.ILLEGAL_ACTIVITY),
        ({"violence": False}, BlockReason.ILLEGAL_ACTIVITY),
        ({}, BlockReason.ILLEGAL_ACTIVITY),
    ],
)
async def test_categories_become_one_of_four_reasons(endpoint, client, categories, reason):
    endpoint.answer(flagged(**categories))
    assert await Moderator(client, endpoint.url).moderate("t", "c") == Block(reason, "moderation")


@pytest.mark.rule("12 moderation endpoint")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (flagged(violence=True), 500),
        (flagged(violence=True), 429),
        (flagged(violence=True), 302),
        (b"<html>busy</html>", 200),
        (b"[" * 100_000, 200),
        (b"", 200),
        (b"\xff\xfe{", 200),
        ([], 200),
        ({"results": []}, 200),
        ({"results": "flagged"}, 200),
        ({"results": [{"flagged": "yes", "categories": {}}]}, 200),
        ({"results": [{"flagged": True, "categories": ["violence"]}]}, 200),
        ({"results": [{"categories": {"violence": True}}]}, 200),
    ],
)
async def test_failures_and_garbage_leave_the_decision_to_the_local_rules(endpoint, client, body, status):
    endpoint.answer(body, status)
    with capture_logs() as logs:
        assert await Moderator(client, endpoint.url).moderate("t", "the wifi password: blue-Tiger-42") is None
    assert [entry["event"] for entry in logs] == ["policy.moderation_failed"]
    assert "Tiger" not in repr(logs)


async def test_not_http_at_all_counts_as_a_failure(endpoint, client):
    endpoint.answers.append(b"220 mail.example ESMTP\r\n")
    assert await Moderator(client, endpoint.url).moderate("t", "c") is None


@pytest.mark.rule("12 moderation endpoint")
async def test_a_slow_endpoint_is_not_waited_for(endpoint, client):
    endpoint.answer(flagged(violence=True))
    endpoint.talking.clear()
    moderator = Moderator(client, endpoint.url, timeout_seconds=0.05)
    with capture_logs() as logs:
        assert await moderator.moderate("t", "c") is None
    assert len(logs) == 1


@pytest.mark.rule("12 moderation endpoint")
async def test_the_endpoint_has_three_seconds(endpoint, client, monkeypatch):
    given = []
    limited = asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", lambda seconds: given.append(seconds) or limited(seconds))
    endpoint.answer(CLEAN)
    await Moderator(client, endpoint.url).moderate("t", "c")
    assert given[0] == 3


async def test_nobody_listening_counts_as_a_failure(client):
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    assert await Moderator(client, f"http://127.0.0.1:{port}/").moderate("t", "c") is None


async def test_a_broken_endpoint_is_left_alone_for_a_while(endpoint, client):
    endpoint.answer(b"", 500)
    moderator = Moderator(client, endpoint.url, cooldown_s=600)
    for _ in range(FAILURES + 4):
        assert await moderator.moderate("t", "c") is None
    assert len(endpoint.requests) == FAILURES


async def test_after_the_rest_the_endpoint_is_asked_again(endpoint, client):
    for _ in range(FAILURES):
        endpoint.answer(b"", 500)
    endpoint.answer(flagged(violence=True))
    moderator = Moderator(client, endpoint.url, cooldown_s=0)
    for _ in range(FAILURES):
        assert await moderator.moderate("t", "c") is None
    assert await moderator.moderate("t", "c") == Block(BlockReason.VIOLENT_CONTENT, "moderation")


async def test_a_success_between_failures_keeps_the_endpoint_in_use(endpoint, client):
    for status in (500, 500, 200, 500, 500, 200):
        endpoint.answer(CLEAN if status == 200 else b"", status)
    moderator = Moderator(client, endpoint.url, cooldown_s=600)
    for _ in range(6):
        await moderator.moderate("t", "c")
    assert len(endpoint.requests) == 6
