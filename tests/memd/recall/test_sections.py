"""Recall returns only the sections that a request names (contract 6.2), and so does the context (17.3)."""

from typing import Any

import pytest

from tests.support.service import TestUser
from tests.support.wire import chunk, fill, make_base, post

QUESTION = "how is the greenhouse heated"
ALL = ["memories", "messages", "knowledge"]


@pytest.fixture
async def stored(user: TestUser) -> TestUser:
    """One memory, one message and one chunk about the same thing."""
    await post(user, "capture", {"title": "Greenhouse", "content": "The greenhouse is heated with wood pellets."})
    await post(user, "log", {"role": "user", "content": "The greenhouse was heated with gas before."})
    await fill(user, await make_base(user), chunk("Greenhouses are heated from October to April."))
    return user


async def sections(user: TestUser, wanted: list[str] | None, **more: Any) -> list[str]:
    """The sections that an answer has rows of."""
    body = {"query": QUESTION, **more, **({} if wanted is None else {"sections": wanted})}
    reply = await post(user, "recall", body)
    rows = reply["memories"]
    shown = {
        "memories": any("knowledgeBaseId" not in row for row in rows),
        "messages": bool(reply["messageMatches"]),
        "knowledge": any("knowledgeBaseId" in row for row in rows),
    }
    assert ("sections" in reply["retrieval"]["filtersApplied"]) is (wanted not in (None, [], ALL))
    return [name for name, has_rows in shown.items() if has_rows]


@pytest.mark.parametrize("wanted", [["memories"], ["messages"], ["knowledge"], ["memories", "messages"]])
async def test_only_the_named_sections_have_rows(stored: TestUser, wanted: list[str]) -> None:
    assert await sections(stored, wanted) == wanted


@pytest.mark.parametrize("wanted", [None, [], ALL])
async def test_all_sections_are_the_default(stored: TestUser, wanted: list[str] | None) -> None:
    assert await sections(stored, wanted) == ALL


async def test_a_memory_ranks_the_same_with_and_without_the_other_sections(stored: TestUser) -> None:
    whole = (await post(stored, "recall", {"query": QUESTION}))["memories"]
    alone = (await post(stored, "recall", {"query": QUESTION, "sections": ["memories"]}))["memories"]
    (before,) = [row for row in whole if "knowledgeBaseId" not in row]
    (after,) = alone
    assert after["rankingSignals"]["evidenceScore"] == before["rankingSignals"]["evidenceScore"]


async def test_named_knowledge_bases_need_the_section_knowledge(stored: TestUser) -> None:
    (base,) = (await stored.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    body = {"query": QUESTION, "knowledgeBaseIds": [base["id"]], "sections": ["memories"]}
    refused = await post(stored, "recall", body, status=400)
    assert "sections" in refused["details"]
    assert await sections(stored, ["knowledge"], knowledgeBaseIds=[base["id"]]) == ["knowledge"]


async def test_an_unknown_section_is_refused_by_name(stored: TestUser) -> None:
    refused = await post(stored, "recall", {"query": QUESTION, "sections": ["chunks"]}, status=400)
    assert "sections" in refused["details"]


@pytest.mark.parametrize(("wanted", "kind"), [("memories", "memory"), ("messages", "message"), ("knowledge", "chunk")])
async def test_a_context_has_rows_of_its_sections_only(stored: TestUser, wanted: str, kind: str) -> None:
    reply = await post(stored, "context", {"query": QUESTION, "sections": [wanted]})
    assert {line["kind"] for line in reply["included"]} == {kind}


async def test_a_context_of_one_base_has_its_chunks_alone(stored: TestUser) -> None:
    (base,) = (await stored.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    body = {"query": QUESTION, "sections": ["knowledge"], "knowledgeBaseIds": [base["id"]]}
    assert {line["kind"] for line in (await post(stored, "context", body))["included"]} == {"chunk"}
