"""Who may call what at /mcp, what it costs, and how refusals look (contract 1.3–1.6, 14.4, 14.6)."""

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp
from structlog.testing import capture_logs

from memd.access.http.envelope import Envelope
from memd.access.steps import identify
from memd.app import build
from memd.context import Services
from memd.domain.types import KeyScope, Tier
from memd.errors import RateLimitExceeded
from tests.support.limits import another, client, numbers
from tests.support.mcp import call, post
from tests.support.service import BASE, MakeUser, TestUser

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"
RECALL = {"name": "recall", "arguments": {"query": "anything"}}


@pytest.mark.parametrize("header", [None, "Bearer nonsense", f"Bearer {'0' * 64}", f"Bearer {TOKEN}"])
async def test_without_a_live_key_there_is_no_answer(app: ASGIApp, header: str | None) -> None:
    headers = {"Authorization": header} if header else {}
    transport = httpx.ASGITransport(app, client=("203.0.113.9", 1))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
        reply = await http.post("/mcp", json=PING)
    assert (reply.status_code, reply.json()) == (401, {"error": "Unauthorized"})
    assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("method", ["ping", "tools/list", "initialize"])
async def test_the_protocol_itself_costs_nothing(make_user: MakeUser, method: str) -> None:
    user = await make_user(tier=Tier.FREE)
    assert numbers(await post(user.http, method)) == (100, 100)


@pytest.mark.parametrize(
    ("tool", "arguments", "cost"),
    [
        ("recall", {"query": "x"}, 10),
        ("capture", {"title": "x", "content": "y"}, 5),
        ("stats", {}, 1),
        ("preflight", {"action": "deploy"}, 10),
        ("create_knowledge_base", {"name": "x"}, 5),
        ("import_knowledge", {"knowledgeBaseName": "new", "text": "x", "title": "y"}, 5),
        ("get_memory", {"memoryId": f"mem_{'0' * 26}"}, 1),
        ("recall", {"query": 5}, 10),
        ("no_such_tool", {}, 0),
        ("recall", {}, 0),
    ],
)
async def test_a_call_costs_what_its_endpoint_costs(
    make_user: MakeUser, tool: str, arguments: dict[str, Any], cost: int
) -> None:
    user = await make_user(tier=Tier.FREE)
    reply = await post(user.http, "tools/call", {"name": tool, "arguments": arguments})
    assert numbers(reply) == (100, 100 - cost)


async def test_an_empty_pool_is_reported_as_a_failure_of_the_tool(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    for _ in range(10):
        await post(user.http, "tools/call", RECALL)
    reply = await post(user.http, "tools/call", RECALL)
    result = reply.json()["result"]
    assert (reply.status_code, result["isError"]) == (200, True)
    assert result["content"] == [{"type": "text", "text": "Error: Rate limit exceeded"}]
    assert result["structuredContent"]["status"] == 429
    assert result["structuredContent"]["retryAfterMs"] > 0
    assert int(reply.headers["retry-after"]) >= 1
    assert (await post(user.http, "tools/list")).status_code == 200


async def test_a_key_needs_the_scope_of_the_tool(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE, scopes=(KeyScope.READ,))
    reply = await post(user.http, "tools/call", {"name": "capture", "arguments": {"title": "x", "content": "y"}})
    assert reply.json()["result"]["structuredContent"] == {"error": "Forbidden", "status": 403}
    assert numbers(reply) == (100, 100)
    assert (await call(user.http, "stats"))["isError"] is False


async def test_a_key_that_may_not_read_is_refused(make_user: MakeUser) -> None:
    user = await make_user(scopes=(KeyScope.WRITE,))
    reply = await user.http.post("/mcp", json=PING)
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})


async def test_who_finds_no_place_is_refused_by_the_tool(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        principal = (await identify(other, Envelope("192.0.2.1"), {"authorization": f"Bearer {user.key}"})).principal
        async with other.rate_limiter.slot(principal), other.rate_limiter.slot(principal):
            with pytest.raises(RateLimitExceeded):
                async with other.rate_limiter.slot(principal):
                    pass
            reply = await post(http, "tools/call", RECALL)
    result = reply.json()["result"]
    assert result["structuredContent"] == {"error": "Rate limit exceeded", "retryAfterMs": 1000, "status": 429}
    assert reply.headers["retry-after"] == "1"


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("recall", {"query": " "}, "Query must not be empty"),
        ("recall", {"query": "x", "limit": 0}, "limit"),
        ("recall", {"query": "x", "colour": "red"}, "colour"),
        ("recall", {"query": "x\u0000y"}, "query"),
        ("capture", {"title": "x"}, "content"),
        ("preflight", {"action": "no"}, "action"),
        ("why_did_we", {"decision": 7}, "decision"),
        ("empty_knowledge_base", {"knowledgeBaseId": f"kb_{'0' * 26}", "confirm": False}, "confirm"),
        ("query_knowledge_base", {"query": "x"}, "knowledgeBaseId"),
        ("query_knowledge_base", {"query": "x", "knowledgeBaseId": "kb_1"}, "knowledgeBaseId"),
        ("get_memory", {"memoryId": "x"}, "memoryId"),
    ],
)
async def test_bad_arguments_are_named(user: TestUser, tool: str, arguments: dict[str, Any], text: str) -> None:
    result = await call(user.http, tool, **arguments)
    body = result["structuredContent"]
    assert (result["isError"], body["error"], body["status"]) == (True, "Bad request", 400)
    assert text in body["details"]
    assert result["content"] == [{"type": "text", "text": f"Error: Bad request: {body['details']}"}]


