"""Answers take the places that the SDK's message left empty, and what comes out is what the SDK would pass (14.5)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import JSONRPCResponse
from mcp.types.methods import serialize_server_result

from memd.mcp.answers import Answer
from tests.support.mcp import HANDSHAKE, MODERN, post, post_modern
from tests.support.service import TestUser

MARKS = ('"content":[]', '"structuredContent":{}', '\\"content\\":[]', '{"content":[],"structuredContent":{}}')
TEXT = st.one_of(st.text(), st.sampled_from(MARKS))
VALUE: Any = st.recursive(
    st.one_of(TEXT, st.just([]), st.just({})),
    lambda part: st.dictionaries(st.one_of(TEXT, st.sampled_from(["content", "structuredContent"])), part, max_size=3),
    max_leaves=8,
)


@given(st.one_of(st.integers(), TEXT), st.lists(TEXT, max_size=2), st.dictionaries(TEXT, VALUE, max_size=3))
def test_whatever_is_said_keeps_its_position(number: Any, texts: list[str], data: dict[str, Any]) -> None:
    answer = Answer(tuple(texts), json.dumps(data).encode(), failed=False)
    message = JSONRPCResponse(jsonrpc="2.0", id=number, result=answer.stand_in | {"_meta": {"content": []}})
    wanted: dict[str, Any] = message.model_dump(mode="json")
    wanted["result"] |= {"content": [{"type": "text", "text": text} for text in texts], "structuredContent": data}
    for written in (message.model_dump_json(), json.dumps(message.model_dump(mode="json"), separators=(",", ":"))):
        assert json.loads(answer.put_into(written.encode())) == wanted


def test_a_message_without_a_place_for_the_answer_is_never_sent() -> None:
    with pytest.raises(RuntimeError):
        Answer(("x",), b"{}", failed=False).put_into(b'{"jsonrpc":"2.0","id":1,"result":{}}')


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", HANDSHAKE, MODERN])
@pytest.mark.parametrize("arguments", [{"query": "x"}, {"query": "x", "limit": 0}])
async def test_a_result_is_one_that_the_sdk_would_pass_unchanged(
    user: TestUser, version: str, arguments: dict[str, Any]
) -> None:
    await user.http.post("/api/mcp/capture", json={"title": "An x", "content": "Where x is “kept”."})
    send = post_modern if version == MODERN else post
    user.http.headers["MCP-Protocol-Version"] = version
    reply = await send(user.http, "tools/call", {"name": "recall", "arguments": arguments})
    result = reply.json()["result"]
    assert serialize_server_result("tools/call", version, result) == result
    assert result["structuredContent"]
    assert int(reply.headers["content-length"]) == len(reply.content)
