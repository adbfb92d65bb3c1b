"""Score and choice of a recall over HTTP (contract 11.1, 11.2)."""

from math import exp
from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.jobs import done, enriched
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

DAY = 86_400_000
LONG = (
    "The boiler was serviced in March, the valve was changed in May, and since then nobody has looked at it again. " * 2
)


async def rows(user: TestUser, query: str = "boiler", **fields: Any) -> list[Json]:
    return (await post(user, "recall", {"query": query} | fields))["memories"]


async def ids(user: TestUser, query: str = "boiler", **fields: Any) -> list[str]:
    return [row["id"] for row in await rows(user, query, **fields)]


async def change(services: Services, user: TestUser, memory_id: str, **columns: Any) -> None:
    """Give a stored memory other facts than capture can."""
    changes = ", ".join(f"{name} = %({name})s" for name in columns)
    async with services.database.write(user.id) as session:
        await session.execute(
            f"UPDATE memory SET {changes} WHERE id = %(id)s", columns | {"id": decode("mem", memory_id)}
        )


@pytest.mark.rule("11.2 strength", "11.2 recency", "11.2 access", "11.2 keyword")
async def test_the_parts_of_a_score(user: TestUser, services: Services) -> None:
    memory_id = await capture(user, title="Boiler", content="warm and old", tags=["cellar"], strength=0.6)
    now = services.clock()
    await change(services, user, memory_id, created_at=now - 10 * DAY, last_accessed_at=now - 5 * DAY, access_count=7)
    (row,) = await rows(user, "boiler cellar roof")
    signals = row["rankingSignals"]
    assert signals["strengthScore"] == pytest.approx(0.6)
    assert signals["freshnessScore"] == pytest.approx(exp(-0.12 * 10), abs=1e-4)
    assert signals["accessScore"] == pytest.approx(0.55 * 7 / 20 + 0.45 * exp(-0.08 * 5), abs=1e-4)
    assert signals["textMatchScore"] == pytest.approx(2 / 3)
    assert signals["projectBoost"] == 0
    assert "sourceRoleScore" not in signals


@pytest.mark.rule("11.2 project", "6.2 projectId, repoSlug")
async def test_the_same_project_is_lifted(user: TestUser) -> None:
    mine = await capture(user, content="boiler of mine", projectId="house")
    plain = await capture(user, content="boiler of all")
    boosts = {row["id"]: row["rankingSignals"]["projectBoost"] for row in await rows(user, projectId="house")}
    assert boosts == {mine: pytest.approx(0.05), plain: 0}


@pytest.mark.rule("11.2 graph link")
async def test_what_the_graph_knows_well_is_lifted(user: TestUser, services: Services) -> None:
    known = await enriched(services, user, title="Trieste", content="Trieste has a boiler.")
    found = {row["id"]: row["rankingSignals"]["graphBoost"] for row in await rows(user)}
    assert found == {known: pytest.approx(0.05)}


@pytest.mark.rule("11.2 shown only")
@pytest.mark.parametrize(
    ("channel", "stored", "continuity"),
    [("slack", "slack", 1), ("slack", None, 0), (None, "slack", 0), ("peer-coach:7", "peer-coach:7", None)],
)
async def test_continuity_is_shown_except_to_peers(
    user: TestUser, channel: str | None, stored: str | None, continuity: float | None
) -> None:
    await capture(user, content="boiler", channel=stored)
    (row,) = await rows(user, channel=channel)
    assert row["rankingSignals"].get("continuityScore") == continuity


async def test_of_equally_relevant_memories_a_stronger_a_newer_and_a_more_used_one_comes_first(
    user: TestUser, services: Services
) -> None:
    now = services.clock()
    facts: list[Json] = [{}, {"strength": 0.9}, {"created_at": now - 30 * DAY}, {"access_count": 20}]
    stores = ("semantic", "episodic", "procedural", "prospective")
    made = [
        await capture(user, title="T", content=f"boiler{' ' * number}", store=store)
        for number, store in enumerate(stores)
    ]
    for memory_id, fact in zip(made, facts, strict=True):
        await change(services, user, memory_id, **{"strength": 0.5, **fact})
    await done(services, user)  # the graph lifts rows that it knows
    order = await ids(user)
    assert order[-1] == made[2]
    assert order.index(made[1]) < order.index(made[0])
    assert order.index(made[3]) < order.index(made[0])


@pytest.mark.rule("11.1.7")
async def test_of_identical_contents_only_the_best_stays(user: TestUser) -> None:
    weak = await capture(user, content="The boiler.", store="semantic", strength=0.1)
    strong = await capture(user, content="The boiler.", store="episodic", strength=0.9)
    other = await capture(user, content="The boiler. ", store="procedural", strength=0.1)
    reply = await post(user, "recall", {"query": "boiler"})
    assert [row["id"] for row in reply["memories"]] == [strong, other]
    assert reply["diagnostics"]["suppressions"] == {"duplicate": 1}
    assert weak not in {row["id"] for row in reply["memories"]}


@pytest.mark.rule("11.1.8", "6.2 collapseNearDuplicates")
async def test_near_duplicates_collapse_unless_the_request_says_otherwise(user: TestUser) -> None:
    for ending in ("one", "two"):
        await capture(user, title="Boiler report", content=f"{LONG}{ending}")
    assert len(await ids(user)) == 1
    assert len(await ids(user, collapseNearDuplicates=False)) == 2
    await capture(user, title="Boiler report 2", content=f"{LONG}three")
    assert len(await ids(user)) == 2


@pytest.mark.rule("11.2 clock")
async def test_equal_input_gives_equal_order(user: TestUser, services: Services) -> None:
    for number in range(8):
        await capture(user, content=f"boiler {number}")
    await done(services, user)
    assert await ids(user, limit=8) == await ids(user, limit=8)
