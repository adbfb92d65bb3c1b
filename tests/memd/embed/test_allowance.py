"""Contract 2.1: embedding calls of a UTC day. One text is one call; reads degrade, writes of memories are refused."""

import asyncio
from dataclasses import replace

import pytest

from memd.context import Context, Services
from memd.domain.types import Policy, Tier
from memd.embed import service
from tests.support.jobs import context_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post, send

DAY_MS = 86_400_000
PER_DAY = [(Tier.FREE, 50), (Tier.STARTER, 200), (Tier.PRO, 500), (Tier.ULTRA, 5000)]


async def used_up(services: Services, user: TestUser, *, but: int = 0) -> Context:
    """Spend the day's calls, all `but` some."""
    context = await context_of(services, user)
    limit = context.principal.allowance.embeddings_per_day or 0
    assert await service.take_allowance(context, limit - but) == limit - but
    return context


@pytest.mark.parametrize(("tier", "limit"), PER_DAY)
async def test_each_tier_gets_its_calls_of_a_day_and_no_more(
    services: Services, make_user: MakeUser, tier: Tier, limit: int
) -> None:
    context = await context_of(services, await make_user(tier=tier))
    assert await service.take_allowance(context, limit + 7) == limit
    assert await service.take_allowance(context, 1) == 0
    tomorrow = replace(context, now=(context.now // DAY_MS + 1) * DAY_MS)
    assert await service.take_allowance(tomorrow, 1) == 1


async def test_parallel_takings_never_overspend(services: Services, make_user: MakeUser) -> None:
    context = await context_of(services, await make_user(tier=Tier.FREE))
    granted = await asyncio.gather(*(service.take_allowance(context, 3) for _ in range(30)))
    assert sum(granted) == 50


async def test_background_work_uses_at_most_half_of_a_day(services: Services, make_user: MakeUser) -> None:
    context = await context_of(services, await make_user(tier=Tier.FREE))
    assert await service.take_allowance(context, 40, background=True) == 25
    assert await service.take_allowance(context, 1, background=True) == 0
    assert await service.take_allowance(context, 40) == 25


@pytest.mark.parametrize("policy", [Policy.MANAGED_UNLIMITED, Policy.SELF_HOSTED_UNMETERED])
async def test_without_a_limit_calls_are_counted_only(services: Services, make_user: MakeUser, policy: Policy) -> None:
    user = await make_user(policy=policy)
    context = await context_of(services, user)
    assert await service.take_allowance(context, 20_000) == 20_000
    await services.background_tasks.drain()
    usage = (await send(user, "GET", "/api/mcp/stats"))["usage"]
    assert (usage["embeddings_used_today"], usage["embeddings_limit"]) == (20_000, 999_999)


async def test_a_write_costs_one_call_and_a_repeated_query_none(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)

    async def spent() -> int:
        return (await send(user, "GET", "/api/mcp/stats"))["usage"]["embeddings_used_today"]

    await capture(user)
    found = [await spent()]
    for _ in range(3):
        await post(user, "search-messages", {"query": f"asked by {user.id}"})
        found.append(await spent())
    assert found == [1, 2, 2, 2]


@pytest.mark.parametrize("verb", ["update", "supersede"])
async def test_at_the_cap_edits_are_refused_and_nothing_is_written(
    services: Services, make_user: MakeUser, verb: str
) -> None:
    user = await make_user(tier=Tier.FREE)
    memory_id = await capture(user)
    await used_up(services, user, but=1)
    before = await send(user, "GET", "/api/memories")
    ids = {"memoryId": memory_id, "oldMemoryId": memory_id}
    refusal = await post(user, verb, {**ids, "title": "new", "content": "new words"}, status=429)
    assert (refusal["code"], refusal["dailyLimit"]) == ("embedding_cap_exceeded", 50)
    assert await send(user, "GET", "/api/memories") == before


async def test_at_the_cap_the_wait_is_until_midnight(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await used_up(services, user)
    refusal = await post(user, "capture", {"title": "t", "content": "c"}, status=429)
    ends = services.clock() + refusal["retryAfterMs"]
    assert abs(ends - (services.clock() // DAY_MS + 1) * DAY_MS) < 5_000


async def test_at_the_cap_messages_are_stored_and_found_by_their_words(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await used_up(services, user)
    await post(user, "log", {"role": "user", "content": "The heron stands in the pond"})
    reply = await post(user, "search-messages", {"query": f"heron {user.id}"})
    assert [row["content"] for row in reply["messages"]] == ["The heron stands in the pond"]
    degradation = reply["degradation"]
    assert (reply["degraded"], degradation["code"]) == (True, "embedding_cap_exceeded")
    assert (degradation["error"], degradation["dailyLimit"]) == ("Embedding daily cap exceeded", 50)
    assert 0 < degradation["retryAfterMs"] <= DAY_MS
