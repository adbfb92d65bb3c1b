"""Memories date from when their messages were said, however late these arrive (contract 11.6, row)."""

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
async def test_a_memory_of_a_new_message_dates_from_when_it_was_said(user: TestUser, services: Services) -> None:
    said_at = services.clock() - 60_000
    await say(user, services, "t1", "I live in Lisbon.", said_at)
    (row,) = await extracted(user)
    assert row["createdAt"] == said_at


@pytest.mark.rule("11.6 row")
async def test_a_memory_of_a_clock_that_was_ahead_dates_from_when_its_message_arrived(
    user: TestUser, services: Services
) -> None:
    before = services.clock()
    await say(user, services, "t1", "I live in Lisbon.", before + 3_600_000)
    (row,) = await extracted(user)
    assert before <= row["createdAt"] <= services.clock()


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
