"""POST /api/mcp/turn (contract 7.6): both messages, once, whatever comes again and however often."""

import asyncio

import pytest

from memd.context import Services
from memd.db.session import ReadSession
from memd.messages import turn_store
from tests.support.service import MakeUser, TestUser
from tests.support.turns import TURN, scheduled, stored, turn
from tests.support.wire import Json, post, send


@pytest.mark.rule("7.6 outcome: first delivery", "7.6 captureMode", "7.6 indexes")
async def test_the_first_delivery_stores_both_messages_and_schedules_extraction(
    services: Services, user: TestUser
) -> None:
    reply = await turn(user)
    ids = [message["id"] for message in reply["messages"]]
    assert reply == {
        "ok": True,
        "deduped": False,
        "turnId": "t1",
        "sessionKey": "s1",
        "channel": "slack",
        "messages": [
            {"role": "user", "id": ids[0], "inserted": True},
            {"role": "assistant", "id": ids[1], "inserted": True},
        ],
        "extraction": {"scheduled": True, "mode": "async"},
    }
    rows = await stored(user)
    assert [(row["id"], row["role"], row["content"], row["turnMessageIndex"]) for row in rows] == [
        (ids[0], "user", "Where is the machine?", 0),
        (ids[1], "assistant", "In the kitchen.", 1),
    ]
    assert {(row["turnId"], row["sessionKey"], row["channel"]) for row in rows} == {("t1", "s1", "slack")}
    assert (await send(user, "GET", "/api/mcp/stats"))["ttlStatus"]["messages_stored"] == 2
    assert await scheduled(services, user) == 1


@pytest.mark.rule("7.6 extraction", "11.6 input")
async def test_extraction_is_due_two_minutes_later(services: Services, user: TestUser) -> None:
    before = services.clock()
    await turn(user)
    async with services.database.system() as session:
        due = await session.value(
            "SELECT (extract(epoch FROM scheduled_at) * 1000)::bigint FROM procrastinate_jobs "
            "WHERE task_name = 'extract_turn' AND args->>'user_id' = %(user)s",
            {"user": str(user.id)},
        )
    assert before + 119_000 <= due <= services.clock() + 121_000


@pytest.mark.rule("7.6 outcome: delivered again", "7.6 unique")
@pytest.mark.parametrize(
    "again",
    [
        {},
        {"userMessage": "Something else", "assistantMessage": "Entirely"},
        {"sessionKey": "s2", "channel": "discord"},
        {"sessionKey": None, "channel": " ", "assistantMessage": 5, "timestamp": "soon", "captureMode": "never"},
    ],
    ids=["same", "other words", "other session and channel", "nothing else valid"],
)
async def test_a_turn_that_comes_again_is_answered_from_the_store(
    services: Services, user: TestUser, again: Json
) -> None:
    first = await turn(user)
    reply = await turn(user, **again)
    assert reply == {
        "ok": True,
        "deduped": True,
        "turnId": "t1",
        "sessionKey": "s1",
        "channel": "slack",
        "messages": [{"role": row["role"], "id": row["id"], "inserted": False} for row in first["messages"]],
        "extraction": {"scheduled": False, "reason": "deduped"},
    }
    assert [row["content"] for row in await stored(user)] == ["Where is the machine?", "In the kitchen."]
    assert await scheduled(services, user) == 1


@pytest.mark.rule("7.6 unique")
async def test_a_turn_that_comes_again_alone_is_answered(user: TestUser) -> None:
    await turn(user)
    assert (await post(user, "turn", {"turnId": "t1"}))["deduped"] is True


@pytest.mark.rule("7.6 unique", "7.6 extraction")
async def test_of_fifty_deliveries_at_once_with_different_bodies_one_is_stored(
    services: Services, user: TestUser
) -> None:
    bodies = [
        TURN
        | {"assistantMessage": f"Answer {n}", "userMessage": f"Question {n}", "sessionKey": f"s{n}", "channel": f"c{n}"}
        for n in range(50)
    ]
    replies = [
        reply.json() for reply in await asyncio.gather(*(user.http.post("/api/mcp/turn", json=b) for b in bodies))
    ]
    first = [reply for reply in replies if not reply["deduped"]]
    rows = await stored(user, allChannels=True)
    assert len(first) == 1
    assert [row["id"] for row in rows] == [message["id"] for message in first[0]["messages"]]
    assert {(reply["sessionKey"], reply["channel"]) for reply in replies} == {
        (first[0]["sessionKey"], first[0]["channel"])
    }
    assert {tuple(message["id"] for message in reply["messages"]) for reply in replies} == {
        tuple(row["id"] for row in rows)
    }
    assert await scheduled(services, user) == 1


@pytest.mark.rule("7.6 unique")
async def test_a_turn_id_belongs_to_one_user(user: TestUser, make_user: MakeUser) -> None:
    await turn(user)
    assert (await turn(await make_user()))["deduped"] is False


async def test_another_turn_is_another_turn(user: TestUser) -> None:
    await turn(user)
    assert (await turn(user, turnId="t2"))["deduped"] is False
    assert len(await stored(user)) == 4


async def test_a_turn_that_is_erased_while_it_is_delivered_again_is_stored_again(
    user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await turn(user)
    find = turn_store.find

    async def erasing_first(session: ReadSession, turn_id: str) -> turn_store.StoredTurn | None:
        monkeypatch.setattr(turn_store, "find", find)
        async with services.database.write(user.id) as other:
            await other.execute("DELETE FROM turn WHERE user_id = %(user)s", {"user": user.id})
        return await find(session, turn_id)

    monkeypatch.setattr(turn_store, "find", erasing_first)
    await turn(user, userMessage="Where is the new machine?")
    again = await turn(user, userMessage="Where is the new machine?")
    assert [part["role"] for part in again["messages"]] == ["user", "assistant"]
