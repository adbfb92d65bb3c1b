"""Listed checkpoints say where work stood (contract 14)."""

from typing import Any

from tests.support.mcp import call
from tests.support.service import TestUser


async def structured(user: TestUser, tool: str, **arguments: Any) -> dict[str, Any]:
    return (await call(user.http, tool, **arguments))["structuredContent"]


async def test_a_listed_checkpoint_says_what_the_state_of_the_work_was(user: TestUser) -> None:
    state = "The coupon field is done; the column expires_at is missing."
    await structured(user, "checkpoint", label="before coupons", description=state)
    await structured(user, "checkpoint", label="after coupons", semanticSummary="All is done.")
    rows = (await structured(user, "checkpoint", mode="list"))["checkpoints"]
    assert {row["label"]: row["text"] for row in rows} == {"before coupons": state, "after coupons": "All is done."}
