"""Memories out of conversation (contract 11.6, 7.6, 13): what is read, what is written, and that it happens once."""

import asyncio
from typing import Any

import pytest
import pytest_asyncio

from memd.context import Services
from memd.domain.ids import decode
from memd.domain.types import Tier
from memd.extraction import jobs, service
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, later
from tests.support.service import MakeUser, TestUser
from tests.support.talk import log
from tests.support.wire import Json, capture, memory, post, send

DECISION = "We decided to deploy the payments service on Fridays only after the smoke tests are green."
LESSON = "I learned that the Redis cache always has to be flushed before a migration."


async def turn(user: TestUser, turn_id: str, content: str = DECISION, **fields: Any) -> Json:
    body = {"sessionKey": "s1", "channel": "slack", "turnId": turn_id, "assistantMessage": "Noted.", **fields}
    return await post(user, "turn", {"userMessage": content, **body})


async def extracted(user: TestUser) -> list[Json]:
    rows = (await send(user, "GET", "/api/memories", pageSize=200))["memories"]
    return [row for row in rows if row["source"] == "conversation"]


async def marks(services: Services, user: TestUser) -> dict[str, tuple[bool, str | None]]:
    async with services.database.read(user.id) as session:
        rows = await dict_rows(
            session, "SELECT content, extracted_at, extraction_skipped_reason AS reason FROM message"
        )
    return {row["content"]: (row["extracted_at"] is not None, row["reason"]) for row in rows}


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def nobody_waits(services: Services) -> None:
    """Users of other tests, who would be among the twenty that have waited longest, wait for nothing any more."""
    async with services.database.system() as session:
        await session.execute(
            """
            UPDATE message SET extraction_skipped_reason = 'of another test'
            WHERE extracted_at IS NULL AND extraction_skipped_reason IS NULL
            """
        )


async def sweep(services: Services) -> None:
    await jobs.sweep(later(services, minutes=3))


@pytest.mark.rule("11.6 row")
async def test_a_turn_becomes_a_memory_that_names_its_messages(user: TestUser, services: Services) -> None:
    reply = await turn(user, "t1")
    await service.extract_turn(await context_of(services, user), "t1")
    (row,) = await extracted(user)
    full = await memory(user, row["id"])
    assert (row["store"], row["category"], row["channel"]) == ("episodic", "decision", "slack")
    assert "auto-extracted" in row["tags"]
    assert row["recallText"]
    assert 0.5 <= row["strength"] <= 0.9
    assert full["arousal"] == pytest.approx(0.25)
    traced = await post(user, "trace", {"memoryId": row["id"]})
    assert [source["messageId"] for source in traced["sourceConversation"]] == [reply["messages"][0]["id"]]
    assert [source["text"] for source in traced["contextAfter"]] == ["Noted."]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Soy alérgica a los frutos secos y vivo en Zaragoza.", "¿A qué soy alérgica?"),
        ("Je suis allergique aux arachides et j'habite à Nantes.", "À quoi suis-je allergique ?"),
    ],
)
async def test_what_a_user_says_in_their_language_is_recalled_in_their_words(
    user: TestUser, services: Services, said: str, asked: str
) -> None:
    await turn(user, "t1", said)
    await service.extract_turn(await context_of(services, user), "t1")
    (row,) = await extracted(user)
    assert row["content"].endswith(f"): {said}")
    found = await post(user, "recall", {"query": asked})
    assert [each["id"] for each in found["memories"]] == [row["id"]]


@pytest.mark.rule("11.6 input")
async def test_a_turn_is_read_once_however_often_its_job_runs(user: TestUser, services: Services) -> None:
    await turn(user, "t1")
    context = await context_of(services, user)
    results = await asyncio.gather(*(service.extract_turn(context, "t1") for _ in range(5)))
    assert sorted(result.messages for result in results) == [0, 0, 0, 0, 2]
    assert len(await extracted(user)) == 1
    assert (await turn(user, "t1"))["extraction"] == {"scheduled": False, "reason": "deduped"}
    await sweep(services)
    assert len(await extracted(user)) == 1


@pytest.mark.rule("11.6 marks")
async def test_messages_are_marked_as_extracted_or_with_the_reason(user: TestUser, services: Services) -> None:
    await log(user, DECISION, sessionKey="s1")
    await log(user, "Good morning!", sessionKey="s1")
    await sweep(services)
    assert await marks(services, user) == {
        DECISION: (True, None),
        "Good morning!": (False, "no_durable_memory"),
    }


@pytest.mark.rule("11.6 input", "7.5.5")
@pytest.mark.parametrize("fields", [{}, {"timestamp": 1_750_000_000_000}], ids=["said now", "back-filled"])
async def test_the_sweep_waits_until_messages_arrived_two_minutes_ago(
    user: TestUser, services: Services, fields: dict[str, Any]
) -> None:
    await log(user, DECISION, **fields)
    await jobs.sweep(later(services, seconds=110))
    assert await extracted(user) == []
    await jobs.sweep(later(services, seconds=125))
    assert len(await extracted(user)) == 1


@pytest.mark.rule("11.6 input")
async def test_the_sweep_reads_messages_of_a_clock_that_was_ahead(user: TestUser, services: Services) -> None:
    await log(user, DECISION)
    await jobs.sweep(later(services, days=-1))
    assert len(await extracted(user)) == 1


@pytest.mark.rule("11.6 input")
async def test_a_run_reads_sixty_messages_of_a_user(user: TestUser, services: Services) -> None:
    context = await context_of(later(services, minutes=3), user)
    for number in range(70):
        await log(user, f"Message {number}", sessionKey="s1")
    assert (await service.extract_waiting(context)).messages == 60
    assert (await service.extract_waiting(context)).messages == 10
    assert (await service.extract_waiting(context)).messages == 0


