"""Knowledge bases are named by id or by name: trimmed, without case, made when new on import (contract 14, last line)."""

import asyncio
from typing import Any

import pytest

from tests.support.mcp import call, post, post_modern
from tests.support.service import TestUser
from tests.support.wire import chunk, fill, make_base

TEXT: dict[str, Any] = {"text": "Holidays are in August.", "title": "Holidays"}


async def names(user: TestUser) -> list[str]:
    return [row["name"] for row in (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]]


async def test_an_import_makes_a_knowledge_base_of_a_new_name(user: TestUser) -> None:
    extra = {"description": "What everybody asks.", "agentIds": ["hr"], "scope": "hr:desk"}
    reply = await call(user.http, "import_knowledge", knowledgeBaseName=" Handbook ", **TEXT, **extra)
    base = (await user.http.get(f"/api/knowledge-bases/{reply['structuredContent']['id']}")).json()
    assert (base["name"], base["description"], base["agentIds"]) == ("Handbook", extra["description"], ["hr"])
    assert base["scope"] == "hr:desk"


async def test_a_known_name_is_found_without_case_and_spaces(user: TestUser) -> None:
    first = await call(user.http, "import_knowledge", knowledgeBaseName="Straße", **TEXT)
    second = await call(user.http, "import_knowledge", knowledgeBaseName="  STRASSE", **TEXT)
    assert first["structuredContent"]["id"] == second["structuredContent"]["id"]
    assert len(await names(user)) == 1


async def test_parallel_imports_into_a_new_name_make_one_knowledge_base(user: TestUser) -> None:
    await asyncio.gather(*(call(user.http, "import_knowledge", knowledgeBaseName="Law", **TEXT) for _ in range(5)))
    assert await names(user) == ["Law"]


async def test_an_import_that_is_refused_makes_nothing(user: TestUser) -> None:
    reply = await call(user.http, "import_knowledge", knowledgeBaseName="Nothing", chunks=[{"content": ""}])
    assert reply["isError"] is True
    assert await names(user) == []


async def test_an_unknown_name_is_not_found_by_a_query(user: TestUser) -> None:
    reply = await call(user.http, "query_knowledge_base", knowledgeBaseName="None", query="x")
    assert reply["structuredContent"] == {"error": "Knowledge base not found", "status": 404}


@pytest.mark.parametrize("send", [post, post_modern])
@pytest.mark.parametrize(("tool", "arguments"), [("query_knowledge_base", {"query": "x"}), ("import_knowledge", TEXT)])
async def test_a_name_that_several_have_is_an_error_of_the_protocol_with_their_ids(
    user: TestUser, send: Any, tool: str, arguments: dict[str, Any]
) -> None:
    made = [
        (await call(user.http, "create_knowledge_base", name=name))["structuredContent"]["id"]
        for name in ("Twin", "twin ")
    ]
    sent = {"name": tool, "arguments": {"knowledgeBaseName": "TWIN", **arguments}}
    error = (await send(user.http, "tools/call", sent)).json()["error"]
    assert error["code"] == -32602
    assert error["message"].startswith("Field knowledgeBaseName must name one knowledge base; 2 are called TWIN: kb_")
    assert all(base_id in error["message"] for base_id in made)


async def test_a_new_knowledge_base_names_the_active_ones_with_its_name(user: TestUser) -> None:
    first = (await call(user.http, "create_knowledge_base", name="Handbook"))["structuredContent"]
    assert first.keys() == {"id", "name"}
    second = (await call(user.http, "create_knowledge_base", name=" handBOOK"))["structuredContent"]
    assert second["note"] == f"{first['id']} has this name too: use ids, since the name finds none of them"
    third = (await call(user.http, "create_knowledge_base", name="HANDBOOK"))["structuredContent"]
    assert {first["id"], second["id"]} <= set(third["note"].replace(",", "").split())
    for base in (first, second, third):
        await user.http.delete(f"/api/knowledge-bases/{base['id']}")
    assert "note" not in (await call(user.http, "create_knowledge_base", name="Handbook"))["structuredContent"]


async def test_a_recall_does_not_mention_an_empty_knowledge_base(user: TestUser) -> None:
    base = (await call(user.http, "create_knowledge_base", name="Empty"))["structuredContent"]["id"]
    gated = {"name": "Gated", "agentIds": ["hr"]}
    kept = (await call(user.http, "create_knowledge_base", **gated))["structuredContent"]["id"]
    for tool, name in (("recall", "query"), ("preflight", "action")):
        hidden = (await call(user.http, tool, **{name: "deploy the Ledger"}, agentId="it"))["structuredContent"][
            "hidden"
        ]
        assert hidden == [f"{kept} (agent_gate)"], tool
    named = await call(user.http, "query_knowledge_base", knowledgeBaseId=base, query="x")
    assert named["structuredContent"]["hidden"] == [f"{base} (empty)"]


async def test_an_answer_without_a_relevant_row_says_what_was_not_searched(user: TestUser) -> None:
    bases = [await make_base(user, name=f"Notes {number}") for number in range(10)]
    for number, base in enumerate(bases):
        await fill(user, base, chunk(f"The boiler of house {number} was cleaned."))
    answers = {
        query: (await call(user.http, "recall", query=query))["structuredContent"]
        for query in ("lattice gluons", "was the boiler of the house cleaned?")
    }
    said = "not searched: 2 knowledge bases; recall searches those that knowledgeBaseIds names"
    assert [answer.get("degraded") for answer in answers.values()] == [said, None]
    named = await call(user.http, "recall", query="lattice gluons", knowledgeBaseIds=bases)
    assert "degraded" not in named["structuredContent"]


async def test_a_query_without_a_knowledge_base_is_told_how_to_name_one(user: TestUser) -> None:
    reply = await call(user.http, "query_knowledge_base", query="holidays")
    assert reply["structuredContent"]["details"] == "Missing required field: knowledgeBaseId or knowledgeBaseName"


async def test_the_knowledge_bases_of_others_do_not_count(user: TestUser, make_user: Any) -> None:
    other = await make_user()
    await call(other.http, "import_knowledge", knowledgeBaseName="Shared", **TEXT)
    reply = await call(user.http, "query_knowledge_base", knowledgeBaseName="Shared", query="x")
    assert reply["structuredContent"]["status"] == 404
