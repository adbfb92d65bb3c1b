"""Contract 17.6: an erased message or session leaves nothing of itself, whatever the background had made of it."""

import asyncio
from typing import Any

import pytest

from memctl.wire.erasure import EraseSessionRequest
from memd.context import Services
from memd.domain.types import KeyScope
from memd.erasure import store
from memd.erasure.messages.service import MESSAGE, SESSION, run
from memd.erasure.receipts import Request, open_receipt
from memd.extraction.service import extract_waiting
from memd.lifecycle.snapshots import snapshot_quiet
from memd.reflection.service import reflect
from tests.support.canary import tables_with
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, done, later
from tests.support.service import MakeUser, TestUser
from tests.support.talk import log
from tests.support.wire import Json, capture, post, send

SECRET = "Xylowumbat"
SAID = f"We decided to use {SECRET} because Postgres depends on {SECRET}. I prefer {SECRET} for invoices."
KEPT = "We decided to use Postgres for the invoices because it is reliable."
UNKNOWN = "msg_01j00000000000000000000000"
AFTER_A_DAY = {"hours": 25}


async def finished(user: TestUser, reply: Json) -> Json:
    """The receipt of an erasure once it is done."""
    for _ in range(600):
        receipt = await send(user, "GET", f"/api/erasures/{reply['erasureId']}")
        if receipt["state"] == "done":
            return receipt
        await asyncio.sleep(0.05)
    raise AssertionError(receipt)


async def erase_message(user: TestUser, message_id: str, **query: Any) -> Json:
    return await finished(user, await send(user, "DELETE", f"/api/messages/{message_id}", status=202, **query))


async def background(services: Services, user: TestUser) -> None:
    """Vectors, extraction, graph, snapshots, summaries, reflection."""
    await done(services, user)
    context = await context_of(later(services, minutes=30), user)
    await extract_waiting(context)
    await snapshot_quiet(context)
    await done(services, user)
    await reflect(context, 24)
    await done(services, user)


async def talk(services: Services, user: TestUser, **where: str) -> tuple[str, str]:
    """A session with the word in one message and not in another; their ids, after the background has read both."""
    where = {"channel": "slack", "sessionKey": "s1"} | where
    secret, kept = await log(user, SAID, speaker="Ann", **where), await log(user, KEPT, **where)
    for number in range(3):
        await log(user, f"We decided on rule {number}: deploys are frozen on day {number}.", **where)
    await background(services, user)
    await send(user, "GET", "/api/mcp/wake", channel="slack")
    return secret, kept


async def texts(user: TestUser) -> list[str]:
    reply = await post(user, "recent-messages", {"allChannels": True, "limit": 100})
    return [row["content"] for row in reply["messages"]]


@pytest.mark.rule("17.6 DELETE /api/messages/:id", "17.6 nothing is left")
async def test_nothing_of_an_erased_message_is_left(services: Services, user: TestUser) -> None:
    secret, _ = await talk(services, user)
    found = await tables_with(services, SECRET)
    assert found.keys() >= {"message", "message_index", "memory", "memory_index", "graph_node", "snapshot", "session"}
    receipt = await erase_message(user, secret, channel="slack")
    assert await tables_with(services, SECRET) == {}
    assert {"message", "memory", "snapshot", "session"} <= receipt["counts"].keys()
    assert receipt["counts"]["message"] == receipt["counts"]["message_index"] == 1
    assert KEPT in await texts(user)
    stats = await send(user, "GET", "/api/mcp/stats")
    assert stats["ttlStatus"]["messages_stored"] == 4
    await background(services, user)
    assert await tables_with(services, SECRET) == {}
    recalled = (await post(user, "recall", {"query": KEPT, "channel": "slack"}))["memories"]
    assert any("Postgres" in row["content"] for row in recalled)


