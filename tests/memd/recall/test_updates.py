"""Of memories that say the same with another value the newer one comes first, over HTTP (contract 11.2, conflictBoost)."""

import pytest

from memd.context import Services
from memd.lifecycle.consolidate import consolidate_and_promote
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

SPRING, AUTUMN = 1_775_000_000_000, 1_790_000_000_000
PAIRS = (
    ("Application logs are kept for 30 days.", "Application logs are kept for 90 days since the audit."),
    (
        "Decision: we use git-flow with long-lived branches.",
        "Decision: short-lived branches on trunk replace git-flow.",
    ),
    ("Passwords must have 10 characters.", "Passwords must have 14 characters."),
    ("Our dog is called Rufus.", "Our dog is called Rufus and is a beagle that is five years old."),
    ("We plan a trip to Rome in May.", "The trip to Rome is called off."),
    ("The CI of Lotse runs on Jenkins.", "CI for Lotse is GitHub Actions; Jenkins was switched off."),
    ("Aylin does our social media.", "Aylin left; Tarek does the social media from now on."),
    ("Papa raucht Pfeife.", "Papa hat aufgehört zu rauchen."),
)


async def recall(user: TestUser, query: str, **fields: object) -> list[Json]:
    return (await post(user, "recall", {"query": query} | fields))["memories"]


async def keep(services: Services, user: TestUser) -> None:
    """The pairs; the older memory is stronger, so that all but its age speaks for it."""
    for older, newer in PAIRS:
        await capture(user, title="Note", content=older, createdAt=SPRING, strength=1.0)
        await capture(user, title="Note", content=newer, createdAt=AUTUMN, strength=0.2)
    await done(services, user)


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("query", "pair"),
    [
        ("How long are application logs kept?", 0),
        ("What did we decide about branches?", 1),
        ("How many characters must passwords have?", 2),
        ("What is our dog called?", 3),
        ("When is the trip to Rome?", 4),
        ("Does the CI of Lotse still run on Jenkins?", 5),
        ("What changed about the CI of Lotse?", 5),
        ("Who does our social media?", 6),
        ("Raucht Papa?", 7),
    ],
)
async def test_the_newer_statement_is_first(services: Services, user: TestUser, query: str, pair: int) -> None:
    await keep(services, user)
    first, second, *_ = await recall(user, query)
    assert (second["content"], first["content"]) == PAIRS[pair]
    assert first["rankingSignals"]["conflictBoost"] > 0
    assert first.get("weak") is None
    assert first["score"] >= second["score"]


@pytest.mark.rule("11.2 conflictBoost")
async def test_a_question_about_the_past_is_answered_by_what_was_true_then(services: Services, user: TestUser) -> None:
    await keep(services, user)
    query = "How many characters must passwords have?"
    for fields in (
        {"query": query, "validAt": SPRING + 1},
        {"query": "How many characters did passwords have before?"},
    ):
        assert (await recall(user, **fields))[0]["content"] == PAIRS[2][0]
    assert (await recall(user, "Passwords of 10 characters"))[0]["content"] == PAIRS[2][0]


@pytest.mark.rule("11.2 conflictBoost")
async def test_a_question_for_an_earlier_place_lifts_no_row_above_another(services: Services, user: TestUser) -> None:
    """The conflict is about the wiki, the question about its host."""
    await capture(user, title="Note", content="Our wiki is hosted at Hetzner.", createdAt=SPRING)
    await capture(user, title="Note", content="Our wiki is hosted at Scaleway.", createdAt=AUTUMN)
    await done(services, user)
    rows = await recall(user, "Where was our wiki hosted before?")
    assert all("conflictBoost" not in row["rankingSignals"] for row in rows)


@pytest.mark.rule("11.2 conflictBoost")
async def test_a_question_that_names_a_limit_or_an_age_is_about_now(services: Services, user: TestUser) -> None:
    await keep(services, user)
    for query in (
        "How old must passwords be, and how many characters?",
        "How many characters before I set a password?",
    ):
        assert (await recall(user, query))[0]["content"] == PAIRS[2][1]


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "The backup of the wiki runs at 2:00.",
            "The backup of the shop runs at 4:00, two hours after the wiki.",
            "When does the backup of the wiki run?",
        ),
        (
            "Paula's passport expires in 2027.",
            "Felix's passport expires in 2029, Paula has a copy.",
            "When does Paula's passport expire?",
        ),
    ],
)
async def test_the_same_of_another_thing_is_no_newer_value(
    services: Services, user: TestUser, older: str, newer: str, query: str
) -> None:
    await capture(user, title="Note", content=older, createdAt=SPRING)
    await capture(user, title="Note", content=newer, createdAt=AUTUMN)
    await done(services, user)
    assert (await recall(user, query))[0]["content"] == older


async def grown(services: Services, user: TestUser, **assigned: str) -> None:
    """Set columns of all memories, then consolidate and promote."""
    async with services.database.write(user.id) as session:
        assignments = ", ".join(f"{name} = {value}" for name, value in assigned.items())
        await session.execute(f"UPDATE memory SET {assignments} WHERE user_id = %(user)s", {"user": user.id})
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    await done(services, user)


@pytest.mark.rule("11.2 conflictBoost", "11.6 derived rows")
async def test_a_promoted_copy_is_as_old_as_its_event(services: Services, user: TestUser) -> None:
    older, newer = PAIRS[2]
    proven = {"strength": 0.9, "confidence": 0.9, "store": "episodic", "category": "lesson"}
    await capture(user, title="Note", content=older, createdAt=SPRING, **proven)
    await capture(user, title="Note", content=newer, createdAt=AUTUMN, strength=0.2)
    await done(services, user)
    await grown(services, user, access_count="3")
    rows = await recall(user, "How many characters must passwords have?")
    assert [row["content"] for row in rows] == [newer, older]
    earlier = await recall(user, "How many characters must passwords have?", validAt=SPRING + 1)
    assert earlier[0]["content"] == older


@pytest.mark.rule("11.2 fact", "11.6 derived rows")
async def test_a_consolidation_states_a_fact_as_of_its_newest_source(services: Services, user: TestUser) -> None:
    for number in range(2):
        content = f"Ana lives in Rome. She said so {number} times."
        await capture(user, title="Note", content=content, createdAt=SPRING + number, store="sensory")
    await capture(user, title="Note", content="Ana moved to Oslo.", createdAt=AUTUMN)
    await done(services, user)
    await grown(services, user, strength="0.5")
    first, second = await recall(user, "Where does Ana live?")
    assert (first["content"], "Rome" in second["content"]) == ("Ana moved to Oslo.", True)
    assert (first["rankingSignals"]["factScore"], second["rankingSignals"].get("factScore")) == (0.4, None)
