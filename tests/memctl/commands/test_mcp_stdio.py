"""`memctl mcp stdio`: MCP on standard streams, for clients that start a program."""

import json
from typing import Any

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

MODERN = "io.modelcontextprotocol/protocolVersion"


def call(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


async def test_memctl_speaks_mcp_on_standard_streams(terminal: Terminal, user: TestUser) -> None:
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        call(1, "initialize", **about),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(2, "tools/list"),
        call(3, "tools/call", name="capture", arguments={"title": "T", "content": "From a tool"}),
        "not json",
    ]
    done = await terminal(user, "mcp", "stdio", stdin="\n".join(lines) + "\n")
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert done.exit_code == 0
    assert answers[1]["result"]["serverInfo"]["name"] == "memd"
    assert "recall" in {tool["name"] for tool in answers[2]["result"]["tools"]}
    assert answers[3]["result"]["structuredContent"]["id"].startswith("mem_")
    assert answers[None]["error"]["code"] == -32700


async def test_bytes_that_are_no_text_end_their_line_alone(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(
        user, "mcp", "stdio", stdin=b'{"id": 1, "method": "\xff"}\n' + call(2, "ping").encode() + b"\n"
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert (answers[None]["error"]["code"], answers[2]["result"]) == (-32700, {})


async def test_memctl_answers_a_failure_to_the_client(terminal: Terminal) -> None:
    done = await terminal("0" * 64, "mcp", "stdio", stdin=call(7, "tools/list") + "\n")
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert (done.exit_code, answer["id"], answer["error"]["message"].partition(":")[0]) == (0, 7, "Unauthorized")


async def test_the_core_tools_alone(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "mcp", "stdio", "--tools", "core", stdin=call(1, "tools/list") + "\n")
    (answer,) = map(json.loads, done.stdout.splitlines())
    names = {tool["name"] for tool in answer["result"]["tools"]}
    assert names == {"recall", "capture", "search_messages", "wake", "context", "forget", "update", "log_turn"}


@pytest.mark.parametrize(
    "malformed",
    [
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": [1]}',
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": [1]}}',
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"a": NaN}}',
        call(1, "tools/call", name="recall", arguments={"query": "cut off \ud83d"}),
        call(1, "tools/call", name="rückruf", arguments={}, _meta={MODERN: "2026-07-28"}),
        "[" * 100_000,
    ],
    ids=["params", "meta", "number", "half_a_character", "name", "depth"],
)
async def test_a_malformed_message_is_answered_and_ends_nothing(
    malformed: str, terminal: Terminal, user: TestUser
) -> None:
    done = await terminal(user, "mcp", "stdio", stdin="\n".join([malformed, call(2, "tools/list")]) + "\n")
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    refused = answers.get(1) or answers[None]
    assert refused.get("error") or refused["result"]["isError"]
    assert "tools" in answers[2]["result"]


async def test_a_batch_is_refused_in_words(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "mcp", "stdio", stdin=f"[{call(1, 'ping')}, {call(2, 'ping')}]\n")
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    assert "batches are not supported" in answer["error"]["message"]


async def test_a_name_beyond_ascii_arrives(terminal: Terminal, user: TestUser) -> None:
    about = {
        MODERN: "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    done = await terminal(
        user, "mcp", "stdio", stdin=call(1, "tools/call", name="rückruf", arguments={}, _meta=about) + "\n"
    )
    assert "Unknown tool: rückruf" in done.stdout
