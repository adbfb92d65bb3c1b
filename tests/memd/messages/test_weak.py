"""Messages that hardly have anything to do with a query are marked, on every page and in recall (contract 7.2, 11.2)."""

import pytest

from memd.context import Services
from tests.support.service import TestUser
from tests.support.talk import DAY, NOON, embed, search, talk
from tests.support.wire import Json, post

TALK = [
    "The harbour crane lifts forty tonnes.",
    "Yes, since the repair in March.",
    "Good to know, thank you.",
    "I am off to the dentist.",
    "My sister plays the cello.",
    "We ran out of coffee beans.",
]
QUERY = "how much does the harbour crane lift?"


@pytest.fixture
async def talker(user: TestUser, services: Services) -> TestUser:
    await talk(user, *TALK)
    await embed(services, user)
    return user


def weak(rows: list[Json]) -> list[str]:
    return [row["content"] for row in rows if row.get("weak")]


@pytest.mark.rule("7.2 reply: weak")
async def test_messages_without_any_evidence_are_weak_and_an_answer_and_what_follows_it_are_not(
    talker: TestUser,
) -> None:
    rows = (await search(talker, QUERY, limit=100))["messages"]
    assert rows[0]["content"] == TALK[0]
    assert set(TALK[3:]) <= set(weak(rows))
    assert not set(TALK[:2]) & set(weak(rows))
    assert all(row.get("weak") in {None, True} for row in rows)


@pytest.mark.rule("7.2 reply: weak")
async def test_every_page_has_the_mark(talker: TestUser) -> None:
    whole = (await search(talker, QUERY, limit=100))["messages"]
    pages = [(await search(talker, QUERY, limit=1, offset=offset))["messages"] for offset in range(len(whole))]
    assert [weak(page) for page in pages] == [weak([row]) for row in whole]


@pytest.mark.rule("7.2 reply: adjacent")
async def test_what_is_only_next_to_an_answer_is_adjacent_on_every_page_and_in_recall(
    user: TestUser, services: Services
) -> None:
    await talk(user, "I prefer tests without loops.", "Bogdan owns refunds.", "Wei moved to Lisbon.")
    await embed(services, user)
    query = "who is the owner of refunds? Bogdan owns refunds"
    whole = (await search(user, query))["messages"]
    marks = {row["content"]: row.get("adjacent") for row in whole}
    assert (marks["Bogdan owns refunds."], marks["I prefer tests without loops."]) == (None, True)
    pages = [(await search(user, query, limit=1, offset=offset))["messages"] for offset in range(len(whole))]
    matches = (await post(user, "recall", {"query": query}))["messageMatches"]
    for rows in (matches, [row for page in pages for row in page]):
        assert {row["content"]: row.get("adjacent") for row in rows} == marks


@pytest.mark.rule("7.2 reply: weak")
async def test_what_was_said_in_the_period_that_a_query_names_is_not_weak(talker: TestUser) -> None:
    later = await talk(talker, "The lift is stuck again.", start=NOON + 3 * DAY, sessionKey="s2")
    rows = (await search(talker, "what about 18 June 2025", limit=100))["messages"]
    assert later == [row["id"] for row in rows if not row.get("weak")]


async def test_recall_marks_messages_too(talker: TestUser) -> None:
    matches = (await post(talker, "recall", {"query": "chromodynamics of lattice gluons"}))["messageMatches"]
    assert matches
    assert all(match["weak"] for match in matches)


NOTES = [
    "We decided to use Kafka instead of RabbitMQ for the event bus.",
    "Ana will present the roadmap on 3 December.",
    "We pay 340 euros a month for the office plants.",
    "Our retention policy is 90 days for logs.",
    "I prefer tabs over spaces.",
]


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("when does Ana present?", NOTES[1]),
        ("how long do we keep logs?", NOTES[3]),
    ],
)
async def test_an_answer_comes_first_and_is_not_weak(
    user: TestUser, services: Services, query: str, answer: str
) -> None:
    await talk(user, *NOTES)
    await embed(services, user)
    first, *_ = (await search(user, query))["messages"]
    assert (first["content"], first.get("weak")) == (answer, None)
