"""The fields of a turn: required ones, skipped text, cuts, expiry and quota (contract 7.6)."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.search.projects import project_id
from memd.domain.types import Tier
from tests.support.dict_rows import dict_rows
from tests.support.service import MakeUser, TestUser
from tests.support.turns import TURN, scheduled, set_messages, stored, turn
from tests.support.wire import post, send


@pytest.mark.rule("7.6 sessionKey, channel, turnId, assistantMessage")
@pytest.mark.parametrize(
    ("missing", "details"),
    [
        (("sessionKey", "channel", "turnId", "assistantMessage"), "Missing required field: sessionKey"),
        (("channel", "turnId", "assistantMessage"), "Missing required field: channel"),
        (("turnId", "assistantMessage"), "Missing required field: turnId"),
        (("assistantMessage",), "Missing required field: assistantMessage"),
    ],
)
@pytest.mark.parametrize("value", [None, "", "  "], ids=["absent", "empty", "blank"])
async def test_required_fields_are_tested_in_their_order(
    user: TestUser, missing: tuple[str, ...], details: str, value: str | None
) -> None:
    refusal = await turn(user, 400, **dict.fromkeys(missing, value))
    assert refusal == {"error": "Bad request", "details": details}
    assert await stored(user) == []


@pytest.mark.rule("7.6 captureMode")
@pytest.mark.parametrize(
    ("field", "value", "details"),
    [
        ("turnId", 7, "Field turnId must be a string"),
        ("turnId", "t" * 501, "Field turnId exceeds maximum length of 500 characters"),
        ("channel", "c" * 501, "Field channel exceeds maximum length of 500 characters"),
        ("userMessage", ["a"], "Field userMessage must be a string"),
        ("userSpeaker", "s" * 101, "Field userSpeaker exceeds maximum length of 100 characters"),
        ("timestamp", "2026", "Field timestamp must be an integer, an ISO date or an ISO datetime"),
        ("captureMode", "sync", "Field captureMode must be one of: async, sync-test-only"),
        ("metadata", 5, "Field metadata must be an object or a string"),
    ],
)
async def test_a_wrong_value_is_refused_with_the_field(user: TestUser, field: str, value: Any, details: str) -> None:
    assert (await turn(user, 400, **{field: value}))["details"] == details


@pytest.mark.rule("7.6 userMessage and others")
@pytest.mark.parametrize("words", [None, "", " \n"], ids=["absent", "empty", "blank"])
async def test_without_the_users_words_the_answer_alone_is_stored(user: TestUser, words: str | None) -> None:
    reply = await turn(user, userMessage=words)
    assert [(message["role"], message["inserted"]) for message in reply["messages"]] == [("assistant", True)]
    assert [(row["role"], row["turnMessageIndex"]) for row in await stored(user)] == [("assistant", 1)]


@pytest.mark.rule("7.6 outcome: first delivery")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("<recalled_context>old</recalled_context>  ", "synthetic_context_only"),
        ("<recalled_context>old and never closed", "malformed_synthetic_context"),
    ],
)
async def test_words_that_a_client_recalled_are_skipped(user: TestUser, words: str, reason: str) -> None:
    reply = await turn(user, userMessage=words)
    assert reply["messages"][0] == {"role": "user", "skipped": True, "reason": reason}
    assert [row["role"] for row in await stored(user)] == ["assistant"]
    assert [message["role"] for message in (await turn(user))["messages"]] == ["assistant"]


async def test_recalled_blocks_before_the_users_words_are_taken_off(user: TestUser) -> None:
    block = "<recalled_context>a <recalled_context>b</recalled_context></recalled_context>"
    await turn(user, userMessage=f"{block}\nHello", assistantMessage=f"{block} stays")
    assert [row["content"] for row in await stored(user)] == ["Hello", f"{block} stays"]


@pytest.mark.rule("7.6 outcome: first delivery")
async def test_long_messages_are_cut_and_say_so(user: TestUser) -> None:
    reply = await turn(user, userMessage="u" * 100_001, assistantMessage="a" * 100_000)
    assert [message.get("truncated") for message in reply["messages"]] == [True, None]
    assert [len(row["content"]) for row in await stored(user)] == [100_000, 100_000]


@pytest.mark.rule("7.6 userMessage and others")
async def test_the_optional_fields_are_stored(services: Services, user: TestUser) -> None:
    await turn(
        user,
        timestamp=1_700_000_000_000,
        metadata={"k": [1]},
        userSpeaker="Ada",
        assistantSpeaker="Bot",
        agentId="main",
        platform="slack",
        externalUserId="U1",
        repoSlug="a/b",
    )
    rows = await stored(user)
    assert [(row["timestamp"], row["speaker"], row["metadata"]) for row in rows] == [
        (1_700_000_000_000, "Ada", {"k": [1]}),
        (1_700_000_000_000, "Bot", {"k": [1]}),
    ]
    async with services.database.read(user.id) as session:
        kept = await dict_rows(session, "SELECT agent_id, project_id FROM message")
    assert kept == [{"agent_id": "main", "project_id": project_id(None, "a/b")}] * 2
    await turn(user, turnId="t2", projectId="house", repoSlug="a/b")
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT count(*)::int FROM message WHERE project_id = 'house'") == 2


@pytest.mark.parametrize(("tier", "days"), [(Tier.FREE, 7), (Tier.PRO, 30), (Tier.ULTRA, 90), (Tier.UNLIMITED, 365)])
async def test_messages_expire_by_the_tier_counted_from_receipt(
    services: Services, make_user: MakeUser, tier: Tier, days: int
) -> None:
    user = await make_user(tier=tier)
    before = services.clock()
    await turn(user, timestamp=1_700_000_000_000)
    async with services.database.read(user.id) as session:
        expiries = [row["expires_at"] for row in await dict_rows(session, "SELECT expires_at FROM message")]
    assert all(before <= expiry - days * 86_400_000 <= services.clock() for expiry in expiries)


@pytest.mark.rule("7.6 outcome: quota")
async def test_a_full_quota_refuses_both_messages(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await turn(user, turnId="t0")
    await set_messages(services, user, 499)
    refusal = await turn(user, 403)
    assert refusal == {
        "ok": False,
        "error": "Storage limit reached",
        "limit": 500,
        "resource": "messages",
        "required": 2,
        "available": 1,
    }
    assert len(await stored(user)) == 2
    assert await scheduled(services, user) == 1
    assert (await turn(user, userMessage=None))["deduped"] is False


async def test_a_refused_turn_may_come_again(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await turn(user, turnId="t0")
    await set_messages(services, user, 500)
    await turn(user, 403)
    await set_messages(services, user, 2)
    assert (await turn(user))["deduped"] is False


async def test_a_known_turn_is_answered_when_the_quota_is_full(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await turn(user)
    await set_messages(services, user, 500)
    assert (await turn(user))["deduped"] is True


async def test_skipping_comes_before_the_quota(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await turn(user, turnId="t0")
    await set_messages(services, user, 499)
    assert (await turn(user, userMessage="<recalled_context>a</recalled_context>"))["ok"] is True


LOGGED = {"sessionKey": "s1", "channel": "slack", "turnId": "t1"}
USER_LOG = LOGGED | {"role": "user", "content": TURN["userMessage"], "turnMessageIndex": 0}
ASSISTANT_LOG = LOGGED | {"role": "assistant", "content": "In other words.", "turnMessageIndex": 1}


@pytest.mark.rule("7.6 taken over")
async def test_messages_that_log_has_stored_are_taken_over(services: Services, user: TestUser) -> None:
    ids = [(await post(user, "log", body))["id"] for body in (USER_LOG, ASSISTANT_LOG)]
    reply = await turn(user)
    assert reply["messages"] == [
        {"role": "user", "id": ids[0], "inserted": False},
        {"role": "assistant", "id": ids[1], "inserted": False},
    ]
    assert [row["content"] for row in await stored(user)] == [TURN["userMessage"], "In other words."]
    assert (await send(user, "GET", "/api/mcp/stats"))["ttlStatus"]["messages_stored"] == 2
    assert (reply["deduped"], await scheduled(services, user)) == (False, 1)
    assert [message["id"] for message in (await turn(user))["messages"]] == ids


async def test_the_quota_counts_only_what_is_new(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await post(user, "log", USER_LOG)
    await set_messages(services, user, 499)
    reply = await turn(user)
    assert [message["inserted"] for message in reply["messages"]] == [False, True]


async def test_log_and_turn_at_once_store_each_message_once(user: TestUser) -> None:
    log = USER_LOG | {"turnMessageIndex": 0}
    answer = ASSISTANT_LOG | {"content": TURN["assistantMessage"]}
    calls = [("turn", TURN), ("log", log), ("log", answer), ("turn", TURN), ("log", log), ("log", answer)]
    await asyncio.gather(*(post(user, path, body) for path, body in calls))
    assert sorted(row["content"] for row in await stored(user)) == ["In the kitchen.", "Where is the machine?"]


@pytest.mark.rule("7.6 captureMode", "7.6 outcome: first delivery")
async def test_extraction_inside_the_request_tells_its_result(services: Services, user: TestUser) -> None:
    words = "We decided to move the billing service to Postgres because the old database lost writes."
    reply = await turn(user, captureMode="sync-test-only", userMessage=words)
    state = reply["extraction"]
    assert (state["scheduled"], state["mode"], state["result"]["messages"]) == (False, "sync-test-only", 2)
    rows = [(await post(user, "memory", {"memoryId": row}))["memory"] for row in state["result"]["memoryIds"]]
    assert {(row["source"], row["channel"]) for row in rows} == {("conversation", "slack")}
    assert await scheduled(services, user) == 0
