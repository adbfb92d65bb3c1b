"""Somebody uses many things: a change contradicts what it replaces, and nothing else (contract 17.5)."""

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, post, send


@pytest.mark.rule("17.5 conflicts", "17.5 contested rows", "17.5 profile")
async def test_a_new_editor_does_not_contradict_the_shell(services: Services, user: TestUser) -> None:
    await capture(user, content="I switched from fish to nushell.")
    helix = await capture(user, content="I use Helix as my editor.")
    zed = await capture(user, content="I switched to Zed from Helix.")
    await done(services, user)
    (found,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert (found["oldId"], found["newId"], found["oldValue"], found["newValue"]) == (helix, zed, "Helix", "not Helix")
    rows = (await post(user, "recall", {"query": "which shell do I use?"}))["memories"]
    assert {row["id"] for row in rows if row.get("conflicts")} == {helix, zed}
    (profile,) = (await send(user, "GET", "/api/profile", subject="user"))["profiles"]
    assert {(fact["value"], fact.get("contested", False)) for fact in profile["facts"]} == {
        ("nushell", False),
        ("Zed", False),
    }
