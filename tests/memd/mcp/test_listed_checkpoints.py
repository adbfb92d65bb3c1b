"""Listed checkpoints say where work stood (contract 14)."""

from typing import Any

import pytest

from memd.domain.types import Tier
from tests.support.mcp import call
from tests.support.service import MakeUser, TestUser


async def structured(user: TestUser, tool: str, **arguments: Any) -> dict[str, Any]:
    return (await call(user.http, tool, **arguments))["structuredContent"]


async def test_a_listed_checkpoint_says_what_the_state_of_the_work_was(user: TestUser) -> None:
    state = "The coupon field is done; the column expires_at is missing."
    await structured(user, "checkpoint", label="before coupons", description=state)
    await structured(user, "checkpoint", label="after coupons", semanticSummary="All is done.")
    rows = (await structured(user, "checkpoint", mode="list"))["checkpoints"]
    assert {row["label"]: row["text"] for row in rows} == {"before coupons": state, "after coupons": "All is done."}


@pytest.mark.parametrize(("tier", "is_limited"), [(Tier.UNLIMITED, False), (Tier.FREE, True)])
async def test_only_a_limit_is_named_an_allowance(make_user: MakeUser, tier: Tier, is_limited: bool) -> None:
    user = await make_user(tier=tier)
    made = await structured(user, "checkpoint", label="before coupons")
    listed = await structured(user, "checkpoint", mode="list")
    assert ("allowance" in made, "allowance" in listed) == (is_limited, is_limited)
