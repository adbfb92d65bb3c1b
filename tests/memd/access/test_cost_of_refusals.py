"""A refused request costs memd little, whatever its body holds (contract 1.3, 2.2)."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import structlog
from pydantic import ValidationError

from memctl.wire.limits import MESSAGE_READ_MAX
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import LogRequest, TurnRequest
from memctl.wire.recall import RecallRequest
from memctl.wire.sessions import CheckpointRequest
from memd import off_loop
from memd.access import steps
from memd.access.rate_limits.rate_limiter import WINDOW_MS
from memd.access.request.json_size import MAX_FIELD_VALUES
from memd.context import Services
from memd.domain.types import Tier
from memd.off_loop import FairThread
from tests.support.limits import another, client
from tests.support.service import MakeUser, TestUser
from tests.support.wire import make_base

MANY = 20_000


@pytest.mark.parametrize(
    ("model", "body"),
    [
        (CheckpointRequest, {"label": "b", "memoryIds": [1] * MANY}),
        (CheckpointRequest, {"label": "b", "tags": [[]] * MANY}),
        (CaptureRequest, {"title": "t", "content": "c", "tags": [1] * MANY}),
        (RecallRequest, {"query": "q", "stores": ["x"] * MANY}),
    ],
)
def test_a_list_of_wrong_items_is_one_error(model: Any, body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        model.from_body(body)
    assert refused.value.error_count() == 1


def test_invisible_characters_without_end_are_not_looked_through() -> None:
    with pytest.raises(ValidationError) as refused:
        CaptureRequest.from_body({"title": "t", "content": "\u200b" * 1_000_000})
    assert [error["type"] for error in refused.value.errors()] == ["string_too_long"]


@pytest.mark.parametrize(
    ("model", "body", "field"),
    [
        (LogRequest, {}, "content"),
        (TurnRequest, {"turnId": "t", "sessionKey": "s", "channel": "c"}, "assistantMessage"),
    ],
)
def test_a_message_that_begins_with_invisible_characters_without_end_is_blank(
    model: Any, body: dict[str, Any], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        model.from_body(body | {field: "\u200b" * MESSAGE_READ_MAX + "last"})
    assert [(error["type"], error["loc"]) for error in refused.value.errors()] == [("missing_field", (field,))]


@pytest.mark.parametrize("tool", [None, "capture"])
async def test_the_fields_of_a_large_body_are_not_checked_on_the_event_loop(
    user: TestUser, monkeypatch: pytest.MonkeyPatch, tool: str | None
) -> None:
    threads, parse = list[threading.Thread](), steps.parse_model

    def recorded(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return parse(*arguments)

    monkeypatch.setattr(steps, "parse_model", recorded)
    body = {"title": "t", "content": "\u0e01\u200b" * 30_000}
    if tool:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": body}}
        assert (await user.http.post("/mcp", json=call)).json()["result"]["isError"] is True
    else:
        assert (await user.http.post("/api/mcp/capture", json=body)).status_code == 400
    assert threads
    assert threading.current_thread() not in threads


@pytest.mark.parametrize(
    "body",
    [
        {"text": "Red. " * 100_000, "title": "t"},
        {"text": ("\U0001f534" * 20 + " ") * 3_000, "title": "t", "delimiter": " "},
        {"chunks": [{"content": "Red. " * 10_000, "metadata": {"title": "t"}}] * 5 + [{"content": "Blue."}]},
    ],
)
async def test_the_fields_of_large_bodies_are_read_one_at_a_time(
    make_user: MakeUser, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any]
) -> None:
    """What is refused only after that costs nothing, so that it may be sent again and again."""
    user = await make_user(tier=Tier.FREE)
    base = await make_base(user)
    pieces, run = list[object](), FairThread.run

    async def recorded(thread: FairThread, work: Callable[[], object]) -> object:
        pieces.append(work)
        return await run(thread, work)

    monkeypatch.setattr(off_loop, "LARGE_BYTES", 200_000)
    monkeypatch.setattr(FairThread, "run", recorded)
    fields = body | {"chunkSize": 200} if "text" in body else body
    reply = await user.http.post(f"/api/knowledge-bases/{base}/import", json=fields)
    assert reply.status_code == (429 if "text" in body else 400)
    assert len(pieces) == 2, "parsed, its fields read"


async def test_a_body_without_chunks_has_fewer_values(user: TestUser) -> None:
    fields = {f"k{number}": 1 for number in range(MAX_FIELD_VALUES + 1)}
    reply = await user.http.post("/api/mcp/log", json=fields | {"content": "x"})
    assert (reply.status_code, reply.json()["details"]) == (400, "Invalid JSON: more than 100,000 values")
    assert (await user.http.post("/mcp", json=fields)).status_code == 400


@pytest.mark.parametrize("path", ["/api/mcp/log", "/mcp"])
async def test_without_credits_a_large_body_is_not_parsed(make_user: MakeUser, services: Services, path: str) -> None:
    user = await make_user(tier=Tier.FREE)
    limit = (await user.http.get("/api/mcp/auth")).headers["X-RateLimit-Limit"]
    await services.rate_limiter.ledgers.ledger("user", WINDOW_MS).take(str(user.id), int(limit), int(limit), 1)
    broken = b"{" + b" " * 300_000
    refused = await user.http.post(path, content=broken, headers={"Content-Type": "application/json"})
    assert refused.status_code == 429


async def test_a_host_is_not_logged_at_any_length(services: Services) -> None:
    async with another(services) as (app, _), client(app, None) as visitor:
        with structlog.testing.capture_logs() as log:
            assert (await visitor.get("/api/mcp/auth", headers={"Host": "h" * 5000})).status_code == 403
    (line,) = [entry for entry in log if entry["event"] == "host.refused"]
    assert len(line["host"]) == 255


@pytest.mark.parametrize(
    ("method", "path", "headers", "event"),
    [
        ("GET", "/api/mcp/auth", {"Host": "evil.example"}, "host.refused"),
        ("POST", "/mcp", {"Origin": "http://evil.example"}, "mcp.host_refused"),
    ],
)
async def test_refused_hosts_and_origins_fill_no_log(
    services: Services, method: str, path: str, headers: dict[str, str], event: str
) -> None:
    async with another(services) as (app, _), client(app, None) as visitor:
        with structlog.testing.capture_logs() as log:
            replies = [await visitor.request(method, path, headers=headers) for _ in range(20)]
    assert {reply.status_code for reply in replies} == {403}
    assert len([entry for entry in log if entry["event"] == event]) == 1
