"""GET and POST /api/mcp/stats (contract 6.10): counts, what is used of the tier, the strongest memories."""

import pytest

from memd.context import Services
from memd.domain.types import Category, Policy, Store, Tier
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send


async def stats(user: TestUser, method: str = "GET") -> Json:
    return await send(user, method, "/api/mcp/stats")


@pytest.mark.rule("6.10 memoryCount", "6.10 total and other counts")
async def test_a_new_user_has_every_field(user: TestUser) -> None:
    reply = await stats(user)
    assert reply["memoryCount"] == {
        "byStore": dict.fromkeys([store.value for store in Store], 0),
        "byCategory": dict.fromkeys([category.value for category in Category], 0),
    }
    assert reply["byStore"] == reply["memoryCount"]["byStore"]
    numbers = ("total", "totalMemories", "count", "archived", "archivedCount", "avgStrength", "recentCaptures")
    assert {name: reply[name] for name in numbers} == dict.fromkeys(numbers, 0)
    assert (reply["strongest"], reply["enrichmentPercent"], reply["apiKeyLabel"]) == ([], 0, "test")
    assert reply["knowledgeBases"] == {"active": 0, "archived": 0, "chunks": 0}


async def test_get_and_post_answer_alike(services: Services, user: TestUser) -> None:
    await capture(user)
    await done(services, user)
    await services.background_tasks.drain()
    assert await stats(user) == await stats(user, "POST")


@pytest.mark.rule("6.10 memoryCount", "6.10 total and other counts")
async def test_memories_are_counted_by_store_and_category_without_archived_ones_and_chunks(user: TestUser) -> None:
    await capture(user, store="semantic", category="rule")
    await capture(user, store="semantic", category="fact")
    await post(user, "forget", {"memoryId": await capture(user, store="semantic", category="rule")})
    await fill(user, await make_base(user), chunk("words"), chunk("other words"))
    reply = await stats(user)
    counts = reply["memoryCount"]
    assert {name: count for name, count in counts["byStore"].items() if count} == {"semantic": 2}
    assert {name: count for name, count in counts["byCategory"].items() if count} == {"rule": 1, "fact": 1}
    assert {reply[name] for name in ("total", "totalMemories", "count")} == {2}
    assert {reply[name] for name in ("archived", "archivedCount")} == {1}
    assert reply["knowledgeBases"] == {"active": 1, "archived": 0, "chunks": 2}


@pytest.mark.rule("6.10 total and other counts")
async def test_an_archived_knowledge_base_is_listed_separately(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("words"))
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    assert (await stats(user))["knowledgeBases"] == {"active": 0, "archived": 1, "chunks": 0}


@pytest.mark.rule("6.10 total and other counts")
async def test_strength_is_the_mean_and_the_ten_strongest_are_named(user: TestUser) -> None:
    ids = [await capture(user, strength=number / 20) for number in range(12)]
    reply = await stats(user)
    assert reply["avgStrength"] == pytest.approx(sum(range(12)) / 20 / 12, abs=1e-4)
    assert [row["id"] for row in reply["strongest"]] == ids[:1:-1]
    assert set(reply["strongest"][0]) == {"id", "title", "store", "category", "strength"}


@pytest.mark.rule("6.10 total and other counts")
async def test_captures_of_the_last_day_are_recent(services: Services, user: TestUser) -> None:
    now = services.clock()
    for age in (0, 23 * 3_600_000, 25 * 3_600_000):
        await capture(user, createdAt=now - age)
    assert (await stats(user))["recentCaptures"] == 2


@pytest.mark.rule("6.10 ttlStatus.messages_stored")
async def test_messages_are_counted(user: TestUser) -> None:
    for content in ("one", "two"):
        await post(user, "log", {"role": "user", "content": content})
    assert (await stats(user))["ttlStatus"]["messages_stored"] == 2


