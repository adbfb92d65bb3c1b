"""The answers of POST /mcp to messages of both protocol eras (contract 14.1–14.3)."""

import httpx
import pytest

from tests.support.mcp import HANDSHAKE, MODERN, call, post, post_modern
from tests.support.service import TestUser

LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
JSON = "application/json; charset=utf-8"


def initialize(version: str) -> dict[str, object]:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a client", "version": "1"}}


async def test_a_bare_list_needs_no_initialize(user: TestUser) -> None:
    reply = await post(user.http, "tools/list")
    assert (reply.status_code, reply.headers["content-type"]) == (200, JSON)
    assert len(reply.json()["result"]["tools"]) == 28


async def test_a_bare_call_needs_no_initialize(user: TestUser) -> None:
    assert (await call(user.http, "stats"))["isError"] is False


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26"])
async def test_initialize_agrees_on_every_version_of_its_era(user: TestUser, version: str) -> None:
    reply = await post(user.http, "initialize", initialize(version))
    result = reply.json()["result"]
    assert result["protocolVersion"] == version
    assert result["serverInfo"] == {"name": "memd", "version": "0.8.20"}
    assert [*result["capabilities"]] == ["tools"]
    assert "mcp-session-id" not in reply.headers


async def test_initialize_with_an_unknown_version_offers_the_latest_of_its_era(user: TestUser) -> None:
    reply = await post(user.http, "initialize", initialize("1999-01-01"))
    assert reply.json()["result"]["protocolVersion"] == HANDSHAKE


async def test_ping(user: TestUser) -> None:
    assert (await post(user.http, "ping")).json()["result"] == {}


async def test_discover_names_the_modern_version(user: TestUser) -> None:
    result = (await post_modern(user.http, "server/discover")).json()["result"]
    assert result["supportedVersions"] == [MODERN]
    assert [*result["capabilities"]] == ["tools"]
    assert result["instructions"]
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"] == {"name": "memd", "version": "0.8.20"}


async def test_a_modern_call_is_complete(user: TestUser) -> None:
    result = (await post_modern(user.http, "tools/call", {"name": "stats", "arguments": {}})).json()["result"]
    assert (result["resultType"], result["isError"]) == ("complete", False)


async def test_modern_headers_are_held_against_the_message(user: TestUser) -> None:
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call"}
    reply = await user.http.post("/mcp", json=LIST | {"params": {"_meta": {}}}, headers=headers)
    assert (reply.status_code, reply.json()["id"]) == (400, 7)


async def test_a_version_that_nobody_speaks_is_refused(user: TestUser) -> None:
    reply = await user.http.post("/mcp", json=LIST, headers={"MCP-Protocol-Version": "2031-01-01"})
    assert reply.status_code == 400
    assert "error" in reply.json()


@pytest.mark.parametrize("version", [None, HANDSHAKE, MODERN])
@pytest.mark.parametrize(
    "message",
    [
        {"method": "notifications/initialized"},
        {"method": "notifications/cancelled", "params": {"requestId": 1}},
        {"id": 3, "result": {}},
        {"id": "x", "error": {"code": -32000, "message": "no"}},
    ],
)
async def test_notifications_and_responses_are_accepted_without_a_body(
    user: TestUser, version: str | None, message: dict[str, object]
) -> None:
    headers = {"MCP-Protocol-Version": version} if version else {}
    reply = await user.http.post("/mcp", json={"jsonrpc": "2.0", **message}, headers=headers)
    assert (reply.status_code, reply.content) == (202, b"")


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
@pytest.mark.parametrize("message", [{"jsonrpc": "1.0", "id": 3, "result": {}}, {"jsonrpc": "2.0", "id": 3}])
async def test_what_is_neither_is_refused(user: TestUser, version: str, message: dict[str, object]) -> None:
    reply = await user.http.post("/mcp", json=message, headers={"MCP-Protocol-Version": version})
    assert (reply.status_code, reply.json()["jsonrpc"]) == (400, "2.0")


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "initialize"])
@pytest.mark.parametrize("wrong", [None, {}, [], 1.5, 1.0, True])
async def test_an_id_that_is_neither_text_nor_integer_is_an_invalid_request(
    user: TestUser, method: str, wrong: object
) -> None:
    reply = await user.http.post("/mcp", json={"jsonrpc": "2.0", "id": wrong, "method": method, "params": {}})
    error = {"code": -32600, "message": "Invalid Request: id must be a string or an integer"}
    assert (reply.status_code, reply.json()) == (400, {"jsonrpc": "2.0", "id": None, "error": error})


