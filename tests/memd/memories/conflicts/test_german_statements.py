"""German statements of users, as extraction keeps them (contract 11.6): a later one contradicts an earlier one (17.5)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, send

pytestmark = pytest.mark.rule("17.5 conflicts")


async def conflicts(services: Services, user: TestUser, old: str, new: str) -> list[dict[str, Any]]:
    for statement in (f"User (20 November 2026): {old}", f"User (27 November 2026): {new}"):
        await capture(user, content=statement)
        await done(services, user)
    return (await send(user, "GET", "/api/conflicts"))["conflicts"]


async def test_a_move_contradicts_where_the_user_lived(services: Services, user: TestUser) -> None:
    (row,) = await conflicts(services, user, "Ich wohne in Graz.", "Ich bin nach Wien gezogen.")
    assert (row["subject"], row["attribute"], row["oldValue"], row["newValue"]) == ("user", "residence", "Graz", "Wien")
    assert row["certainty"] == 0.95


async def test_another_boss_contradicts(services: Services, user: TestUser) -> None:
    (row,) = await conflicts(services, user, "Mein Chef heißt Jonas Wirth.", "Mein neuer Chef heißt Paul Adler.")
    assert (row["oldValue"], row["newValue"]) == ("Jonas Wirth", "Paul Adler")


async def test_a_second_sister_does_not(services: Services, user: TestUser) -> None:
    assert await conflicts(services, user, "Meine Schwester heißt Rahel.", "Meine Schwester heißt Judith.") == []