@pytest.mark.rule(
    "6.10 ttlStatus.free_tier_expires_in_days",
    "6.10 usage.tier, memory_limit, memories_used, percent_used",
    "6.10 usage.policy, messages_limit, embeddings_used_today, embeddings_limit",
)
@pytest.mark.parametrize(
    ("tier", "days", "memories", "messages", "embeddings"),
    [
        (Tier.FREE, 7, 500, 500, 50),
        (Tier.STARTER, 30, 25_000, 25_000, 200),
        (Tier.PRO, 30, 25_000, 25_000, 500),
        (Tier.ULTRA, 90, 999_999, 999_999, 5000),
        (Tier.UNLIMITED, 365, 999_999, 999_999, 999_999),
    ],
)
async def test_usage_tells_the_limits_of_the_tier(
    make_user: MakeUser, tier: Tier, days: int, memories: int, messages: int, embeddings: int
) -> None:
    user = await make_user(tier=tier)
    await capture(user)
    reply = await stats(user)
    assert reply["ttlStatus"]["free_tier_expires_in_days"] == days
    usage = reply["usage"]
    assert (usage["tier"], usage["policy"]) == (tier, f"managed_{tier}")
    limits = (usage["memory_limit"], usage["messages_limit"], usage["embeddings_limit"])
    assert limits == (memories, messages, embeddings)
    assert usage["memories_used"] == 1


@pytest.mark.rule("6.10 usage.policy, messages_limit, embeddings_used_today, embeddings_limit")
async def test_embedding_calls_of_the_day_are_reported(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.PRO)
    for _ in range(3):
        await capture(user)
    assert (await stats(user))["usage"]["embeddings_used_today"] == 3


@pytest.mark.rule("6.10 usage.tier, memory_limit, memories_used, percent_used")
async def test_an_explicit_policy_is_reported_beside_the_tier(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE, policy=Policy.SELF_HOSTED_UNMETERED)
    usage = (await stats(user))["usage"]
    assert (usage["tier"], usage["policy"]) == ("free", "self_hosted_unmetered")
    assert (usage["memory_limit"], usage["percent_used"]) == (999_999, 0)


@pytest.mark.rule(
    "6.10 ttlStatus.free_tier_expires_in_days",
    "6.10 usage.policy, messages_limit, embeddings_used_today, embeddings_limit",
)
@pytest.mark.parametrize(
    ("policy", "days", "messages", "embeddings"),
    [(Policy.MANAGED_ULTRA, 90, 999_999, 5000), (Policy.SELF_HOSTED_UNMETERED, 365, 999_999, 999_999)],
)
async def test_a_policy_of_the_users_own_decides(
    make_user: MakeUser, policy: Policy, days: int, messages: int, embeddings: int
) -> None:
    reply = await stats(await make_user(tier=Tier.FREE, policy=policy))
    usage = reply["usage"]
    assert (reply["ttlStatus"]["free_tier_expires_in_days"], usage["policy"]) == (days, policy)
    assert (usage["messages_limit"], usage["embeddings_limit"]) == (messages, embeddings)


@pytest.mark.rule("6.10 total and other counts")
async def test_the_share_that_the_graph_knows(services: Services, user: TestUser) -> None:
    for number in range(3):
        await capture(user, content=f"Anna owns boat {number}.")
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET graph_enriched = false WHERE id = (SELECT id FROM memory ORDER BY id LIMIT 1)"
        )
    assert (await stats(user))["enrichmentPercent"] == 66.67


@pytest.mark.rule("6.10 usage.tier, memory_limit, memories_used, percent_used")
async def test_percent_used_has_two_decimals(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.STARTER)
    for _ in range(3):
        await capture(user)
    assert (await stats(user))["usage"]["percent_used"] == 0.01
    free = await make_user(tier=Tier.FREE)
    for _ in range(3):
        await capture(free)
    assert (await stats(free))["usage"]["percent_used"] == 0.6


async def test_nothing_of_another_user_is_counted(make_user: MakeUser, user: TestUser) -> None:
    await capture(await make_user())
    assert (await stats(user))["total"] == 0
