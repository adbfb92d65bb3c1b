"""The official TypeScript clients and the inspector's command line list and call the tools of memd."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.types import ASGIApp

from memd.app import endpoints
from memd.mcp.tools import make_tools
from tests.support.mcp import Overheard
from tests.support.node import Node
from tests.support.served import served
from tests.support.service import TestUser

pytestmark = pytest.mark.e2e
SUPPORT: Final = Path(__file__).parents[1] / "support"
NAMES: Final = [*make_tools(endpoints())]


def calls(ids: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """A call of every tool, in an order in which each finds what it needs."""
    memory, base = ids["memory"], ids["base"]
    return [
        ("capture", {"title": "From a client", "content": f"A client of {ids['who']} stored this."}),
        ("recall", {"query": "a client"}),
        ("search_messages", {"query": "a client"}),
        ("recent_messages", {}),
        ("wake", {}),
        ("checkpoint", {"label": "Now"}),
        ("trace", {"memoryId": memory}),
        ("get_memory", {"memoryId": memory}),
        ("update", {"memoryId": memory, "title": "Edited"}),
        ("stats", {}),
        ("reflect", {}),
        ("triggers", {"tools": ["deploy"]}),
        ("list_knowledge_bases", {}),
        ("create_knowledge_base", {"name": f"Of {ids['who']}"}),
        ("import_knowledge", {"knowledgeBaseId": base, "text": "Holidays.", "title": "T"}),
        ("query_knowledge_base", {"knowledgeBaseId": base, "query": "holidays"}),
        ("list_knowledge_base_memories", {"knowledgeBaseId": base}),
        ("what_do_i_know", {"topic": "clients"}),
        ("why_did_we", {"decision": "store this"}),
        ("preflight", {"action": "deploy"}),
        ("who_owns", {"entity": "Ledger"}),
        ("explain_connection", {"entityA": "A", "entityB": "B"}),
        ("dependency_chain", {"entity": "Ledger"}),
        ("context", {"query": "Ledger", "tokenBudget": 200}),
        ("log_turn", {"sessionKey": "s", "channel": "c", "turnId": f"t {ids['who']}", "assistantMessage": "Done."}),
        ("forget", {"memoryId": f"mem_{'0' * 26}"}),
        ("supersede", {"oldMemoryId": f"mem_{'0' * 26}", "title": "x", "content": "y"}),
        ("empty_knowledge_base", {"knowledgeBaseId": base, "confirm": True}),
    ]


FAILING: Final = {"forget", "supersede"}
"""Of a memory that is not there: clients must be able to read failures too."""


async def furnished(user: TestUser, who: str) -> dict[str, str]:
    memory = await user.http.post("/api/mcp/capture", json={"title": "T", "content": f"The memory of {who}."})
    base = await user.http.post("/api/knowledge-bases", json={"name": who})
    return {"who": who, "memory": memory.json()["id"], "base": base.json()["id"]}


def check(found: dict[str, Any], wanted: Sequence[tuple[str, dict[str, Any]]], messages: Sequence[Any]) -> None:
    """Every tool is listed and called, and what the client hands on is what memd said, which is what HTTP says."""
    assert found["tools"] == NAMES
    assert [result["name"] for result in found["results"]] == [name for name, _sent in wanted]
    assert {result["name"] for result in found["results"] if result["isError"]} == FAILING
    assert [result["structuredContent"] for result in found["results"]] == list(messages)


async def beside_modules(node: Node, name: str) -> str:
    """A script of ours where it finds the packages."""
    script = node.modules.parent / name
    await asyncio.to_thread(lambda: script.write_bytes((SUPPORT / name).read_bytes()))
    return str(script)


async def test_both_typescript_clients_list_and_call_every_tool(app: ASGIApp, user: TestUser, node: Node) -> None:
    wanted = [calls(await furnished(user, who)) for who in ("the old one", "the current one")]
    assert {name for name, _sent in wanted[0]} == set(NAMES)
    script = await beside_modules(node, "mcp_clients.mjs")
    heard = Overheard(app)
    async with served(heard) as url:
        code, output = await node.run(script, f"{url}/mcp", user.key, json.dumps(wanted))
    assert code == 0, output
    found = json.loads(output)
    answers = heard.structured()
    check(found["old"], wanted[0], answers[: len(NAMES)])
    check(found["current"], wanted[1], answers[len(NAMES) :])


async def test_the_inspector_lists_and_calls_every_tool(app: ASGIApp, user: TestUser, node: Node) -> None:
    wanted = calls(await furnished(user, "the inspector"))
    script = await beside_modules(node, "mcp_inspector.mjs")
    heard = Overheard(app)
    async with served(heard) as url:
        there = ("--transport", "http", "--header", f"Authorization: Bearer {user.key}")
        launched = await node.run(
            str(node.modules / ".bin" / "mcp-inspector"), "--cli", f"{url}/mcp", *there, "--method", "tools/list"
        )
        options = [[f"{url}/mcp", *there, *as_options(name, sent)] for name, sent in wanted]
        code, output = await node.run(script, json.dumps(options))
    assert (launched[0], code) == (0, 0), launched[1] + output
    found = [
        first_json(run["printed"]) | {"name": name, "failed": run["failed"]}
        for (name, _sent), run in zip(wanted, first_json(output), strict=True)
    ]
    check(
        {"tools": [tool["name"] for tool in first_json(launched[1])["tools"]], "results": found},
        wanted,
        heard.structured(),
    )
    assert {result["name"] for result in found if result["failed"]} == FAILING


def as_options(tool: str, sent: dict[str, Any]) -> list[str]:
    """A call as the inspector's command line takes it."""
    pairs = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in sent.items()]
    return ["--method", "tools/call", "--tool-name", tool, *(["--tool-arg", *pairs] if pairs else [])]


def first_json(expected: str) -> Any:
    """The document that a program printed before its remarks."""
    return json.JSONDecoder().raw_decode(expected)[0]