async def test_an_error_of_the_endpoint_keeps_its_fields(user: TestUser) -> None:
    memory = {"title": "Once", "content": "Stored only once."}
    first = (await call(user.http, "capture", **memory))["structuredContent"]["id"]
    replacing = {"oldMemoryId": first, "title": "Twice", "content": "Stored anew."}
    second = (await call(user.http, "supersede", **replacing))["structuredContent"]["id"]
    body = (await call(user.http, "supersede", **replacing | {"content": "Once more."}))["structuredContent"]
    assert (body["error"], body["supersededByMemoryId"], body["status"]) == ("Memory already superseded", second, 409)


async def test_null_means_that_an_argument_was_not_sent(user: TestUser) -> None:
    assert (await call(user.http, "recall", query="x", limit=None, channel=None))["isError"] is False


async def test_bodies_have_the_limits_of_http(services: Services, user: TestUser) -> None:
    async with (
        another(services, http_max_body_bytes=4096, http_max_import_bytes=16_384) as (app, _other),
        client(app, user.key) as http,
    ):
        large = "x" * 5000
        refused = await http.post("/mcp", json=PING | {"params": {"x": large}})
        assert (refused.status_code, refused.json()["error"]) == (413, "Request body too large")
        posing = await call(http, "capture", title='"import_knowledge"', content=large, tags=["import_knowledge"])
        assert posing["structuredContent"]["status"] == 413
        imported = await call(http, "import_knowledge", knowledgeBaseName="Big", text=large, title="T")
        assert imported["isError"] is False
        assert (await http.post("/mcp", content=b"x" * 20_000)).status_code == 413


async def test_what_is_too_large_or_no_json_costs_one(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services, http_max_body_bytes=4096) as (app, _other), client(app, user.key) as http:
        assert numbers(await http.post("/mcp", content=b"x" * 5000)) == (100, 99)
        assert numbers(await http.post("/mcp", content=b"{")) == (100, 98)


async def test_large_arguments_reach_the_tool_whole(user: TestUser) -> None:
    chunks = [{"content": f"Part {n}. " + "word " * 400, "metadata": {"title": f"Part {n}"}} for n in range(100)]
    reply = await call(user.http, "import_knowledge", knowledgeBaseName="Large", chunks=chunks)
    assert reply["structuredContent"]["imported"] == 100


async def test_a_failure_inside_is_a_500_that_tells_nothing(services: Services, user: TestUser) -> None:
    unfit: Any = None
    async with client(build(replace(services, policy=unfit)), user.key) as http:
        arguments = {"title": "x", "content": "a text that no policy can be asked about"}
        with capture_logs() as logs:
            reply = await post(http, "tools/call", {"name": "capture", "arguments": arguments})
    assert [entry["tool"] for entry in logs if entry["event"] == "mcp.tool_failed"] == ["capture"]
    assert reply.json()["result"]["structuredContent"] == {
        "error": "Internal server error",
        "requestId": reply.headers["x-request-id"],
        "status": 500,
    }
    assert "NoneType" not in reply.text


async def test_a_hundred_calls_of_two_tenants_never_cross(make_user: MakeUser) -> None:
    users = [await make_user(), await make_user()]
    for number, user in enumerate(users):
        for topic in range(5):
            text = f"Tenant {number} keeps topic {topic} in drawer {number}{topic}."
            await call(user.http, "capture", title=f"Topic {topic}", content=text, store="semantic")

    async def ask(number: int, topic: int) -> None:
        result = await call(users[number].http, "recall", query=f"where is topic {topic}", compact=False)
        contents = [row["text"] for row in result["structuredContent"]["memories"]]
        assert contents
        assert all(content.startswith(f"Tenant {number} ") for content in contents)
        assert f"Tenant {1 - number}" not in str(result)

    await asyncio.gather(*(ask(number % 2, number % 5) for number in range(100)))
