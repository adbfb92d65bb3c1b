"""Reflection (contract 6.11, 11.6): what is read, what is written, that it happens once, and that it never fails."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from memd.context import Services
from memd.domain.types import Tier
from memd.policy.rules import load_rules
from memd.reflection import service
from memd.reflection.jobs import reflect_on_the_day
from tests.memd.lifecycle.rows import active, aged
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, later
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, memory, post

LESSON = "I learned that the cache must always be flushed before a migration."
SAID = (
    ("Standup", "Everybody was there. We decided to move the release to Thursday."),
    ("Incident", f"The shop was down. {LESSON}"),
    ("Planning", "We went through the list. The load test is still open, somebody has to follow up on it."),
)


async def say(user: TestUser, **fields: object) -> list[str]:
    return [await capture(user, title=title, content=content, **fields) for title, content in SAID]


async def reflect(user: TestUser, **fields: object) -> Json:
    return await post(user, "reflect", fields)


async def inferred(user: TestUser) -> dict[str, Json]:
    return {row["title"]: row for row in (await active(user)).values() if row["source"] == "inference"}


@pytest.mark.rule("11.6 reflection input", "6.11 case: fewer than three", "6.11 reply")
@pytest.mark.parametrize("number", [0, 1, 2])
async def test_fewer_than_three_memories_are_not_enough(user: TestUser, number: int) -> None:
    for title, content in SAID[:number]:
        await capture(user, title=title, content=content)
    assert await reflect(user) == {
        "ok": True,
        "method": "extractive",
        "stats": {
            "memoriesRead": 0,
            "decisionsWritten": 0,
            "lessonsWritten": 0,
            "summaryWritten": 0,
            "openLoopsWritten": 0,
            "summary": "",
            "skipped": "not_enough_memories",
        },
        "memoryIds": [],
    }


@pytest.mark.rule("6.11 reply")
async def test_decisions_lessons_loops_and_a_summary_are_written(user: TestUser) -> None:
    await say(user)
    reply = await reflect(user)
    stats = reply["stats"]
    assert (stats["memoriesRead"], stats["decisionsWritten"], stats["lessonsWritten"]) == (3, 1, 1)
    assert (stats["summaryWritten"], stats["openLoopsWritten"]) == (1, 1)
    assert "skipped" not in stats
    assert "release to Thursday" in stats["summary"]
    assert len(reply["memoryIds"]) == 4


@pytest.mark.rule("11.6 reflection rows")
@pytest.mark.parametrize(
    ("prefix", "store", "category", "strength", "confidence", "tags"),
    [
        ("Decision: ", "episodic", "decision", 0.85, 0.8, ["reflection", "distilled"]),
        ("Lesson: ", "semantic", "lesson", 0.85, 0.8, ["reflection", "distilled"]),
        ("Reflection summary: 20", "episodic", "conversation", 0.8, 0.75, ["reflection", "distilled"]),
        ("Open loop: ", "prospective", "goal", 0.75, 0.7, ["reflection", "distilled", "open-loop"]),
    ],
)
async def test_rows_have_the_shape_of_their_kind(
    user: TestUser, prefix: str, store: str, category: str, strength: float, confidence: float, tags: list[str]
) -> None:
    await say(user)
    await reflect(user)
    (row,) = [row for title, row in (await inferred(user)).items() if title.startswith(prefix)]
    assert (row["store"], row["category"], row["source"], row["tags"]) == (store, category, "inference", tags)
    assert (row["strength"], row["confidence"]) == (pytest.approx(strength), pytest.approx(confidence))


async def test_a_decision_that_is_a_memory_already_is_not_copied(user: TestUser) -> None:
    for number in range(3):
        await capture(user, content=f"We decided on plan {number}.", category="event")
    stats = (await reflect(user))["stats"]
    assert (stats["decisionsWritten"], stats["summaryWritten"]) == (0, 1)


@pytest.mark.rule("11.6 reflection rows", "6.11 second run")
async def test_a_second_run_writes_nothing_and_says_so(user: TestUser) -> None:
    await say(user)
    await reflect(user)
    second = await reflect(user)
    assert second["memoryIds"] == []
    assert (second["stats"]["memoriesRead"], second["stats"]["summary"]) == (3, "")
    assert second["stats"]["skipped"] == "nothing_new"
    assert len(await inferred(user)) == 4


@pytest.mark.rule("6.11 second run")
async def test_runs_at_the_same_moment_write_once(user: TestUser) -> None:
    await say(user)
    replies = await asyncio.gather(*(reflect(user) for _ in range(4)))
    assert sorted(len(reply["memoryIds"]) for reply in replies) == [0, 0, 0, 4]


async def test_what_the_user_has_forgotten_is_not_written_again(user: TestUser) -> None:
    await say(user)
    for memory_id in (await reflect(user))["memoryIds"]:
        await post(user, "forget", {"memoryId": memory_id})
    assert (await reflect(user))["memoryIds"] == []


async def test_new_memories_add_what_is_new(user: TestUser) -> None:
    await say(user)
    await reflect(user)
    await capture(user, title="Later", content="Short talk. We agreed to hire a second tester in March.")
    stats = (await reflect(user))["stats"]
    assert (stats["decisionsWritten"], stats["lessonsWritten"], stats["summaryWritten"]) == (1, 0, 1)
    assert "second tester" in stats["summary"]
    assert not any(text in stats["summary"] for text in ("release", LESSON, "load test", "memories"))
    assert (await reflect(user))["stats"]["skipped"] == "nothing_new"


@pytest.mark.rule("6.11 windowHours")
@pytest.mark.parametrize(
    ("hours", "age_hours", "read"), [(4, 3.9, 3), (4, 4.1, 0), (0.1, 0.4, 3), (0.1, 0.6, 0), (500, 71, 3), (500, 73, 0)]
)
async def test_the_window_is_cut_to_half_an_hour_and_three_days(
    user: TestUser, services: Services, hours: float, age_hours: float, read: int
) -> None:
    for title, content in SAID:
        await aged(services, user, days=age_hours / 24, title=title, content=content)
    assert (await reflect(user, windowHours=hours))["stats"]["memoriesRead"] == read


@pytest.mark.rule("6.11 windowHours")
async def test_the_window_is_four_hours_when_none_is_given(user: TestUser, services: Services) -> None:
    for title, content in SAID:
        await aged(services, user, days=3.9 / 24, title=title, content=content)
    assert (await reflect(user))["stats"]["memoriesRead"] == 3


@pytest.mark.rule("6.11 sessionId")
async def test_one_session_alone_may_be_reflected_on(user: TestUser) -> None:
    await say(user, sessionKey="s1")
    await capture(user, title="Else", content="We decided something else.", sessionKey="s2")
    reply = await reflect(user, sessionId="s1")
    assert reply["stats"]["memoriesRead"] == 3
    assert "something else" not in reply["stats"]["summary"]


@pytest.mark.rule("11.6 reflection input")
async def test_only_impressions_and_events_that_nobody_inferred_are_read(user: TestUser) -> None:
    await say(user)
    await capture(user, store="semantic", content="We decided A.")
    await capture(user, source="inference", content="We decided B.")
    await post(user, "forget", {"memoryId": await capture(user, content="We decided C.")})
    assert (await reflect(user))["stats"]["memoriesRead"] == 3


async def test_thirty_memories_of_a_group_are_read(user: TestUser) -> None:
    for number in range(33):
        await capture(user, content=f"We decided on plan {number}.")
    assert (await reflect(user))["stats"]["memoriesRead"] == 30


@pytest.mark.rule("11.6 groups")
async def test_no_text_of_one_channel_enters_a_row_or_reply_of_another(user: TestUser) -> None:
    for channel in ("slack", "peer-coach:7"):
        for title, content in SAID:
            await capture(user, title=title, content=f"{content} ({channel})", channel=channel)
    reply = await reflect(user)
    assert "peer-coach:7" not in reply["stats"]["summary"]
    assert reply["stats"]["memoriesRead"] == 6
    rows = [await memory(user, memory_id) for memory_id in reply["memoryIds"]]
    assert {row["channel"] for row in rows} == {"slack", "peer-coach:7"}
    for row in rows:
        (other,) = {"slack", "peer-coach:7"} - {row["channel"]}
        assert f"({other})" not in row["content"]


@pytest.mark.rule("11.6 groups")
async def test_rows_carry_the_channel_and_the_project_of_their_group(user: TestUser, services: Services) -> None:
    for project in ("alpha", None):
        await say(user, projectId=project, **({} if project else {"channel": "slack"}))
    assert (await reflect(user))["stats"]["memoriesRead"] == 6
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT channel, project_id FROM memory WHERE source = 'inference'")
    assert Counter((row["channel"], row["project_id"]) for row in rows) == {(None, "alpha"): 4, ("slack", None): 4}


async def test_a_full_quota_writes_nothing_and_fails_nothing(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await say(user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 500")
    assert (await reflect(user))["memoryIds"] == []


@pytest.mark.rule("12 applies to", "11.6 reflection rows")
async def test_what_the_policy_blocks_is_not_written(user: TestUser, services: Services, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        "[[rule]]\nthreat_id = 'lessons'\nreason = 'illegal_activity'\n[[rule.match]]\npattern = '\\Alesson: '\n"
    )
    await say(user)
    stricter = replace(services, policy=load_rules(tmp_path))
    written = await service.reflect(await context_of(stricter, user), 4)
    assert (written.stats.lessons_written, written.stats.decisions_written, written.stats.summary_written) == (0, 1, 1)
    assert not [title for title in await inferred(user) if title.startswith("Lesson: ")]


async def test_strange_metadata_of_others_does_no_harm(user: TestUser) -> None:
    for number, strange in enumerate(["text", {"reflectedMemoryIds": "x"}, {"reflectedMemoryIds": [1, None, "?"]}]):
        tags = ["reflection"]
        await capture(user, source="inference", tags=tags, metadata=strange, content=f"Strange {number}")
    await say(user)
    assert len((await reflect(user))["memoryIds"]) == 4


async def test_the_daily_job_reads_the_last_day(user: TestUser, services: Services) -> None:
    for title, content in SAID:
        await aged(services, user, days=0.9, title=title, content=content)
    assert await reflect_on_the_day(await context_of(services, user)) == 4
    assert await reflect_on_the_day(await context_of(later(services, hours=1), user)) == 0


async def test_the_daily_job_reads_nothing_older(user: TestUser, services: Services) -> None:
    for title, content in SAID:
        await aged(services, user, days=1.01, title=title, content=content)
    assert await reflect_on_the_day(await context_of(services, user)) == 0
