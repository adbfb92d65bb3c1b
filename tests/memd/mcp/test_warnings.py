"""A preflight finds what speaks against an action, whatever it was stored as; checkpoints say where work stood (14)."""

from typing import Any

import pytest

from tests.support.mcp import call
from tests.support.service import TestUser

MARKETING = "Marketing wants to be asked before anybody renames the Harbour product."


async def structured(user: TestUser, tool: str, **arguments: Any) -> dict[str, Any]:
    return (await call(user.http, tool, **arguments))["structuredContent"]


@pytest.mark.parametrize("category", ["person", "fact", "workflow", "skill", "rule"])
async def test_a_wish_is_found_whatever_its_category(user: TestUser, category: str) -> None:
    stored = await structured(user, "capture", title="Renaming", content=MARKETING, category=category)
    found = await structured(user, "preflight", action="rename the Harbour product")
    assert [(row["id"], row.get("weak")) for row in found["memories"]] == [(stored["id"], None)]


async def test_rules_come_before_what_merely_bears_on_the_action(user: TestUser) -> None:
    for number in range(8):
        content = f"Rename the Harbour product: step {number} is done by team {number}."
        await structured(user, "capture", title=f"Step {number}", content=content, category="fact")
    rule = "Never rename a product without telling the partners of the company about it first."
    stored = await structured(user, "capture", title="Partners", content=rule, category="rule")
    rows = (await structured(user, "preflight", action="rename the Harbour product"))["memories"]
    assert rows[0]["id"] == stored["id"]
    assert [row["category"] for row in rows[1:]] == ["fact"] * 5
    assert len((await structured(user, "preflight", action="rename the Harbour product", limit=3))["memories"]) <= 3


async def test_goals_and_small_talk_are_no_warnings(user: TestUser) -> None:
    for category in ("goal", "event", "conversation"):
        await structured(user, "capture", title=category, content=f"{MARKETING} ({category})", category=category)
    assert (await structured(user, "preflight", action="rename the Harbour product"))["memories"] == []


async def test_a_listed_checkpoint_says_what_the_state_of_the_work_was(user: TestUser) -> None:
    state = "The coupon field is done; the column expires_at is missing."
    await structured(user, "checkpoint", label="before coupons", description=state)
    await structured(user, "checkpoint", label="after coupons", semanticSummary="All is done.")
    rows = (await structured(user, "checkpoint", mode="list"))["checkpoints"]
    assert {row["label"]: row["text"] for row in rows} == {"before coupons": state, "after coupons": "All is done."}
