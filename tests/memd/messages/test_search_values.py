"""The score of a message in a search (contract 11.4): exact values, the indexed text, the deployment's weights."""

import pytest

from memd.context import Services
from tests.support.limits import another, client
from tests.support.service import TestUser
from tests.support.talk import NOON, embed, found, log, search, talk

TALK = [
    "The puppy sleeps.",
    "A dog barks at the boat.",
    "Interest rates went up.",
    "My boat is red.",
    "Bread and wine.",
]


async def scores(user: TestUser, query: str) -> dict[str, float]:
    return {row["content"]: row["score"] for row in (await search(user, query, limit=100))["messages"]}


@pytest.mark.rule("11.4 exact values")
async def test_a_find_of_one_arm_has_the_value_of_the_other(
    user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(user, *TALK, sessionKey=None)
    await embed(services, user)
    whole = await scores(user, "red puppy")
    monkeypatch.setattr("memd.messages.search.DEPTHS", (1,))
    first_of_each = await scores(user, "red puppy")
    assert 0 < len(first_of_each) < len(whole) == len(TALK)
    assert first_of_each == {content: pytest.approx(whole[content]) for content in first_of_each}


@pytest.mark.rule("11.4 fit")
@pytest.mark.parametrize("query", ["Caroline", "15 June 2025", "walrus"], ids=["speaker", "date", "content"])
async def test_a_message_is_found_by_its_date_its_speaker_and_its_content(wordy: TestUser, query: str) -> None:
    await log(wordy, "A walrus!", speaker="Caroline", timestamp=NOON)
    await log(wordy, "Plums.", speaker="Bob", timestamp=1_000_000_000_000)
    assert await found(wordy, query) == ["A walrus!"]


@pytest.mark.rule("11.4 fit")
async def test_a_word_is_as_rare_as_it_is_among_the_messages_in_scope(wordy: TestUser) -> None:
    await talk(wordy, "boat", "plums", "bread", "wine", "tea", sessionKey=None, channel="slack")

    async def score() -> float:
        hits = (await search(wordy, "boat zeppelin", channel="slack"))["messages"]
        return next(row["score"] for row in hits if row["content"] == "boat")

    before = await score()
    await talk(wordy, *(f"boat {number}" for number in range(5)), sessionKey=None, channel="discord")
    assert await score() == before
    await talk(wordy, *(f"boat {number}" for number in range(5)), sessionKey=None, channel="slack")
    assert await score() < before


@pytest.mark.rule("11.4 without a vector", "7.2 reply: degraded")
async def test_without_a_vector_the_words_alone_rank_and_the_reply_says_so(wordy: TestUser) -> None:
    await talk(wordy, "boat", "boat, red", "boat, red, old", sessionKey=None)
    reply = await search(wordy, "old red boat")
    assert [row["content"] for row in reply["messages"]] == ["boat, red, old", "boat, red", "boat"]
    assert (reply["degraded"], reply["degradation"]["code"]) == (True, "embedding_cap_exceeded")


@pytest.mark.rule("11.4 weights")
async def test_the_deployment_sets_the_weights(wordy: TestUser, services: Services) -> None:
    await log(wordy, "A kayak.", sessionKey="a", timestamp=NOON)
    await log(wordy, "A kayak?", sessionKey="b", timestamp=NOON + 1)
    assert await found(wordy, "kayak") == ["A kayak.", "A kayak?"]
    async with (
        another(services, message_weights={"question": 0}) as (app, _),
        client(app, wordy.key) as http,
    ):
        searched, recalled = [
            (await http.post(path, json={"query": "kayak"})).json()
            for path in ("/api/mcp/search-messages", "/api/mcp/recall")
        ]
    for rows in (searched["messages"], recalled["messageMatches"]):
        assert [row["content"] for row in rows] == ["A kayak?", "A kayak."]
