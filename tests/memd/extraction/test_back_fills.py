"""Memories of messages that arrive, or are extracted, after later ones date from when they were said (contract 11.6, row)."""

from datetime import UTC, datetime

import pytest

from memd.context import Services
from memd.extraction import service
from tests.memd.extraction.test_extraction import extracted, turn
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import send


def moment(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, 9, tzinfo=UTC).timestamp() * 1000)


async def say(user: TestUser, services: Services, turn_id: str, text: str, timestamp: int | None = None) -> None:
    await turn(user, turn_id, text, **({} if timestamp is None else {"timestamp": timestamp}))
    await service.extract_turn(await context_of(services, user), turn_id)


@pytest.mark.rule("11.6 row")
async def test_a_memory_of_an_old_message_dates_from_when_it_was_said(user: TestUser, services: Services) -> None:
    said_at = moment(2024, 5, 6)
    await say(user, services, "t1", "I live in Lisbon.", said_at)
    (row,) = await extracted(user)
    assert row["createdAt"] == said_at


@pytest.mark.rule("11.6 row")
async def test_a_memory_of_a_new_message_dates_from_its_extraction(user: TestUser, services: Services) -> None:
    before = services.clock()
    await say(user, services, "t1", "I live in Lisbon.", before - 60_000)
    (row,) = await extracted(user)
    assert before <= row["createdAt"] <= services.clock()


@pytest.mark.rule("11.6 row")
async def test_what_is_extracted_after_later_messages_dates_from_when_it_was_said(
    user: TestUser, services: Services
) -> None:
    said = {"Lisbon": services.clock() - 60_000, "Porto": services.clock() - 50_000, "Faro": services.clock() - 40_000}
    for place, timestamp in said.items():
        await turn(user, place, f"My sister in {place} works as a nurse.", timestamp=timestamp, sessionKey=place)
    before = services.clock()
    for place in ("Porto", "Lisbon", "Faro"):
        await service.extract_turn(await context_of(services, user), place)
    rows = await extracted(user)
    created = {place: row["createdAt"] for place in said for row in rows if place in row["content"]}
    assert before <= created["Porto"] <= created["Faro"]
    assert created["Lisbon"] == said["Lisbon"]


@pytest.mark.rule("17.5 conflicts")
async def test_of_talks_that_arrive_in_the_wrong_order_the_later_one_is_the_newer_one(
    user: TestUser, services: Services
) -> None:
    await say(user, services, "t1", "I live in Lisbon.", moment(2025, 5, 6))
    await done(services, user)
    await say(user, services, "t2", "I live in Porto.", moment(2024, 5, 6))
    await done(services, user)
    places = {row["id"]: row["content"] for row in await extracted(user)}
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert "Porto" in places[conflict["oldId"]]
    assert "Lisbon" in places[conflict["newId"]]
