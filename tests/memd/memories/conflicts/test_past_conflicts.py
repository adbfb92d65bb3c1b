"""Rows that contradicted each other at a past moment: recall marks them as it would have then (contract 17.5, 6.2)."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.services import now_ms
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, post, send

DAY = 86_400_000


async def marked(user: TestUser, **moment: Any) -> dict[str, list[tuple[str, bool]]]:
    """For each row of a recall the memories that contradict it, and whether it is the newer one."""
    rows = (await post(user, "recall", {"query": "where does Ana live?"} | moment))["memories"]
    return {row["id"]: [(one["memoryId"], one["newer"]) for one in row.get("conflicts", [])] for row in rows}


@pytest.mark.rule("17.5 asOf")
async def test_imported_memories_contradict_each_other_from_when_both_were_learned(
    services: Services, user: TestUser
) -> None:
    now = now_ms()
    old = await capture(user, content="Ana lives in Oslo.", createdAt=now - 30 * DAY)
    new = await capture(user, content="Ana lives in Rome.", createdAt=now - 10 * DAY)
    await done(services, user)
    both = {old: [(new, False)], new: [(old, True)]}
    assert await marked(user, asOf=now - 5 * DAY) == both
    assert await marked(user, asOf=now - 20 * DAY) == {old: []}
    assert await marked(user) == both


@pytest.mark.rule("17.5 asOf")
@pytest.mark.parametrize("decision", ["supersede", "keep_both"])
async def test_a_conflict_was_open_until_it_was_decided(services: Services, user: TestUser, decision: str) -> None:
    old = await capture(user, content="Ana lives in Oslo.")
    new = await capture(user, content="Ana lives in Rome.")
    await done(services, user)
    before = now_ms()
    await asyncio.sleep(0.01)  # the decision falls into a later millisecond
    (row,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    await send(user, "POST", f"/api/conflicts/{row['id']}", {"decision": decision})
    assert await marked(user, knownAt=before) == {old: [(new, False)], new: [(old, True)]}
    assert all(not found for found in (await marked(user, knownAt=now_ms())).values())


@pytest.mark.rule("17.5 asOf")
async def test_a_text_that_was_changed_later_did_not_contradict_before(services: Services, user: TestUser) -> None:
    now = now_ms()
    old = await capture(user, content="Ana lives in Oslo.", createdAt=now - 30 * DAY)
    new = await capture(user, content="Ana likes Rome.", createdAt=now - 10 * DAY)
    await post(user, "update", {"memoryId": new, "content": "Ana lives in Rome."})
    await done(services, user)
    assert (await marked(user, asOf=now - 5 * DAY))[old] == []
    assert (await marked(user))[old] == [(new, False)]
