"""Association, consolidation and promotion (contract 13), on rows whose likeness is known to the degree."""

import math

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.lifecycle.associate import associate
from memd.lifecycle.consolidate import consolidate_and_promote
from tests.memd.lifecycle.rows import active, aged, column
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, later
from tests.support.service import TestUser
from tests.support.wire import memory, post, totals

SUPPORTS = math.degrees(math.acos(0.94))
ALIKE = math.degrees(math.acos(0.80))
UNLIKE = math.degrees(math.acos(0.70))
SENSORY = {"store": "sensory", "category": "conversation"}


async def links(services: Services, user: TestUser) -> set[tuple[str, float]]:
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT relationship_type, weight FROM association")
    return {(row["relationship_type"], round(row["weight"], 2)) for row in rows}


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(SUPPORTS, {("supports", 0.94)}), (ALIKE, {("co_occurred", 0.8)}), (UNLIKE, set())],
)
async def test_like_memories_are_linked_by_their_cosine(
    user: TestUser, services: Services, degrees: float, expected: set
) -> None:
    await aged(services, user, degrees=0)
    await aged(services, user, degrees=degrees)
    await associate(await context_of(services, user))
    assert await links(services, user) == expected


async def test_a_pair_is_not_compared_again_within_seven_days(user: TestUser, services: Services) -> None:
    await aged(services, user)
    await aged(services, user, degrees=ALIKE)
    assert await associate(await context_of(services, user)) == 1
    assert await associate(await context_of(later(services, days=6.9), user)) == 0
    assert await associate(await context_of(later(services, days=7.1), user)) == 1
    assert len(await links(services, user)) == 1


@pytest.mark.rule("11.6 groups")
async def test_links_stay_inside_one_channel_and_project(user: TestUser, services: Services) -> None:
    for where in ({}, {"channel": "slack"}, {"channel": "slack", "projectId": "p"}):
        await aged(services, user, **where)
    await associate(await context_of(services, user))
    assert await links(services, user) == set()


async def test_a_run_compares_a_hundred_memories(user: TestUser, services: Services) -> None:
    await aged(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence,
                                arousal, last_accessed_at, created_at, updated_at, content_hash, embedding_pending)
            SELECT user_id, uuidv7(), title, content || n, store, category, source, strength, confidence, valence,
                   arousal, last_accessed_at, created_at, updated_at, content_hash || n, false
            FROM memory, generate_series(1, 119) n
            """
        )

    async def compared() -> int:
        async with services.database.read(user.id) as session:
            return await session.value("SELECT count(*) FROM memory WHERE associated_at IS NOT NULL")

    for expected in (100, 120, 120):
        await associate(await context_of(services, user))
        assert await compared() == expected


async def test_similar_sensory_memories_become_one_event(user: TestUser, services: Services) -> None:
    sources = [
        await aged(services, user, days=2, degrees=number, content=f"The build failed, take {number}", **SENSORY)
        for number in range(3)
    ]
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    (row,) = (await active(user)).values()
    assert (row["store"], row["category"], row["source"]) == ("episodic", "event", "inference")
    assert (row["strength"], row["confidence"]) == (pytest.approx(0.6), pytest.approx(0.61))
    assert all(f"take {number}" in row["content"] for number in range(3))
    assert [await column(services, user, one, "archived_by") for one in sources] == ["job"] * 3
    assert await totals(user) == (1, 3)
    assert await consolidate_and_promote(await context_of(services, user)) == 0


@pytest.mark.parametrize(
    ("days", "degrees", "other"),
    [(0.9, 1, {}), (2, UNLIKE, {}), (2, 1, {"channel": "slack"}), (2, 1, {"store": "episodic", "category": "event"})],
)
async def test_what_is_young_unlike_elsewhere_or_no_impression_stays(
    user: TestUser, services: Services, days: float, degrees: float, other: dict
) -> None:
    await aged(services, user, days=days, **SENSORY)
    await aged(services, user, days=days, degrees=degrees, **SENSORY | other)
    assert await consolidate_and_promote(await context_of(services, user)) == 0
    assert len(await active(user)) == 2


async def test_a_run_looks_at_fifty_impressions_the_oldest_first(user: TestUser, services: Services) -> None:
    ids = [
        await aged(services, user, days=60 - number, degrees=number, channel=f"c{number}", **SENSORY)
        for number in range(52)
    ]
    await consolidate_and_promote(await context_of(services, user))
    looked_at = [await column(services, user, one, "consolidated_at") is not None for one in ids]
    assert looked_at == [True] * 50 + [False] * 2


async def test_a_cluster_takes_eight_neighbours_at_most(user: TestUser, services: Services) -> None:
    for number in range(11):
        await aged(services, user, days=3 - number / 100, degrees=number / 10, **SENSORY)
    await consolidate_and_promote(await context_of(services, user))
    events = [row for row in (await active(user)).values() if row["store"] == "episodic"]
    assert [len(row["content"].splitlines()) - 1 for row in events if "9 similar" in row["content"]] == [9]


PROVEN = {"strength": 0.8, "confidence": 0.8, "_access_count": 3, "store": "episodic", "category": "lesson"}


async def test_a_proven_event_gets_a_semantic_copy(user: TestUser, services: Services) -> None:
    event = await aged(
        services, user, days=2, title="Cache", content="Flush the cache first", channel="slack", **PROVEN
    )
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    rows = await active(user)
    (copy,) = [row for row in rows.values() if row["store"] == "semantic"]
    assert len(rows) == 2
    assert (copy["title"], copy["content"], copy["category"]) == ("Cache", "Flush the cache first", "lesson")
    assert (copy["channel"], copy["source"]) == ("slack", "inference")
    assert await column(services, user, copy["id"], "promoted_from") == decode("mem", event)
    assert await consolidate_and_promote(await context_of(services, user)) == 0


@pytest.mark.parametrize(
    "less", [{"_access_count": 2}, {"confidence": 0.79}, {"strength": 0.79}, {"store": "semantic"}]
)
async def test_an_unproven_event_is_not_promoted(user: TestUser, services: Services, less: dict) -> None:
    await aged(services, user, **PROVEN | less)
    assert await consolidate_and_promote(await context_of(services, user)) == 0


async def test_what_is_known_already_is_not_promoted(user: TestUser, services: Services) -> None:
    known = math.degrees(math.acos(0.93))
    await aged(services, user, **PROVEN)
    await aged(services, user, degrees=known, store="semantic")
    assert await consolidate_and_promote(await context_of(services, user)) == 0


async def test_what_is_only_close_to_something_known_is_promoted(user: TestUser, services: Services) -> None:
    close = math.degrees(math.acos(0.91))
    await aged(services, user, **PROVEN)
    await aged(services, user, degrees=close, store="semantic")
    assert await consolidate_and_promote(await context_of(services, user)) == 1


async def test_blocked_and_archived_memories_take_no_part(user: TestUser, services: Services) -> None:
    await aged(services, user, _blocked=True, **PROVEN)
    gone = await aged(services, user, **PROVEN)
    await post(user, "forget", {"memoryId": gone})
    assert await consolidate_and_promote(await context_of(services, user)) == 0
    assert (await memory(user, gone))["archived"] is True
