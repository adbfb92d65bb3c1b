"""Junk (contract 17.9): what extraction made and would not make any more is listed, and archived by a job that is off by default."""

from dataclasses import replace
from uuid import UUID

import pytest

from memd.accounts.every_user import JobResult
from memd.context import Services
from memd.domain.extraction.junk import RULES
from memd.extraction import service
from memd.lifecycle import junk, junk_store
from memd.settings import Settings
from tests.memd.lifecycle.rows import active, column, count, kept
from tests.support.jobs import context_of, later
from tests.support.service import TestUser
from tests.support.wire import capture, post, send

FACT = "I moved to Graz last month."
PRAISE = "Wow, that sounds amazing!"
WISH = "I hope you have fun there!"
NOTHING = "extraction keeps nothing of its messages"


async def say(user: TestUser, content: str, speaker: str = "Ann") -> str:
    message = {"role": "user", "content": content, "speaker": speaker, "sessionKey": "s1", "channel": "talk"}
    return (await post(user, "log", message))["id"]


async def small_talk(services: Services, user: TestUser, text: str = PRAISE, **columns: object) -> str:
    return await kept(services, user, f"Ann: {text}", [await say(user, text)], **columns)


async def listed(user: TestUser) -> dict[str, str]:
    """Id → reason, over pages of one memory."""
    found: dict[str, str] = {}
    cursor = None
    while True:
        page = await send(user, "GET", "/api/junk", limit=1, **({"cursor": cursor} if cursor else {}))
        found |= {one["id"]: one["reason"] for one in page["junk"]}
        if page["isDone"]:
            return found
        cursor = page["continueCursor"]


async def totals(services: Services, user: TestUser) -> tuple[int, int]:
    """Active and archived memories as they are counted."""
    async with services.database.read(user.id) as session:
        return (
            await session.value("SELECT active_memories FROM totals"),
            await session.value("SELECT archived_memories FROM totals"),
        )


async def archive(services: Services, user: TestUser, per_run: int = 100) -> int:
    settings = services.settings.model_copy(update={"junk_per_run": per_run})
    return await junk.archive_junk(await context_of(replace(services, settings=settings), user))


@pytest.mark.rule("17.9 test", "17.9 GET /api/junk")
async def test_what_extraction_would_not_make_is_listed_with_the_reason(user: TestUser, services: Services) -> None:
    both = await say(user, f"{FACT} {WISH}")
    fact = await kept(services, user, "Ann moved to Graz in October 2026.", [both])
    wish = await kept(services, user, "Ann: hope Ann has fun there.", [both])
    praise = await small_talk(services, user)
    passage = await kept(services, user, f"Ann (8 May 2023): {FACT} {WISH}", [both])
    assert await listed(user) == {praise: NOTHING, wish: "extraction keeps other statements of its messages"}
    assert set(await active(user)) == {fact, wish, praise, passage}


@pytest.mark.rule("17.9 test")
async def test_what_extraction_makes_now_is_no_junk(user: TestUser, services: Services) -> None:
    for speaker, text in [
        ("Ann", "Hey Bob! I moved to Graz last month, and my sister works at a bakery there."),
        ("Bob", "Wow, that's great! How do you like it?"),
        ("Ann", "I love the mountains. I joined a climbing club on Tuesday!"),
        ("Bob", "We decided to sell the mill in May, by the way."),
    ]:
        await say(user, text, speaker)
    await post(
        user, "turn",
        {"turnId": "t1", "sessionKey": "s2", "channel": "talk", "userMessage": "I'm allergic to nuts. My passport expires on 1 March.", "assistantMessage": "Noted."},
    )  # fmt: skip
    context = await context_of(later(services, minutes=3), user)
    made = (await service.extract_waiting(context)).memory_ids
    assert len(made) >= 4
    assert await listed(user) == {}


@pytest.mark.rule("17.9 test")
async def test_what_cannot_be_told_is_not_judged(user: TestUser, services: Services) -> None:
    logged = await say(user, PRAISE)
    await kept(services, user, "Ann shows enthusiasm for the journey of her friend.", [logged])
    await kept(services, user, f"Ann: {PRAISE}", [f"msg_{'0' * 26}"])
    await capture(user, content=f"By hand: {PRAISE}")
    assert await listed(user) == {}


