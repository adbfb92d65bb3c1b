"""Reflections of one user at the same moment, and more memories than one run has time for (contract 6.11: never 503)."""

import asyncio

import pytest

from memd.context import Services
from memd.domain.types import Tier
from memd.reflection import service
from tests.memd.lifecycle.rows import active
from tests.memd.reflection.test_reflection import reflect, say
from tests.support.limits import another, client, principal_of
from tests.support.mcp import call
from tests.support.service import MakeUser, TestUser

RUNNING = "Another reflection of this user is running; only one runs at a time"


@pytest.mark.rule("6.11 reply")
async def test_who_reflects_twice_at_once_is_told_so_at_no_cost_and_others_are_not_affected(
    services: Services, make_user: MakeUser
) -> None:
    user, other = await make_user(tier=Tier.PRO), await make_user(tier=Tier.PRO)
    async with (
        another(services, limits_queue_wait_s=0) as (app, limited),
        client(app, user.key) as http,
        client(app, other.key) as others,
    ):
        async with limited.rate_limiter.alone(await principal_of(services, user), "reflection"):
            refusal = await http.post("/api/mcp/reflect", json={})
            assert (refusal.status_code, refusal.headers["Retry-After"]) == (429, "1")
            assert refusal.json() == {"error": "Rate limit exceeded", "retryAfterMs": 1000, "details": RUNNING}
            assert (await http.get("/api/version")).headers["X-RateLimit-Remaining"] == "500"
            over_mcp = await call(http, "reflect")
            assert over_mcp["content"][0]["text"] == f"Error: Rate limit exceeded: {RUNNING}"
            assert (await others.post("/api/mcp/reflect", json={})).status_code == 200
        assert (await http.post("/api/mcp/reflect", json={})).status_code == 200


@pytest.mark.rule("6.11 reply")
async def test_those_who_wait_find_that_the_first_one_has_done_it(user: TestUser) -> None:
    await say(user)
    replies = await asyncio.gather(*(reflect(user) for _ in range(6)))
    written = [reply["memoryIds"] for reply in replies if reply["memoryIds"]]
    assert len(written) == 1
    assert {reply["stats"].get("skipped") for reply in replies} == {None, "nothing_new"}


@pytest.mark.rule("6.11 reply")
async def test_what_does_not_fit_into_the_time_of_a_run_is_left_to_the_next_one(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RUN_S", -1.0)
    for channel in ("one", "two"):
        await say(user, channel=channel)
    counts = [(await reflect(user))["stats"]["summaryWritten"] for _ in range(3)]
    assert counts == [1, 1, 0]
    rows = (await active(user)).values()
    assert {row["channel"] for row in rows if row["title"].startswith("Reflection summary")} == {"one", "two"}