@pytest.mark.rule("17.6 DELETE /api/sessions/:sessionKey", "17.6 nothing is left")
async def test_nothing_of_an_erased_session_is_left(services: Services, make_user: MakeUser) -> None:
    user, twin = await make_user(), await make_user()
    key = f"c/{SECRET}?1"
    for one in (user, twin):
        await talk(services, one, sessionKey=key)
        turn = {"sessionKey": key, "channel": "slack", "turnId": f"t-{SECRET}"}
        await post(one, "turn", turn | {"userMessage": f"And {SECRET}?", "assistantMessage": SAID})
        await post(
            one, "snapshot", {"sessionKey": key, "channel": "slack", "messages": [{"role": "user", "content": SAID}]}
        )
        await post(one, "metric", {"kind": "seen", "sessionKey": key, "channel": "slack"})
        await post(one, "checkpoint", {"label": "point", "sessionKey": key, "channel": "slack", "tags": ["x"]})
        await capture(one, title="own", content="words of the client", sessionKey=key, channel="slack")
        await log(one, "Elsewhere", channel="slack", sessionKey="s2")
    before = await texts(twin)
    reply = await send(user, "DELETE", f"/api/sessions/c%2F{SECRET}%3F1", status=202, channel="slack")
    await finished(user, reply)
    left = await tables_with(services, SECRET, spared=twin)
    assert left.keys() <= {"checkpoint"}  # the frozen texts of memories at that time, which are the client's own act
    assert await texts(user) == ["Elsewhere"]
    assert await texts(twin) == before


async def test_a_message_without_channel_and_session(services: Services, user: TestUser) -> None:
    word = "Vexillarium"
    secret = await log(user, SAID.replace(SECRET, word))
    await done(services, user)
    await erase_message(user, secret)
    assert await tables_with(services, word) == {}
    assert await send(user, "DELETE", f"/api/messages/{secret}", status=404) == {"error": "Not found"}


@pytest.mark.rule("17.6 DELETE /api/messages/:id")
async def test_only_a_message_that_the_request_sees_is_erased(user: TestUser) -> None:
    peer = await log(user, "of a peer", channel="peer-coach:7", sessionKey="s3")
    slack = await log(user, "of slack", channel="slack", sessionKey="s1")
    refused = ({}, {"channel": "peer-coach:8"}, {"channel": "peer-coach"}, {"agentId": "peer-coach"})
    for query in refused:
        assert await send(user, "DELETE", f"/api/messages/{peer}", status=403, **query) == {"error": "Forbidden"}
    assert await send(user, "DELETE", f"/api/messages/{slack}", status=403, channel="peer-coach:7") == {
        "error": "Forbidden"
    }
    assert sorted(await texts(user)) == ["of a peer", "of slack"]
    await erase_message(user, peer, channel="peer-coach:7")
    await erase_message(user, slack, allChannels="true")
    assert await texts(user) == []


@pytest.mark.rule("17.6 DELETE /api/sessions/:sessionKey")
async def test_of_a_session_only_what_the_request_sees_is_erased(user: TestUser) -> None:
    for channel in ("slack", "peer-coach:7", "discord:group:1"):
        await log(user, f"of {channel}", channel=channel, sessionKey="s1")
    reply = await send(user, "DELETE", "/api/sessions/s1", status=202, channel="peer-coach:8")
    assert (await finished(user, reply))["counts"] == {}
    await finished(user, await send(user, "DELETE", "/api/sessions/s1", status=202))
    assert sorted(await texts(user)) == ["of discord:group:1", "of peer-coach:7"]
    await finished(user, await send(user, "DELETE", "/api/sessions/s1", status=202, channel="discord:group:1"))
    assert await texts(user) == ["of peer-coach:7"]