@pytest.mark.rule("17.9 test", "17.9 job")
async def test_what_a_person_has_edited_or_restored_stays(user: TestUser, services: Services) -> None:
    edited, restored = await small_talk(services, user), await small_talk(services, user, WISH)
    await post(user, "update", {"memoryId": edited, "tags": ["mine"]})
    assert await archive(services, user) == 1
    await send(user, "POST", f"/api/memories/{restored}/restore")
    assert await listed(user) == {}
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET junk_judged_until = NULL WHERE user_id = %(user)s", {"user": user.id})
    assert await archive(services, user) == 0
    assert set(await active(user)) == {edited, restored}


@pytest.mark.rule("17.9 test")
async def test_of_what_was_said_often_only_some_messages_are_read(user: TestUser, services: Services) -> None:
    praise = await kept(services, user, f"Ann: {PRAISE}", [await say(user, PRAISE) for _ in range(30)])
    async with services.database.owner(user.id) as session:
        (row,) = await junk_store.extracted(session, None, 10, 0.9)
    assert len(row.sources) == junk_store.MAX_SOURCES
    assert await listed(user) == {praise: NOTHING}


@pytest.mark.rule("17.9 job")
async def test_the_job_archives_with_a_version_and_an_audit_entry(user: TestUser, services: Services) -> None:
    praise = await small_talk(services, user)
    assert await archive(services, user) == 1
    assert await active(user) == {}
    assert await totals(services, user) == (0, 1)
    assert await column(services, user, praise, "archived_by") == "job"
    (*_, last) = (await send(user, "GET", f"/api/memories/{praise}/history"))["versions"]
    assert (last["action"], last["reason"]) == ("archive", f"junk: {NOTHING}")
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT meta->>'archived' FROM audit_row WHERE action = 'junk'") == "1"


@pytest.mark.rule("17.9 job")
@pytest.mark.parametrize(
    "columns", [{"access_count": 1}, {"strength": 0.95}, {"action_triggers": ["deploy"]}, {"source": "external"}]
)
async def test_the_job_leaves_what_was_used(user: TestUser, services: Services, columns: dict[str, object]) -> None:
    praise = await small_talk(services, user, **columns)
    assert await archive(services, user) == 0
    assert set(await active(user)) == {praise}


@pytest.mark.rule("17.9 job")
async def test_a_run_archives_so_many_and_the_next_goes_on(user: TestUser, services: Services) -> None:
    fact = await kept(services, user, "Ann moved to Graz.", [await say(user, FACT)])
    talk = [await small_talk(services, user, f"{PRAISE} {'So cool! ' * times}".strip()) for times in range(5)]
    runs = [await archive(services, user, per_run=2) for _ in range(4)]
    assert runs == [2, 2, 1, 0]
    assert set(await active(user)) == {fact}
    assert await count(services, user, "memory WHERE archived") == len(talk)


@pytest.mark.rule("17.9 job")
async def test_nothing_is_judged_twice_until_the_rules_change(user: TestUser, services: Services) -> None:
    praise = await small_talk(services, user, access_count=1)
    assert await archive(services, user) == 0
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET access_count = 0 WHERE user_id = %(user)s", {"user": user.id})
    assert await archive(services, user) == 0
    assert user.id not in await to_judge(services)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET junk_rules = 'older' WHERE user_id = %(user)s", {"user": user.id})
    assert user.id in await to_judge(services)
    assert await archive(services, user) == 1
    assert await column(services, user, praise, "archived") is True


async def to_judge(services: Services) -> list[UUID]:
    async with services.database.system() as session:
        return await junk_store.users_to_judge(session, RULES)


@pytest.mark.rule("17.9 job")
async def test_the_job_is_off_by_default(user: TestUser, services: Services) -> None:
    await small_talk(services, user)
    off = services.settings.model_copy(update={"junk_per_run": Settings.model_fields["junk_per_run"].default})
    assert await junk.archive_all(replace(services, settings=off)) == JobResult()
    assert len(await active(user)) == 1
    assert (await junk.archive_all(services)).rows >= 1
    assert await active(user) == {}
