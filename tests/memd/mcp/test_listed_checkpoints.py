"""Checkpoints say where work stood, in their list and to a new session (contract 14, 17.4)."""

import pytest

from memd.domain.text.token_estimate import estimate_tokens
from memd.domain.types import Tier
from tests.support.mcp import structured
from tests.support.service import MakeUser, TestUser


async def test_a_listed_checkpoint_says_what_the_state_of_the_work_was(user: TestUser) -> None:
    state = "The coupon field is done; the column expires_at is missing."
    await structured(user, "checkpoint", label="before coupons", description=state)
    await structured(user, "checkpoint", label="after coupons", semanticSummary="All is done.")
    rows = (await structured(user, "checkpoint", mode="list"))["checkpoints"]
    assert {row["label"]: row["text"] for row in rows} == {"before coupons": state, "after coupons": "All is done."}


async def test_a_new_session_learns_where_work_stood(user: TestUser) -> None:
    assert "checkpoint" not in await structured(user, "wake", channel="desk")
    state = "The coupon field is done; the column expires_at is missing."
    await structured(user, "checkpoint", label="before\ncoupons", description=state, channel="desk")
    said = (await structured(user, "wake", channel="desk"))["checkpoint"]
    assert said[10:] == f" before coupons: {state}"
    assert "checkpoint" not in await structured(user, "wake", channel="another desk")
    await structured(user, "checkpoint", label="later", description="word " * 900, channel="desk")
    assert estimate_tokens((await structured(user, "wake", channel="desk"))["checkpoint"]) <= 100


@pytest.mark.parametrize(("tier", "is_limited"), [(Tier.UNLIMITED, False), (Tier.FREE, True)])
async def test_only_a_limit_is_named_an_allowance(make_user: MakeUser, tier: Tier, is_limited: bool) -> None:
    user = await make_user(tier=tier)
    made = await structured(user, "checkpoint", label="before coupons")
    listed = await structured(user, "checkpoint", mode="list")
    assert ("allowance" in made, "allowance" in listed) == (is_limited, is_limited)


async def test_a_checkpoint_is_not_deleted_by_a_tool_that_is_listed_as_harmless(user: TestUser) -> None:
    made = await structured(user, "checkpoint", label="before coupons")
    for more in ({}, {"label": "before coupons"}):
        refusal = await structured(user, "checkpoint", mode="delete", **more)
        assert refusal["details"] == "Field mode must be one of: create, list"
    assert [row["id"] for row in (await structured(user, "checkpoint", mode="list"))["checkpoints"]] == [made["id"]]