@pytest.mark.rule("11.6 input")
async def test_a_run_reads_twenty_users_at_most(make_user: MakeUser, services: Services) -> None:
    users = [await make_user() for _ in range(22)]
    for one in users:
        await log(one, "Hello there")
    assert (await jobs.sweep(later(services, minutes=3))).users == 20
    assert (await jobs.sweep(later(services, minutes=3))).users == 2


@pytest.mark.rule("11.6 groups")
async def test_no_text_of_one_channel_or_project_enters_a_row_of_another(user: TestUser, services: Services) -> None:
    for channel in ("slack", "discord"):
        for project in ("alpha", "beta"):
            await log(user, f"We decided that {channel} of {project} gets its own budget.", channel=channel,
                      projectId=project, sessionKey="s1")  # fmt: skip
    await sweep(services)
    rows = await extracted(user)
    assert len(rows) == 4
    for row in rows:
        others = {"slack", "discord"} - {row["channel"]}
        assert row["channel"] in row["content"]
        assert not any(other in row["content"] for other in others)
    async with services.database.read(user.id) as session:
        kept = await dict_rows(session, "SELECT channel, project_id, content FROM memory")
    assert {(row["channel"], row["project_id"]) for row in kept} == {
        (channel, project) for channel in ("slack", "discord") for project in ("alpha", "beta")
    }
    assert all(f"{row['channel']} of {row['project_id']}" in row["content"] for row in kept)


@pytest.mark.rule("11.6 row")
async def test_an_equal_memory_gets_the_new_sources(user: TestUser, services: Services) -> None:
    moment = {"timestamp": 1_700_000_000_000}
    first = await log(user, DECISION, sessionKey="s1", turnMessageIndex=0, **moment)
    await sweep(services)
    second = await log(user, DECISION, sessionKey="s2", turnMessageIndex=0, **moment)
    await sweep(services)
    (row,) = await extracted(user)
    traced = await post(user, "trace", {"memoryId": row["id"]})
    assert {source["messageId"] for source in traced["sourceConversation"]} == {first, second}


async def test_a_statement_said_again_on_another_day_gives_the_memory_another_source(
    user: TestUser, services: Services
) -> None:
    first = await log(user, "I'm allergic to walnuts.", sessionKey="s1", timestamp=1_700_000_000_000)
    await sweep(services)
    await log(user, "I'm allergic to peanuts.", sessionKey="s2", timestamp=1_700_500_000_000)
    again = await log(user, "By the way, I'm allergic to walnuts!", sessionKey="s3", timestamp=1_701_000_000_000)
    await log(user, "I'm allergic to walnuts.", sessionKey="s4", channel="other", timestamp=1_701_000_000_000)
    await sweep(services)
    rows = {(row["content"], row["channel"]): row["id"] for row in await extracted(user)}
    assert set(rows) == {
        ("The user is allergic to walnuts (14 November 2023).", None),
        ("The user is allergic to peanuts (20 November 2023).", None),
        ("The user is allergic to walnuts (26 November 2023).", "other"),
    }
    walnuts = rows["The user is allergic to walnuts (14 November 2023).", None]
    traced = await post(user, "trace", {"memoryId": walnuts})
    assert {source["messageId"] for source in traced["sourceConversation"]} == {first, again}


@pytest.mark.rule("12 applies to", "11.6 row")
async def test_what_the_policy_blocks_is_not_kept(user: TestUser, services: Services) -> None:
    await log(user, "We decided that my social security number 219-09-9999 goes into the form.")
    await sweep(services)
    assert await extracted(user) == []
    assert [reason for _, reason in (await marks(services, user)).values()] == ["no_durable_memory"]


async def test_a_full_quota_takes_no_memory_and_says_why(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await capture(user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 500")
    await log(user, DECISION)
    await sweep(services)
    assert await extracted(user) == []
    assert (await marks(services, user))[DECISION] == (False, "storage_limit_reached")


async def test_only_the_sources_of_what_found_no_place_are_marked_with_the_quota(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user(tier=Tier.FREE)
    await capture(user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 499")
    messages = (DECISION, "I moved to Lyon in May.", "Good morning!")
    for content in messages:
        await log(user, content, sessionKey="s1")
    await sweep(services)
    assert len(await extracted(user)) == 1
    found = await marks(services, user)
    assert sorted(found[text] for text in messages[:2]) == [(False, "storage_limit_reached"), (True, None)]
    assert found["Good morning!"] == (False, "no_durable_memory")


async def test_an_extracted_memory_can_be_recalled_by_meaning_at_once(user: TestUser, services: Services) -> None:
    await log(user, LESSON)
    await sweep(services)
    (row,) = await extracted(user)
    async with services.database.read(user.id) as session:
        pending = await session.value(
            "SELECT embedding_pending FROM memory WHERE user_id = %(user)s AND id = %(id)s",
            {"user": user.id, "id": decode("mem", row["id"])},
        )
    assert pending is False


async def test_without_allowance_the_row_waits_for_its_vector(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await log(user, DECISION)
    then = later(services, minutes=3)
    async with services.database.write(user.id) as session:
        await session.execute(
            "INSERT INTO embedding_use (user_id, day, calls, background_calls) VALUES (%(user)s, %(day)s, 50, 25)"
            " ON CONFLICT (user_id, day) DO UPDATE SET calls = 50, background_calls = 25",
            {"user": user.id, "day": then.clock() // 86_400_000},
        )
    await service.extract_waiting(await context_of(then, user))
    assert len(await extracted(user)) == 1
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT embedding_pending FROM memory WHERE source = 'conversation'") is True
