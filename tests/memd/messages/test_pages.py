"""The pages of one message search are slices of one order while rows and vectors arrive (contract 7.2, 11.4)."""

import asyncio
import random
from uuid import UUID

import pytest

from memctl.wire.messages import SearchMessagesRequest
from memd.context import Services
from memd.domain.ids import new_id
from memd.lifecycle.retention import clear_away
from memd.messages.search_pages import search_messages
from memd.rankings import service as rankings
from memd.rankings.service import MAX_IDS, Ranked, Ranking
from tests.support.jobs import at, context_of, later
from tests.support.service import MakeUser, TestUser
from tests.support.talk import NOON, embed, log, search
from tests.support.wire import Json

QUERY = "lighthouse keeper"
PLACES = ("harbour", "lighthouse", "keeper of the lighthouse", "sea wall", "lighthouse on the cliff")


def content(chance: random.Random, number: int) -> str:
    """A message that the words of the query find, with more or less else."""
    return f"lighthouse {number} " + " ".join(chance.choices(PLACES, k=chance.randint(1, 4)))


async def log_many(user: TestUser, chance: random.Random, count: int, start: int = 0) -> set[str]:
    """Log messages of a few sessions at the same time; their ids."""
    sessions = [None, "a", "b", "c"]
    return set(
        await asyncio.gather(
            *(
                log(
                    user,
                    content(chance, number),
                    sessionKey=chance.choice(sessions),
                    timestamp=NOON + chance.randint(0, 10_000),
                )
                for number in range(start, start + count)
            )
        )
    )


@pytest.mark.rule("7.2 pages", "11.4 depth")
async def test_each_row_of_the_first_page_comes_once_while_rows_and_vectors_arrive(
    make_user: MakeUser, request: pytest.FixtureRequest
) -> None:
    runs: int = request.config.getoption("--paged-searches")
    for seed in range(runs):
        chance = random.Random(seed)
        user = await make_user()
        stored = await log_many(user, chance, chance.randint(20, 60))
        limit, written, seen = chance.randint(3, 15), 100, list[str]()
        pages = user.client.messages.search_all(SearchMessagesRequest(query=QUERY, limit=limit))
        async for hit in pages:
            seen.append(hit.id)
            if len(seen) % limit == 0:  # between two pages
                await log_many(user, chance, 3, written)
                written += 3
        assert len(seen) == len(set(seen)), f"a row came twice with the seed {seed}"
        assert stored - set(seen) == set(), f"a row is missing with the seed {seed}"


@pytest.mark.rule("7.2 pages")
async def test_pages_keep_the_order_and_the_scores_of_the_first(user: TestUser, services: Services) -> None:
    chance = random.Random(1)
    await log_many(user, chance, 24)
    await embed(services, user)
    whole = (await search(user, QUERY, limit=24))["messages"]
    first = await search(user, QUERY, limit=6)
    await log_many(user, chance, 10, 100)
    await embed(services, user)
    rest = [await search(user, QUERY, limit=6, offset=offset) for offset in (6, 12, 18)]
    paged = [row for reply in (first, *rest) for row in reply["messages"]]
    assert [(row["id"], row["score"]) for row in paged] == [(row["id"], row["score"]) for row in whole]
    anew = await search(user, QUERY, limit=100)
    assert anew["pagination"]["returned"] == 34


async def test_pages_that_are_asked_for_at_the_same_time_share_one_order(user: TestUser) -> None:
    stored = await log_many(user, random.Random(2), 90)
    first = await search(user, QUERY, limit=10)
    rest = await asyncio.gather(*(search(user, QUERY, limit=10, offset=offset) for offset in range(10, 100, 10)))
    ids = [row["id"] for reply in (first, *rest) for row in reply["messages"]]
    assert (len(ids), set(ids)) == (90, stored)
    assert rest[-1]["pagination"]["hasMore"] is False


async def test_every_search_has_an_order_of_its_own(user: TestUser) -> None:
    for channel in ("east", "west"):
        for number in range(6):
            await log(user, f"lighthouse {number}", channel=channel)
    await search(user, "lighthouse", limit=3, channel="east")
    await search(user, "lighthouse", limit=3, channel="west")
    await search(user, "the lighthouse", limit=3, channel="east")
    second = await search(user, "lighthouse", limit=3, offset=3, channel="east")
    assert {row["channel"] for row in second["messages"]} == {"east"}
    assert second["pagination"] == {"limit": 3, "offset": 3, "returned": 3, "hasMore": False, "nextOffset": None}


async def test_a_page_shows_no_row_that_is_gone(user: TestUser, services: Services) -> None:
    ids = await log_many(user, random.Random(3), 9)
    await embed(services, user)  # which locks the rows in an order of its own
    first = {row["id"] for row in (await search(user, QUERY, limit=3))["messages"]}
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM message WHERE user_id = %(user)s", {"user": user.id})
    assert first < ids
    second = await search(user, QUERY, limit=3, offset=3)
    assert second["messages"] == []


async def test_later_pages_of_a_search_by_words_say_so(wordy: TestUser) -> None:
    await log_many(wordy, random.Random(4), 9)
    query = f"lighthouse {wordy.id.hex}"  # no other test has embedded it
    replies = [await search(wordy, query, limit=3, offset=offset) for offset in (0, 3, 6)]
    codes = [reply["degradation"]["code"] for reply in replies]
    assert codes == ["embedding_cap_exceeded"] * 3


async def _page(services: Services, user: TestUser, now: int) -> Json:
    """The messages from offset 3 of a search at the moment `now`, on a process that has not seen the first page."""
    context = await context_of(at(services, now), user)
    found = await search_messages(context, SearchMessagesRequest(query=QUERY, limit=3, offset=3))
    return {"ids": {row.id for row, _ in found.hits}, "next": found.next_offset}


async def test_an_order_ends_five_minutes_after_its_last_use(user: TestUser, services: Services) -> None:
    await log_many(user, random.Random(5), 8)
    start = services.clock()
    await search(user, QUERY, limit=3)
    before = await _page(services, user, start)
    await log_many(user, random.Random(6), 8, 100)
    for minutes in (4, 8, 12):
        assert await _page(services, user, start + minutes * 60_000) == before
    assert (await _page(services, user, start + 18 * 60_000))["next"] == 6
    await clear_away(await context_of(later(services, minutes=30), user))
    async with services.database.owner(user.id) as session:
        assert await session.value("SELECT count(*) FROM ranking WHERE user_id = %(user)s", {"user": user.id}) == 0


async def test_the_orders_of_a_user_stay_within_a_budget(user: TestUser, services: Services) -> None:
    size = MAX_IDS // 5
    start = services.clock()
    rows = [Ranked(new_id(), 0.5)] * size
    keys: list[UUID] = [rankings.key_of("test", number) for number in range(7)]
    for number, key in enumerate(keys):
        await rankings.keep(await context_of(at(services, start + number), user), key, Ranking(rows, exhausted=True))
    context = await context_of(at(services, start + 10), user)
    found = [await rankings.load(context, key, 0, 1) for key in keys]
    assert [one is not None for one in found] == [False, False, True, True, True, True, True]
