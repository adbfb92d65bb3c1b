"""Answers of tools that take no limit, when there are very many rows: a model gets a part of them, and is told so."""

import pytest

from memd.domain.text.token_estimate import estimate_tokens
from tests.support.mcp import call
from tests.support.service import TestUser

LONG_TITLE = "How the release train of the storefront is put on hold for the holidays of the whole company " * 5


async def test_of_many_knowledge_bases_the_last_changed_are_listed(user: TestUser) -> None:
    for number in range(45):
        base = {"name": f"Handbook {number}", "description": "What everybody asks in the first week. " * 30}
        await user.http.post("/api/knowledge-bases", json=base)
    answer = await call(user.http, "list_knowledge_bases")
    names = [row["name"] for row in answer["structuredContent"]["knowledgeBases"]]
    assert names == [f"Handbook {number}" for number in range(44, 4, -1)]
    assert answer["structuredContent"]["notListed"] == 5
    assert "notListed: 5" in answer["content"][0]["text"]
    assert estimate_tokens(answer["content"][0]["text"]) < 2_500


async def test_when_all_are_listed_no_number_is_named(user: TestUser) -> None:
    await user.http.post("/api/knowledge-bases", json={"name": "Handbook"})
    assert "notListed" not in (await call(user.http, "list_knowledge_bases"))["structuredContent"]


@pytest.mark.parametrize("title", [LONG_TITLE[:500], "Ship\nit"])
async def test_memories_tied_to_tools_have_short_titles_on_one_line(user: TestUser, title: str) -> None:
    memory = {"title": title, "content": "Ask the owner before you do.", "actionTriggers": ["deploy"]}
    await call(user.http, "capture", **memory)
    (row,) = (await call(user.http, "triggers", tools=["deploy"]))["structuredContent"]["memories"]
    assert "\n" not in row["title"]
    assert estimate_tokens(row["title"]) <= 20
