"""The client against a small service of the contract's shapes: requests, errors, credits."""

import asyncio
import json
import time
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from memctl.client import MemdClient, errors, sending
from memctl.client.transport import OPERATION_SECONDS
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest, PatchKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.recall import RecallRequest
from tests.memctl.client.answering import always, client_of
from tests.support.loopback import free_port

CAPTURED = {"ok": True, "id": "mem_1", "createdAt": 1, "embedding": [], "newField": {}}
REQUEST = CaptureRequest(title="t", content="c")
KB = "kb_0" + "1" * 25


async def test_a_request_carries_the_key_and_only_what_was_set() -> None:
    seen: dict[str, Any] = {}

    async def answer(request: Request) -> Response:
        seen.update(authorization=request.headers["authorization"], body=json.loads(await request.body()))
        return JSONResponse(CAPTURED)

    async with client_of(answer, "k\n") as client:  # as it is read from a file
        reply = await client.memories.capture(REQUEST)
    assert reply.id == "mem_1"
    assert seen == {"authorization": "Bearer k", "body": {"title": "t", "content": "c"}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "text"),
    [
        (400, {"error": "Bad request", "details": "d"}, errors.Invalid, "Bad request: d"),
        (401, {"error": "Unauthorized"}, errors.Unauthorized, "Unauthorized"),
        (403, {"error": "Forbidden"}, errors.Forbidden, "Forbidden"),
        (
            403,
            {"error": "Storage limit reached", "limit": 500, "resource": "memories"},
            errors.StorageLimitReached,
            "Storage limit reached",
        ),
        (404, {"error": "Memory not found"}, errors.MemoryNotFound, "Memory not found"),
        (404, {"error": "Knowledge base not found"}, errors.KnowledgeBaseNotFound, "Knowledge base not found"),
        (404, {"error": "Not found"}, errors.NotFound, "Not found"),
        (405, {"error": "Method not allowed"}, errors.MethodNotAllowed, "Method not allowed"),
        (408, {"error": "Request timeout"}, errors.RequestTimeout, "Request timeout"),
        (409, {"error": "Duplicate memory", "existingMemoryId": "mem_2"}, errors.DuplicateMemory, "Duplicate memory"),
        (409, {"error": "Memory already superseded"}, errors.AlreadySuperseded, "Memory already superseded"),
        (409, {"error": "Knowledge base is archived"}, errors.KnowledgeBaseArchived, "Knowledge base is archived"),
        (409, {"error": "Last admin key"}, errors.Conflict, "Last admin key"),
        (413, {"error": "Import batch too large"}, errors.ImportTooLarge, "Import batch too large"),
        (413, {"error": "Request body too large", "details": "d"}, errors.TooLarge, "Request body too large: d"),
        (429, {"error": "Rate limit exceeded", "retryAfterMs": 1500}, errors.RateLimited, "Rate limit exceeded"),
        (429, {"error": "Embedding daily cap exceeded"}, errors.EmbeddingCapExceeded, "Embedding daily cap exceeded"),
        (431, {"error": "Request header fields too large"}, errors.HeadersTooLarge, "Request header fields too large"),
        (503, {"error": "Embedding service timeout"}, errors.EmbeddingTimeout, "Embedding service timeout"),
        (500, {"error": "Internal server error", "requestId": "req_1"}, errors.ServerError, "Internal server error"),
        (503, {"error": "Server busy", "retryAfterMs": 2000}, errors.ServerBusy, "Server busy"),
    ],
)
async def test_every_error_status_has_its_exception(
    status: int, body: dict[str, Any], kind: type[errors.ApiError], text: str
) -> None:
    async with always(body, status) as client:
        with pytest.raises(kind) as caught:
            await client.memories.capture(REQUEST)
    assert type(caught.value) is kind
    assert (str(caught.value), caught.value.status) == (text, status)


async def test_a_refusal_says_how_long_to_wait() -> None:
    async with always({"error": "Rate limit exceeded", "retryAfterMs": 1500}, 429) as client:
        with pytest.raises(errors.RateLimited) as caught:
            await client.memories.capture(REQUEST)
    assert caught.value.retry_after == 1.5
    assert not caught.value.for_the_day


async def test_the_embedding_cap_holds_for_the_day() -> None:
    body = {"error": "Embedding daily cap exceeded", "code": "embedding_cap_exceeded", "retryAfterMs": 10}
    async with always(body, 429) as client:
        with pytest.raises(errors.RateLimited) as caught:
            await client.memories.capture(REQUEST)
    assert caught.value.for_the_day


