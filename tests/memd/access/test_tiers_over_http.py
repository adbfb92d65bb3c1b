"""Contract 2.1: what each tier and policy grants, as the service reports it."""

from typing import Any

import pytest

from memd.domain.types import Policy, Tier
from tests.support.service import MakeUser, TestUser
from tests.support.wire import send

NONE = 999_999
# tier, credits, embeddings, memories, messages, message TTL in days, checkpoints
TIERS = [
    (Tier.FREE, 100, 50, 500, 500, 7, 1),
    (Tier.STARTER, 250, 200, 25_000, 25_000, 30, 5),
    (Tier.PRO, 500, 500, 25_000, 25_000, 30, 5),
    (Tier.ULTRA, 2000, 5000, NONE, NONE, 90, 10),
    (Tier.UNLIMITED, NONE, NONE, NONE, NONE, 365, 20),
]
POLICIES = [
    (Policy.MANAGED_FREE, TIERS[0][1:]),
    (Policy.MANAGED_STARTER, TIERS[1][1:]),
    (Policy.MANAGED_PRO, TIERS[2][1:]),
    (Policy.MANAGED_ULTRA, TIERS[3][1:]),
    (Policy.MANAGED_UNLIMITED, TIERS[4][1:]),
    (Policy.SELF_HOSTED_UNMETERED, (NONE, NONE, NONE, NONE, 365)),
]


async def told(user: TestUser) -> tuple[Any, ...]:
    """Credits, embeddings, memories, messages and TTL, as headers and stats report them."""
    reply = await user.http.get("/api/mcp/stats")
    stats = reply.json()
    usage = stats["usage"]
    return (
        int(reply.headers["X-RateLimit-Limit"]),
        usage["embeddings_limit"],
        usage["memory_limit"],
        usage["messages_limit"],
        stats["ttlStatus"]["free_tier_expires_in_days"],
    )


@pytest.mark.parametrize("row", TIERS, ids=lambda row: row[0])
async def test_a_tier_grants_its_column_of_the_table(make_user: MakeUser, row: tuple[Any, ...]) -> None:
    tier, *numbers, checkpoints = row
    user = await make_user(tier=tier)
    assert await told(user) == tuple(numbers)
    listed = await send(user, "POST", "/api/mcp/checkpoint", {"mode": "list"})
    assert (listed["allowance"], listed["tier"]) == (checkpoints, tier)


@pytest.mark.parametrize(("policy", "numbers"), POLICIES)
async def test_a_policy_of_the_user_goes_before_the_tier(
    make_user: MakeUser, policy: Policy, numbers: tuple[int, ...]
) -> None:
    user = await make_user(tier=Tier.PRO, policy=policy)
    assert await told(user) == numbers[:5]
    who = await send(user, "GET", "/api/mcp/auth")
    assert (who["tier"], who["policy"]) == ("pro", policy)
