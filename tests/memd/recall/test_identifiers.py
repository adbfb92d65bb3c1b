"""Rows that differ in little more than a number: recall and query put the one that is asked for first (contract 11.2)."""

import asyncio
from statistics import fmean

import pytest

from tests.bench.eval.identifiers import Family, families
from tests.support.service import TestUser
from tests.support.wire import capture, make_base, post, send

FAMILIES = [family for family in families(rows=4) if family.name in {"numbers", "pages"}]
"""Roles and spellings are measured by `make eval`: pairs of words leave some of their questions open."""
EVERY = 2
"""Every second question is asked."""
HIT_AT_1 = 0.97
DAY_MS = 86_400_000
NUMBERED = (
    "Room 12 is booked for Amira on 3 May.",
    "Room 14 is booked for Jonas on 12 May.",
    "Room 3 is booked for Priya on 14 May.",
)


def ids(family: Family) -> str:
    return family.name


@pytest.mark.parametrize("family", FAMILIES, ids=ids)
async def test_recall_puts_the_row_with_the_number_first(user: TestUser, family: Family) -> None:
    names: dict[str, str] = {}
    for text in family.texts:
        names[await capture(user, title=text.title, content=text.content)] = text.id

    async def hit(question: str, wanted: frozenset[str]) -> bool:
        found = await post(user, "recall", {"query": question, "limit": 1})
        return names[found["memories"][0]["id"]] in wanted

    questions = family.questions[::EVERY]
    hits = await asyncio.gather(*(hit(question.text, question.evidence) for question in questions))
    assert fmean(hits) >= HIT_AT_1, [each.text for each, was in zip(questions, hits, strict=True) if not was]


@pytest.mark.parametrize("family", FAMILIES, ids=ids)
async def test_query_puts_the_chunk_with_the_number_first(user: TestUser, family: Family) -> None:
    base = await make_base(user)
    chunks = [
        {"content": text.content, "dedupeKey": text.id, "metadata": {"title": text.title}} for text in family.texts
    ]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)

    async def hit(question: str, wanted: frozenset[str]) -> bool:
        found = await send(user, "POST", f"/api/knowledge-bases/{base}/query", {"query": question, "limit": 1})
        return found["results"][0]["dedupeKey"] in wanted

    questions = family.questions[::EVERY]
    hits = await asyncio.gather(*(hit(question.text, question.evidence) for question in questions))
    assert fmean(hits) >= HIT_AT_1, [each.text for each, was in zip(questions, hits, strict=True) if not was]


@pytest.mark.rule("11.2 conflictBoost")
async def test_a_row_that_has_the_number_elsewhere_is_no_update_of_the_one_asked_for(user: TestUser) -> None:
    """Stored a day apart, each row says the same as the one before it with other values."""
    begin = 1_775_000_000_000
    for number, content in enumerate(NUMBERED):
        await capture(user, title="Rooms", content=content, createdAt=begin + number * DAY_MS)
    for content in NUMBERED:
        room = content.split()[1]
        found = await post(user, "recall", {"query": f"Who is room {room} booked for?"})
        assert found["memories"][0]["content"] == content