async def test_a_failure_names_the_request() -> None:
    async with always({"error": "Internal server error", "requestId": "req_body"}, 500) as client:
        with pytest.raises(errors.ServerError) as caught:
            await client.memories.capture(REQUEST)
    assert caught.value.request_id == "req_body"


async def test_credits_are_read_from_every_answer() -> None:
    headers = {"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "95", "X-RateLimit-Reset": "1700000000"}
    async with always(CAPTURED, headers=headers) as client:
        assert client.credits is None
        await client.memories.capture(REQUEST)
        assert client.credits is not None
        assert (client.credits.limit, client.credits.remaining, client.credits.reset) == (100, 95, 1_700_000_000)


@pytest.mark.parametrize(
    "body",
    [
        PlainTextResponse("<html>"),
        *(JSONResponse({"id": 5}), JSONResponse([1])),
        PlainTextResponse("[" * 100_000),
        PlainTextResponse("{}", headers={"Content-Encoding": "gzip"}),
    ],
    ids=["page", "shape", "list", "depth", "compression"],
)
async def test_an_answer_of_something_else_is_a_protocol_error(body: Response) -> None:
    async def answer(_request: Request) -> Response:
        return body

    async with client_of(answer) as client:
        with pytest.raises(errors.ProtocolError):
            await client.memories.capture(REQUEST)


async def test_a_refused_connection_names_the_address_and_the_command() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    async with MemdClient(url, None) as client:
        with pytest.raises(errors.NotReachable) as caught:
            await client.health.alive()
    assert url in str(caught.value)
    assert "memd serve" in str(caught.value)


async def test_readiness_tells_what_is_missing_instead_of_failing() -> None:
    async with always({"ok": False, "checks": {"migrations": "pending"}}, 503) as client:
        ready = await client.health.ready()
    assert (ready.ok, ready.checks) == (False, {"migrations": "pending"})


async def test_recall_asks_for_debug_in_the_url() -> None:
    seen: list[str] = []

    async def answer(request: Request) -> Response:
        seen.append(request.url.query)
        retrieval = {"requestedLimit": 12, "finalHits": 0}
        return JSONResponse({"memories": [], "retrieval": retrieval, "diagnostics": {"recallIntent": "general"}})

    async with client_of(answer) as client:
        await client.recall(RecallRequest(query="q"))
        await client.recall(RecallRequest(query="q"), debug=True)
    assert seen == ["", "debugRecallOutput=true"]


async def test_flags_of_a_url_are_words() -> None:
    seen: list[str] = []

    async def answer(request: Request) -> Response:
        seen.append(request.url.query)
        return JSONResponse({"knowledgeBases": []})

    async with client_of(answer) as client:
        await client.knowledge_bases.list(ListKnowledgeBasesRequest(include_inactive=True, scope=None))
    assert seen == ["includeInactive=true"]


async def test_a_patch_sends_null_to_clear() -> None:
    seen: list[Any] = []

    async def answer(request: Request) -> Response:
        seen.append(json.loads(await request.body()))
        return JSONResponse({"updated": True, "id": KB, "name": "n", "createdAt": 1, "updatedAt": 2})

    async with client_of(answer) as client:
        await client.knowledge_bases.change(KB, PatchKnowledgeBaseRequest(scope=None, name="n"))
    assert seen == [{"scope": None, "name": "n"}]


async def test_a_reply_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MAX_REPLY_BYTES", 1 << 20)
    sent = 0

    async def endless(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(b"10000\r\n" + b" " * 65_536 + b"\r\n")
                await writer.drain()
                sent += 65_536
        writer.close()

    async with await asyncio.start_server(endless, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        async with MemdClient(f"http://{host}:{port}", "k", retries=0) as client:
            with pytest.raises(errors.ProtocolError, match="more than 1 MiB"):
                await client.memories.capture(REQUEST)
    assert sent < 100 << 20


async def test_a_run_of_more_than_twelve_hours_is_several_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    named = list[str | None]()

    async def answer(request: Request) -> Response:
        named.append(request.headers.get("X-Operation-Id"))
        return JSONResponse(CAPTURED, headers={"X-Request-Id": f"req_{len(named)}"})

    async with client_of(answer) as client:
        client.begin_operation()
        for seconds in (0.0, 1.0, OPERATION_SECONDS + 1, OPERATION_SECONDS + 2):
            moment = time.monotonic() + seconds
            with monkeypatch.context() as clock:
                clock.setattr("memctl.client.transport.time", SimpleNamespace(monotonic=partial(float, moment)))
                await client.memories.capture(REQUEST)
    assert named == [None, "req_1", None, "req_3"]
