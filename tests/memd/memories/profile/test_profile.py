"""GET /api/profile: what is known about a subject (contract 17.5)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, post, send


async def profile(services: Services, user: TestUser, **query: Any) -> list[dict[str, Any]]:
    await done(services, user)
    return (await send(user, "GET", "/api/profile", **query))["profiles"]


@pytest.mark.rule("17.5 profile")
async def test_the_facts_of_a_subject_name_their_evidence(services: Services, user: TestUser) -> None:
    first = await capture(user, content="Ana lives in Oslo.", createdAt=1_000_000_000_000)
    second = await capture(user, content="As ever, the mill is closed. Ana lives in Oslo. Nice.")
    await capture(user, content="Ben's phone number is 555-1234.")
    (ana,) = await profile(services, user, subject="ana")
    (fact,) = ana["facts"]
    assert (ana["subject"], fact["attribute"], fact["value"]) == ("Ana", "residence", "Oslo")
    assert (fact["evidence"], fact["proofs"]) == ([second, first], 2)
    assert fact["firstSeen"] == 1_000_000_000_000
    assert fact["lastSeen"] > fact["firstSeen"]
    assert fact["staleDays"] == 0
    assert [one["subject"] for one in await profile(services, user)] == ["Ben", "Ana"]


@pytest.mark.rule("17.5 profile")
async def test_only_what_is_true_now_is_in_a_profile(services: Services, user: TestUser) -> None:
    old = await capture(user, content="Ana lives in Oslo.")
    await capture(user, content="Ana works at Acme.")
    await done(services, user)
    await post(user, "supersede", {"oldMemoryId": old, "title": "Ana", "content": "Ana lives in Rome."})
    await capture(user, content="Ana no longer works at Acme.")
    (ana,) = await profile(services, user)
    assert [(fact["attribute"], fact["value"]) for fact in ana["facts"]] == [("residence", "Rome")]


@pytest.mark.rule("17.5 profile")
async def test_two_values_of_one_attribute_are_contested(services: Services, user: TestUser) -> None:
    await capture(user, content="The mill is owned by Ben.")
    await capture(user, content="The mill is owned by Cleo.")
    (mill,) = await profile(services, user, subject="the mill")
    assert {fact["value"]: fact["contested"] for fact in mill["facts"]} == {"Ben": True, "Cleo": True}


@pytest.mark.rule("17.5 profile")
async def test_a_profile_obeys_the_channel(services: Services, user: TestUser) -> None:
    await capture(user, content="Ana lives in Oslo.", channel="telegram:11")
    assert await profile(services, user, channel="telegram:12") == []
    assert len(await profile(services, user, channel="telegram:11")) == 1