@pytest.mark.rule("17.6 DELETE /api/sessions/:sessionKey")
async def test_what_is_stored_after_the_request_stays(services: Services, user: TestUser) -> None:
    where = {"channel": "slack", "sessionKey": "s1"}
    content = SAID.replace(SECRET, "Marrowquint")
    later_turn = where | {"userMessage": "And after?", "assistantMessage": "That stays."}
    passages = [{"role": "user", "content": "a snapshot of later"}]
    await log(user, content, **where)
    await post(user, "turn", where | {"turnId": "t1", "userMessage": content, "assistantMessage": content})
    await done(services, user)
    async with services.database.system() as session:
        target = EraseSessionRequest.from_body(where).to_wire()
        receipt = await open_receipt(session, Request(user.id, services.clock()), user.id, SESSION, target=target)
        session.deferrals.clear()  # the job runs below, after the new messages
    await log(user, "A new start in the old session.", timestamp=1_700_000_000_000, **where)
    await post(user, "turn", later_turn | {"turnId": "t2"})
    await snapshot_quiet(await context_of(later(services, minutes=30), user))
    await post(user, "snapshot", where | {"messages": passages})
    await capture(user, title="own", content="words of the client", **where)
    await done(services, user)
    assert await run(services, receipt)
    assert await tables_with(services, "Marrowquint") == {}
    assert sorted(await texts(user)) == ["A new start in the old session.", "And after?", "That stays."]
    async with services.database.read(user.id) as session:
        turns = await dict_rows(session, "SELECT turn_id FROM turn WHERE user_id = %(user)s", {"user": user.id})
        kept = await dict_rows(
            session, "SELECT message_count AS n FROM snapshot WHERE user_id = %(user)s ORDER BY id", {"user": user.id}
        )
        key = await session.value(
            "SELECT session_key FROM memory WHERE title = 'own' AND user_id = %(user)s", {"user": user.id}
        )
    assert ([row["turn_id"] for row in turns], [row["n"] for row in kept], key) == (["t2"], [3, 1], "s1")


async def test_refusals(user: TestUser, make_user: MakeUser) -> None:
    reader = await make_user(scopes=(KeyScope.READ,))
    message_id = await log(user, "mine")
    assert (await reader.http.delete("/api/sessions/s1")).status_code == 403
    assert await send(user, "DELETE", f"/api/messages/{UNKNOWN}", status=404) == {"error": "Not found"}
    other = await make_user()
    assert await send(other, "DELETE", f"/api/messages/{message_id}", status=404) == {"error": "Not found"}
    for path in (f"/api/sessions/{'x' * 501}", "/api/sessions/%20", "/api/sessions/a%00b", "/api/messages/msg_1"):
        assert (await user.http.delete(path)).status_code == 400, path


async def test_the_audit_log_names_the_erasure_and_not_the_session(services: Services, make_user: MakeUser) -> None:
    user = await make_user(admin=True, scopes=tuple(KeyScope))
    word = "Jabberquill"
    await log(user, SAID.replace(SECRET, word), sessionKey=word, channel="slack")
    await finished(user, await send(user, "DELETE", f"/api/sessions/{word}", status=202, channel="slack"))
    reply = await user.http.get("/api/admin/audit", params={"action": "session."})
    assert {entry["action"] for entry in reply.json()["entries"]} >= {"session.delete", "session.erased"}
    assert word not in reply.text
    assert await tables_with(services, word) == {}


@pytest.mark.rule("17.6 DELETE /api/messages/:id")
async def test_an_erasure_that_fails_does_not_hold_up_the_next_one(services: Services, user: TestUser) -> None:
    message = await log(user, SAID, channel="slack")
    async with services.database.system() as session:
        target = {"messageId": "of an older release"}
        failing = await open_receipt(session, Request(user.id, services.clock()), user.id, MESSAGE, target=target)
    receipt = await erase_message(user, message, channel="slack")
    assert receipt["counts"]["message"] == 1
    async with services.database.system() as session:
        left = await store.find(session, failing.id)
        assert left is not None
        assert left.state == "queued"
        await store.finish(session, failing.id, services.clock())