async def test_a_notification_may_have_an_id_of_null(user: TestUser) -> None:
    message = {"jsonrpc": "2.0", "id": None, "method": "notifications/initialized"}
    assert (await user.http.post("/mcp", json=message)).status_code == 202


@pytest.mark.parametrize("accept", [None, "", "*/*", "application/json", "application/json, text/event-stream"])
async def test_accept_is_tolerated(user: TestUser, accept: str | None) -> None:
    request = user.http.build_request("POST", "/mcp", json=LIST)
    del request.headers["accept"]
    if accept is not None:
        request.headers["accept"] = accept
    reply = await user.http.send(request)
    assert (reply.status_code, reply.headers["content-type"]) == (200, JSON)


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
async def test_the_content_type_is_not_looked_at(user: TestUser, kind: str | None) -> None:
    headers = {"content-type": kind} if kind else {}
    reply = await user.http.post("/mcp", content=b'{"jsonrpc":"2.0","id":1,"method":"ping"}', headers=headers)
    assert reply.status_code == 200


@pytest.mark.parametrize("version", [None, HANDSHAKE, MODERN])
@pytest.mark.parametrize("body", [b"", b"{nope", b'{"a":NaN}', b"\xff\xfe"])
async def test_what_is_not_json_is_a_parse_error(user: TestUser, version: str | None, body: bytes) -> None:
    reply = await user.http.post("/mcp", content=body, headers={"MCP-Protocol-Version": version} if version else {})
    assert (reply.status_code, reply.headers["content-type"]) == (400, JSON)
    assert (reply.json()["error"]["code"], reply.json()["id"]) == (-32700, None)


async def test_a_batch_is_refused_as_the_sdk_refuses_it(user: TestUser) -> None:
    reply = await user.http.post("/mcp", json=[LIST, LIST])
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] in {-32600, -32602}


@pytest.mark.parametrize("method", ["prompts/list", "resources/list", "no/such"])
async def test_there_are_tools_and_nothing_else(user: TestUser, method: str) -> None:
    assert (await post(user.http, method)).json()["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
async def test_other_methods_are_refused(user: TestUser, method: str) -> None:
    reply = await user.http.request(method, "/mcp", headers={"Accept": "text/event-stream"})
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")
    assert (reply.json()["error"]["code"], reply.json()["id"]) == (-32000, None)


async def test_every_answer_carries_the_headers_of_the_service(user: TestUser) -> None:
    for reply in (
        await post(user.http, "ping"),
        await user.http.get("/mcp"),
        await user.http.post("/mcp", content=b"x"),
    ):
        assert reply.headers["x-request-id"].startswith("req_")
        assert {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"} <= set(reply.headers)
        assert reply.headers["cache-control"] == "no-store"


async def test_an_unknown_tool_is_named(user: TestUser) -> None:
    result = await call(user.http, "no_such_tool")
    assert result["isError"] is True
    assert "no_such_tool" in result["content"][0]["text"]


async def test_a_message_that_is_no_json_rpc_is_refused(user: TestUser) -> None:
    reply: httpx.Response = await user.http.post("/mcp", json={})
    assert (reply.status_code, reply.json()["jsonrpc"]) == (400, "2.0")
