"""GET /api/snapshots and /api/snapshots/:id (contract 7.7)."""

import pytest

from memd.context import Services
from memd.lifecycle.snapshots import snapshot_quiet
from tests.support.jobs import context_of, later
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, post, send


async def keep(user: TestUser, session: str, channel: str | None = None, **fields: object) -> str:
    sent = {"sessionKey": session, "channel": channel, "messages": [{"role": "user", "content": "The boiler is warm."}]}
    return (await post(user, "snapshot", sent | fields))["id"]


async def listed(user: TestUser, **query: object) -> Json:
    return await send(user, "GET", "/api/snapshots", **query)


def ids(reply: Json) -> list[str]:
    return [row["id"] for row in reply["snapshots"]]


@pytest.mark.rule("7.7 GET /api/snapshots")
async def test_a_row_has_every_field_and_no_messages(user: TestUser) -> None:
    snapshot_id = await keep(user, "s1", "slack", reason="compaction")
    reply = await listed(user)
    (row,) = reply["snapshots"]
    assert (reply["continueCursor"], reply["isDone"]) == ("", True)
    assert row == {
        "id": snapshot_id,
        "sessionKey": "s1",
        "channel": "slack",
        "messageCount": 1,
        "totalTokens": 5,
        "reason": "compaction",
        "createdAt": row["createdAt"],
    }


@pytest.mark.rule("7.7 GET /api/snapshots")
async def test_pages_hold_each_snapshot_once_the_last_made_first(user: TestUser) -> None:
    made = [await keep(user, f"s{number}") for number in range(5)]
    seen, cursor = list[str](), ""
    while True:
        page = await listed(user, limit=2, cursor=cursor)
        seen += ids(page)
        if page["isDone"]:
            break
        cursor = page["continueCursor"]
        await keep(user, "later")
    assert seen == made[::-1]


@pytest.mark.rule("7.7 GET /api/snapshots")
async def test_a_session_and_a_channel_narrow_the_list(user: TestUser) -> None:
    one, other, none = await keep(user, "s1", "slack"), await keep(user, "s1", "mail"), await keep(user, "s2")
    assert ids(await listed(user, sessionKey="s1")) == [other, one]
    assert ids(await listed(user, channel="slack")) == [one]
    assert ids(await listed(user, sessionKey="s2")) == [none]
    assert ids(await listed(user, sessionKey="s3")) == []


@pytest.mark.rule("7.7 GET /api/snapshots")
async def test_a_peer_channel_is_seen_by_its_own_requests_only(user: TestUser) -> None:
    hidden, open_one = await keep(user, "s1", "peer-coach:7"), await keep(user, "s1", "slack")
    assert ids(await listed(user)) == [open_one]
    assert ids(await listed(user, channel="peer-coach:7")) == [hidden]


@pytest.mark.rule("7.7 GET /api/snapshots/:id")
async def test_one_is_shown_with_its_messages(user: TestUser) -> None:
    messages = [
        {"role": "user", "content": "Is it warm?", "timestamp": 1_700_000_000_000},
        {"role": "bot", "content": "Yes"},
    ]
    snapshot_id = await keep(user, "s1", messages=messages)
    shown = (await send(user, "GET", f"/api/snapshots/{snapshot_id}"))["snapshot"]
    (row,) = (await listed(user))["snapshots"]
    assert {name: value for name, value in shown.items() if name != "messages"} == row
    assert [(one["role"], one["content"], one.get("timestamp")) for one in shown["messages"]] == [
        ("user", "Is it warm?", 1_700_000_000_000),
        ("assistant", "Yes", None),
    ]


@pytest.mark.rule("7.7 GET /api/snapshots/:id")
async def test_unknown_foreign_and_malformed_ids(user: TestUser, make_user: MakeUser) -> None:
    foreign = await keep(await make_user(), "s1")
    for snapshot_id, status in ((foreign, 404), ("snap_" + "0" * 26, 404), ("snap_1", 400), ("mem_" + "0" * 26, 400)):
        assert "error" in await send(user, "GET", f"/api/snapshots/{snapshot_id}", status=status)


async def test_a_cursor_of_another_list_is_refused(user: TestUser, make_user: MakeUser) -> None:
    other = await make_user()
    for number in range(2):
        await keep(other, f"s{number}")
    cursor = (await listed(other, limit=1))["continueCursor"]
    assert (await listed(user, cursor=cursor, status=400))["error"] == "Bad request"


async def test_a_session_of_the_longest_names_keeps_no_other_from_being_snapshotted(
    services: Services, user: TestUser
) -> None:
    longest = ["".join(chr(0x20000 + (number * step) % 40_000) for number in range(500)) for step in (7919, 6007)]
    for session, channel in (longest, ("s1", "slack")):
        message = {"role": "user", "content": "The boiler is warm.", "sessionKey": session, "channel": channel}
        await post(user, "log", message)
    assert await snapshot_quiet(await context_of(later(services, days=0.1), user)) == 1
    assert [row["sessionKey"] for row in (await listed(user))["snapshots"]] == ["s1"]
