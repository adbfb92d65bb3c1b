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
from tests.support.node import Node
from tests.support.served import served
from tests.support.service import TestUser

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("node")]
SCRIPT: Final = Path(__file__).parents[1] / "support" / "mcp_clients.mjs"
INSPECTOR: Final = Path("@modelcontextprotocol", "inspector")
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


def check(found: dict[str, Any], wanted: Sequence[tuple[str, dict[str, Any]]]) -> None:
    assert found["tools"] == NAMES
    assert [result["name"] for result in found["results"]] == [name for name, _sent in wanted]
    assert {result["name"] for result in found["results"] if result["isError"]} == FAILING
    assert all(result["structuredContent"] for result in found["results"])


async def test_both_typescript_clients_list_and_call_every_tool(
    app: ASGIApp, user: TestUser, node: Node, tmp_path: Path
) -> None:
    wanted = [calls(await furnished(user, who)) for who in ("the old one", "the current one")]
    assert {name for name, _sent in wanted[0]} == set(NAMES)
    script = node.modules.parent / "mcp_clients.mjs"
    await asyncio.to_thread(script.write_bytes, await asyncio.to_thread(SCRIPT.read_bytes))
    async with served(app) as url:
        code, said = await node.run(str(script), f"{url}/mcp", user.key, json.dumps(wanted))
    assert code == 0, said
    found = json.loads(said)
    check(found["old"], wanted[0])
    check(found["current"], wanted[1])


async def test_the_inspector_lists_and_calls_tools(app: ASGIApp, user: TestUser, node: Node) -> None:
    program = str(node.modules / ".bin" / "mcp-inspector")
    header = ("--transport", "http", "--header", f"Authorization: Bearer {user.key}")
    async with served(app) as url:
        listed, called = await asyncio.gather(
            node.run(program, "--cli", f"{url}/mcp", *header, "--method", "tools/list"),
            node.run(program, "--cli", f"{url}/mcp", *header, "--method", "tools/call", "--tool-name", "stats"),
        )
    assert (listed[0], called[0]) == (0, 0), listed[1] + called[1]
    assert [tool["name"] for tool in first_json(listed[1])["tools"]] == NAMES
    assert first_json(called[1])["structuredContent"]["total"] == 0


def first_json(said: str) -> Any:
    """The document that a program printed before its remarks."""
    return json.JSONDecoder().raw_decode(said)[0]
