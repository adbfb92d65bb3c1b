"""POST /api/mcp/search-messages (contract 7.2, 11.4): what is found, in which order, page by page."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.service import TestUser
from tests.support.talk import NOON, embed, found, log, search, talk
from tests.support.wire import post

WEATHER = [
    "The boiler needs a new valve before winter.",
    "Grandmother sent a parcel with plums.",
    "We painted the fence green on Saturday.",
    "My cousin plays the cello in a quartet.",
]


@pytest.mark.rule(
    "7.2 reply: messages", "7.2 reply: turns", "7.2 reply: pagination", "7.2 reply: window", "7.2 limit, offset"
)
async def test_a_hit_has_every_field(user: TestUser) -> None:
    fields: dict[str, Any] = {
        "channel": "slack",
        "turnId": "t1",
        "turnMessageIndex": 0,
        "speaker": "Ann",
        "metadata": {"a": 1},
    }
    (message_id,) = await talk(user, "The heron stands in the pond.", **fields)
    reply = await search(user, "heron", channel="slack")
    (row,) = reply["messages"]
    assert 0 < row.pop("score") <= 1
    plain = {"role": "user", "channel": "slack", "sessionKey": "s1", "turnId": "t1", "turnMessageIndex": 0}
    sent = {"speaker": "Ann", "metadata": {"a": 1}, "timestamp": NOON, "createdAt": NOON}
    names = dict.fromkeys(("id", "_id", "messageId"), message_id)
    texts = dict.fromkeys(("content", "text"), "The heron stands in the pond.")
    assert row == plain | sent | names | texts
    assert [turn["turnId"] for turn in reply["turns"]] == ["t1"]
    assert reply["turns"][0]["messages"][0]["channel"] == "slack"
    assert reply["pagination"] == {"limit": 10, "offset": 0, "returned": 1, "hasMore": False, "nextOffset": None}
    assert reply["window"] == {"fromMs": None, "toMs": None, "windowSource": "none"}


async def test_nothing_stored_is_nothing_found(user: TestUser) -> None:
    reply = await search(user, "anything")
    assert (reply["messages"], reply["turns"], reply["degraded"]) == ([], [], False)


@pytest.mark.rule("11.4 candidates")
async def test_any_word_of_the_query_is_enough(wordy: TestUser) -> None:
    await talk(wordy, *WEATHER, sessionKey=None)
    assert await found(wordy, "who on earth has a cello and a zeppelin") == [WEATHER[3]]


async def test_words_are_found_in_their_other_forms(wordy: TestUser) -> None:
    await talk(wordy, "She went to the clinic.", "They have chosen a name.", "Two children sang.", sessionKey=None)
    assert await found(wordy, "go clinics") == ["She went to the clinic."]
    assert await found(wordy, "go") == ["She went to the clinic."]
    assert await found(wordy, "child sings") == ["Two children sang."]


@pytest.mark.rule("11.4 candidates", "7.5.5")
async def test_a_message_without_a_shared_word_is_found_by_its_meaning(user: TestUser, services: Services) -> None:
    await talk(user, "The puppy sleeps in his basket.", "Interest rates went up again.", sessionKey=None)
    await embed(services, user)
    assert (await found(user, "dog"))[0] == "The puppy sleeps in his basket."
    assert (await found(user, "bank loans and money"))[0] == "Interest rates went up again."


@pytest.mark.rule("11.4 fit")
async def test_a_rare_word_counts_more_than_a_common_one(wordy: TestUser) -> None:
    await talk(wordy, *(f"The meeting number {number} was long." for number in range(8)), "A walrus!", sessionKey=None)
    assert (await found(wordy, "walrus meeting"))[0] == "A walrus!"


@pytest.mark.rule("11.4 candidates")
async def test_both_neighbours_of_a_find_come_along_and_nobody_else(wordy: TestUser) -> None:
    await talk(wordy, "one", "two", "the walrus", "four", "five")
    await talk(wordy, "elsewhere", sessionKey="s2")
    assert set(await found(wordy, "walrus")) == {"the walrus", "two", "four"}


async def test_neighbours_are_those_of_the_session_in_the_order_of_time(wordy: TestUser) -> None:
    await talk(wordy, "the walrus", start=NOON)
    await talk(wordy, "between, but elsewhere", start=NOON + 1, sessionKey="s2")
    await talk(wordy, "after", start=NOON + 2)
    await talk(wordy, "before", start=NOON - 1)
    assert set(await found(wordy, "walrus")) == {"the walrus", "after", "before"}


async def test_a_message_beside_a_good_one_beats_the_same_words_elsewhere(wordy: TestUser) -> None:
    await talk(wordy, "The harbour of Trieste is lovely.", "It was in May, the harbour.")
    await talk(wordy, "Such a harbour, too.", sessionKey="s2")
    assert (await found(wordy, "harbour Trieste"))[1] == "It was in May, the harbour."


@pytest.mark.rule("11.4 candidates", "11.4 rank")
@pytest.mark.parametrize("query", ["red boat harbour", '"red boat harbour"', "'RED  boat harbour'"])
async def test_the_whole_query_as_a_phrase_comes_first(user: TestUser, query: str) -> None:
    await talk(user, "harbour, boat, red", "my Red boat\nharbour", "boat red harbour boat red", sessionKey=None)
    assert (await found(user, query))[0] == "my Red boat\nharbour"


@pytest.mark.rule("11.4 candidates")
async def test_a_phrase_of_words_that_full_text_leaves_out_is_found(wordy: TestUser) -> None:
    await talk(wordy, "It is what it is.", "To be or not to be, that is all.", sessionKey=None)
    assert await found(wordy, "to be or not to be") == ["To be or not to be, that is all."]


@pytest.mark.rule("11.4 rank")
async def test_the_speaker_that_the_query_names_is_preferred(user: TestUser) -> None:
    await log(user, "I bought a kayak.", speaker="Ann", sessionKey="a", timestamp=NOON)
    await log(user, "I bought a kayak, too.", speaker="Bob", sessionKey="b", timestamp=NOON)
    assert (await found(user, "Which kayak did Bob buy"))[0] == "I bought a kayak, too."
    assert (await found(user, "Which kayak did Ann buy"))[0] == "I bought a kayak."


@pytest.mark.rule("11.4 order")
async def test_of_equal_messages_the_newer_comes_first(wordy: TestUser) -> None:
    for offset in (5, 1, 9):
        await log(wordy, "The same words.", sessionKey=f"s{offset}", timestamp=NOON + offset)
    times = [row["timestamp"] - NOON for row in (await search(wordy, "same words"))["messages"]]
    assert times == [9, 5, 1]


@pytest.mark.rule("11.4 score", "11.4 order")
async def test_scores_fall_and_stay_within_the_unit_interval(user: TestUser, services: Services) -> None:
    await talk(user, *WEATHER, "valve")
    await embed(services, user)
    scores = [row["score"] for row in (await search(user, "boiler valve winter"))["messages"]]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= scores[-1] < scores[0] <= 1


@pytest.mark.rule("11.4 depth", "7.2 pages")
async def test_pages_are_slices_of_one_order_and_end_with_a_short_one(user: TestUser, services: Services) -> None:
    stored = {f"Note {number} about the lighthouse" for number in range(23)}
    await talk(user, *sorted(stored))
    await embed(services, user)
    whole = await found(user, "lighthouse", limit=100)
    paged: list[str] = []
    offset: int | None = 0
    while offset is not None:
        reply = await search(user, "lighthouse", limit=5, offset=offset)
        page = reply["pagination"]
        assert (page["returned"], page["offset"]) == (len(reply["messages"]), offset)
        assert page["hasMore"] == (page["nextOffset"] is not None) == (offset < 20)
        paged += [row["content"] for row in reply["messages"]]
        offset = page["nextOffset"]
    assert paged == whole
    assert set(paged) == stored


@pytest.mark.rule("11.4 depth")
async def test_pages_beyond_the_first_candidates_repeat_and_miss_nothing(wordy: TestUser) -> None:
    stored = {f"Lighthouse {number}" for number in range(130)}
    for content in sorted(stored):
        await log(wordy, content, sessionKey=content)
    paged = [
        content for offset in range(0, 140, 20) for content in await found(wordy, "lighthouse", limit=20, offset=offset)
    ]
    assert len(paged) == len(stored)
    assert set(paged) == stored
    last = (await search(wordy, "lighthouse", limit=65, offset=65))["pagination"]
    assert (last["returned"], last["hasMore"], last["nextOffset"]) == (65, False, None)
    first = (await search(wordy, "lighthouse", limit=65))["pagination"]
    assert (first["hasMore"], first["nextOffset"]) == (True, 65)


@pytest.mark.rule("7.2 limit, offset")
async def test_a_limit_above_100_is_cut(user: TestUser) -> None:
    assert (await search(user, "x", limit=500))["pagination"]["limit"] == 100


@pytest.mark.rule("7.2 query", "7.2 limit, offset")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, "Missing required field: query"),
        ({"query": " "}, "Query must not be empty"),
        ({"query": "x", "limit": 0}, "Field limit must be between 1 and 100"),
        ({"query": "x", "limit": 1.5}, "Field limit must be an integer"),
        ({"query": "x", "offset": 10_001}, "Field offset must be between 0 and 10000"),
        ({"query": "x", "offset": -1}, "Field offset must be between 0 and 10000"),
    ],
)
async def test_refusals(user: TestUser, fields: dict[str, Any], details: str) -> None:
    reply = await post(user, "search-messages", fields, status=400)
    assert reply == {"error": "Bad request", "details": details}


@pytest.mark.parametrize(
    "query", ["it's", "a\\b", "'", '"', "100%", "%(user)s", "a & b | !c:*", "x' OR true --", "\\'"]
)
async def test_a_query_is_text_and_nothing_else(user: TestUser, query: str) -> None:
    await talk(user, "It's plain text.", sessionKey=None)
    reply = await search(user, query)
    assert reply["degraded"] is False


@pytest.mark.rule("7.2 agentId, includeEmbeddings")
async def test_embeddings_are_never_sent(user: TestUser) -> None:
    await talk(user, "The heron stands in the pond.")
    (row,) = (await search(user, "heron", includeEmbeddings=True))["messages"]
    assert not {name for name in row if "embedding" in name.lower()}
