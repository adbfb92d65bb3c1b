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


@pytest.mark.rule("17.5 conflicts")
async def test_another_version_of_a_product_comes_first_and_another_product_contradicts_nothing(
    services: Services, user: TestUser
) -> None:
    old = await capture(user, content="We use Python 3.12.")
    new = await capture(user, content="We have upgraded to Python 3.13.")
    for other in ("We use Redis.", "We run Postgres 17."):
        await capture(user, content=other)
    await done(services, user)
    (row,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert (row["oldId"], row["newId"], row["certainty"]) == (old, new, 0.6)
    assert (row["oldValue"], row["newValue"]) == ("Python 3.12", "Python 3.13")
    found = await post(user, "recall", {"query": "which Python version do we use?"})
    assert [row["id"] for row in found["memories"][:2]] == [new, old]
