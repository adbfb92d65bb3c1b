"""POST /api/mcp/log (contract 7.5): one message, once, without what a hook fed back."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import Tier
from memd.stats import service as stats
from tests.support.service import MakeUser, TestUser
from tests.support.talk import NOON
from tests.support.wire import Json, post

ID: Json = {"content": "Hello.", "role": "user"}


async def log(user: TestUser, status: int = 200, **fields: Any) -> Json:
    return await post(user, "log", ID | fields, status=status)


async def stored(user: TestUser) -> list[Json]:
    return (await post(user, "recent-messages", {"limit": 100}))["messages"]


@pytest.mark.rule("7.5 timestamp", "7.5.5")
async def test_the_reply_names_the_message_and_its_time(user: TestUser) -> None:
    reply = await log(user, timestamp=NOON)
    assert reply == {"ok": True, "id": reply["id"], "timestamp": NOON}
    assert [row["id"] for row in await stored(user)] == [reply["id"]]


@pytest.mark.rule("7.5 timestamp")
async def test_without_a_timestamp_the_moment_counts(user: TestUser, services: Services) -> None:
    before = services.clock()
    assert before <= (await log(user))["timestamp"] <= services.clock()


@pytest.mark.rule("7.5 role")
@pytest.mark.parametrize(
    ("role", "kept"),
    [("user", "user"), ("system", "system"), ("assistant", "assistant"), ("tool", "assistant"), (7, "assistant")],
)
async def test_every_other_role_counts_as_assistant(user: TestUser, role: Any, kept: str) -> None:
    await log(user, role=role)
    assert [row["role"] for row in await stored(user)] == [kept]


@pytest.mark.rule("7.5.5")
async def test_a_long_message_is_cut_and_says_so(user: TestUser) -> None:
    reply = await log(user, content="a" * 100_001)
    assert reply["truncated"] is True
    assert len((await stored(user))[0]["content"]) == 100_000


@pytest.mark.rule("7.5 turnMessageIndex")
@pytest.mark.parametrize(("index", "kept"), [(0, 0), (3, 3), (2.7, 2), (-4, 0)])
async def test_the_place_in_a_turn_is_floored_and_not_negative(user: TestUser, index: float, kept: int) -> None:
    await log(user, turnId="t", turnMessageIndex=index)
    assert [row["turnMessageIndex"] for row in await stored(user)] == [kept]


@pytest.mark.rule("7.5.1")
async def test_recalled_context_at_the_beginning_of_a_users_text_is_removed(user: TestUser) -> None:
    nested = "<recalled_context>a<recalled_context>b</recalled_context></recalled_context>"
    await log(user, content=f"{nested} What now?")
    assert [row["content"].strip() for row in await stored(user)] == ["What now?"]


@pytest.mark.rule("7.5.2")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<recalled_context>only this</recalled_context>  ", "synthetic_context_only"),
        ("<recalled_context>never closed", "malformed_synthetic_context"),
    ],
)
async def test_what_a_hook_fed_back_is_skipped(user: TestUser, content: str, reason: str) -> None:
    assert await log(user, content=content) == {"ok": True, "skipped": True, "reason": reason}
    assert await stored(user) == []


@pytest.mark.rule("7.5.1")
async def test_the_assistants_text_is_kept_as_it_is(user: TestUser) -> None:
    content = "<recalled_context>quoted</recalled_context>"
    await log(user, role="assistant", content=content)
    assert [row["content"] for row in await stored(user)] == [content]


PLACE: Json = {"sessionKey": "s", "turnMessageIndex": 0}


@pytest.mark.rule("7.5.3")
async def test_a_repeated_message_is_stored_once(user: TestUser) -> None:
    first = await log(user, **PLACE)
    assert await log(user, **PLACE) == {"ok": True, "id": first["id"], "deduped": True}
    assert len(await stored(user)) == 1


async def test_parallel_deliveries_are_stored_once(user: TestUser) -> None:
    replies = await asyncio.gather(*(log(user, **PLACE) for _ in range(6)))
    assert len({reply["id"] for reply in replies}) == 1
    assert sum("deduped" in reply for reply in replies) == 5


@pytest.mark.rule("7.5.3")
@pytest.mark.parametrize(
    "fields",
    [{"role": "assistant"}, {"channel": "slack"}, {"sessionKey": "t"}, {"turnId": "t"}, {"turnMessageIndex": 1}],
    ids=str,
)
async def test_a_message_that_differs_in_any_of_these_is_another(user: TestUser, fields: Json) -> None:
    await log(user, **PLACE)
    assert "deduped" not in await log(user, **(PLACE | fields))


@pytest.mark.rule("7.5.3")
async def test_equal_messages_of_different_client_times_are_two(user: TestUser) -> None:
    await log(user, timestamp=NOON, **PLACE)
    assert "deduped" not in await log(user, timestamp=NOON + 1, **PLACE)
    assert "deduped" in await log(user, timestamp=NOON, **PLACE)


@pytest.mark.rule("7.5.2", "7.5.4")
async def test_a_full_quota_refuses_but_not_what_is_skipped(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    async with services.database.write(user.id) as session:
        await stats.move(session, services.clock(), messages=500)
    refusal = await log(user, 403)
    assert refusal == {"error": "Storage limit reached", "limit": 500, "resource": "messages"}
    skipped = await log(user, content="<recalled_context>x</recalled_context>")
    assert skipped["skipped"] is True


async def test_a_place_in_a_turn_that_no_number_holds_is_refused(user: TestUser) -> None:
    body: Json = {"content": "Hello", "role": "user", "turnId": "t", "turnMessageIndex": 1e18}
    refusal = await post(user, "log", body, status=400)
    assert refusal["details"] == "Field turnMessageIndex must be between 0 and 2147483647"


@pytest.mark.parametrize(
    ("sent", "stored_at"),
    [
        (0, 0),
        (1, 1),
        (946_684_799, 946_684_799),
        (4_102_444_800, 4_102_444_800),
        (31_536_000_000, 31_536_000_000),
        (253_281_863.0, 253_281_863),
        (1_772_668_800_000.0, 1_772_668_800_000),
        ("1970-01-21", 20 * 86_400_000),
        ("1970-01-21T18:49:22+00:00", 20 * 86_400_000 + 67_762_000),
        ("20261127", 1_795_737_600_000),
        ("2026-11-27T01:00:00+01:00", 1_795_737_600_000),
    ],
)
@pytest.mark.rule("7.5 timestamp")
async def test_a_number_is_milliseconds_and_iso_text_is_taken(user: TestUser, sent: Any, stored_at: int) -> None:
    assert (await log(user, timestamp=sent))["timestamp"] == stored_at


@pytest.mark.rule("7.5 timestamp")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (1_795_762_000, "in milliseconds: 1795762000 is in seconds (send an ISO datetime for a day in 1970)"),
        (1_795_762_000.0, "in milliseconds: 1795762000 is in seconds (send an ISO datetime for a day in 1970)"),
        (1_795_765_600_000_000, "between 0 and 253402300799999, the end of the year 9999 in milliseconds"),
        (253_402_300_800_000, "between 0 and 253402300799999, the end of the year 9999 in milliseconds"),
        (-1, "between 0 and 253402300799999, the end of the year 9999 in milliseconds"),
        ("1969-12-31", "between 0 and 253402300799999, the end of the year 9999 in milliseconds"),
        ("1712121200000", "an integer, an ISO date or an ISO datetime"),
        ("soon", "an integer, an ISO date or an ISO datetime"),
    ],
)
async def test_seconds_and_times_that_no_calendar_has_are_refused(user: TestUser, sent: Any, expected: str) -> None:
    refusal = await post(user, "log", {"content": "x", "role": "user", "timestamp": sent}, status=400)
    assert refusal["details"] == f"Field timestamp must be {expected}"
    assert await stored(user) == []


async def test_a_message_of_the_last_moment_is_stored_found_and_shown(user: TestUser) -> None:
    body: Json = {"content": "Hello from afar", "role": "user", "timestamp": 253_402_300_799_999, "channel": "slack"}
    await post(user, "log", body)
    hits = (await post(user, "search-messages", {"query": "afar", "channel": "slack"}))["messages"]
    assert [row["timestamp"] for row in hits] == [253_402_300_799_999]
    assert "[23:59] user: Hello from afar" in (await post(user, "wake", {"channel": "slack"}))["briefing"]
