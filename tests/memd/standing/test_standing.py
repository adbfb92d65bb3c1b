"""Standing questions: answers that are kept, what changed in them, schedules, limits, erasure (contract 17.8)."""

import asyncio
from typing import Any

import pytest

from memd.accounts.every_user import SomeUsersFailedError
from memd.context import Services
from memd.db.session import WriteSession
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import decode
from memd.standing import jobs, store
from memd.standing.jobs import RETRY_MS, run_due
from memd.standing.service import MAX_QUESTIONS
from tests.support.jobs import at, context_of, done, later
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

MILL = "The mill on the river opens at six."


async def ask(user: TestUser, *, status: int = 201, **fields: Any) -> Json:
    return await post(
        user, "/api/standing", {"name": "mill", "query": "When does the mill open?"} | fields, status=status
    )


async def awaited(session: WriteSession) -> None:
    """Wait until another transaction waits for this one."""
    waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid)"
    for _ in range(2_400):
        if await session.value(waiting, {}):
            return
        await asyncio.sleep(0.05)
    pytest.fail("nothing has waited for this transaction")


async def again(user: TestUser) -> Json:
    return await send(user, "POST", "/api/standing/mill/run")


@pytest.mark.rule("17.8 answer")
async def test_the_answer_is_computed_at_once_and_kept(user: TestUser) -> None:
    memory_id = await capture(user, title="Mill", content=MILL)
    made = await ask(user)
    assert MILL in made["text"]
    assert memory_id in made["ids"]
    assert made["change"]["added"] == made["ids"]
    assert "webhookSecret" not in made
    await capture(user, title="Closed", content="The mill opens at seven on Sundays.")
    shown = await send(user, "GET", "/api/standing/mill")
    assert shown == made
    (row,) = (await send(user, "GET", "/api/standing"))["standing"]
    assert (row["name"], row["schedule"], row["deadDeliveries"]) == ("mill", "every 1h", 0)
    assert "text" not in row


@pytest.mark.rule("17.8 answer")
async def test_a_run_says_what_changed_since_the_one_before(services: Services, user: TestUser) -> None:
    stays = await capture(user, title="Mill", content=MILL)
    goes = await capture(user, title="Mill", content="The mill opens its gates for visitors in May.")
    first = await ask(user)
    assert {stays, goes} <= {*first["ids"]}
    unchanged = await again(user)
    assert unchanged["change"] == first["change"]
    comes = await capture(user, title="Mill", content="The mill opens at seven on Sundays.")
    await post(user, "forget", {"memoryId": goes})
    await post(user, "update", {"memoryId": stays, "content": "The mill on the river opens at eight."})
    await done(services, user)
    change = (await again(user))["change"]
    assert (change["added"], change["removed"], change["changed"]) == ([comes], [goes], [stays])
    assert change["at"] > first["change"]["at"]


@pytest.mark.rule("17.8 schedule")
async def test_a_question_that_is_due_is_answered(services: Services, user: TestUser) -> None:
    made = await ask(user, schedule="every 2h")
    assert made["ids"] == []
    memory_id = await capture(user, title="Mill", content=MILL)
    await run_due(later(services, hours=3))
    shown = await send(user, "GET", "/api/standing/mill")
    assert memory_id in shown["ids"]
    assert made["nextAt"] < shown["computedAt"] < shown["nextAt"]


@pytest.mark.rule("17.8 schedule")
@pytest.mark.parametrize(("schedule", "ahead"), [("every 5m", {"hours": 1}), ("12:00", {"days": 400})], ids=str)
async def test_a_question_that_was_answered_by_a_clock_ahead_is_due_once_the_clock_is_right(
    services: Services, user: TestUser, schedule: str, ahead: dict[str, int]
) -> None:
    made = await ask(user, schedule=schedule)
    await run_due(later(services, **ahead))
    memory_id = await capture(user, title="Mill", content=MILL)
    assert (await send(user, "GET", "/api/standing/mill"))["nextAt"] > made["nextAt"]
    await run_due(services)
    shown = await send(user, "GET", "/api/standing/mill")
    assert memory_id in shown["ids"]
    assert shown["nextAt"] - services.clock() <= DAY_MS


@pytest.mark.rule("17.8 schedule")
async def test_an_answer_that_takes_too_long_is_tried_again_later(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await ask(user, schedule="every 2h")
    after_it_was_due = at(services, made["nextAt"] + 60_000)
    monkeypatch.setattr(jobs, "ANSWER_S", 0.0)
    with pytest.raises(SomeUsersFailedError):
        await run_due(after_it_was_due)
    shown = await send(user, "GET", "/api/standing/mill")
    assert shown["computedAt"] == made["computedAt"]
    assert shown["nextAt"] == after_it_was_due.clock() + RETRY_MS


@pytest.mark.rule("17.8 schedule")
async def test_a_user_with_slow_answers_gives_way_to_the_next_one(
    services: Services, user: TestUser, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await make_user()
    for number in range(3):
        await ask(user, name=f"slow-{number}", schedule="every 2h")
    await ask(other, schedule="every 2h")
    three_hours_later = later(services, hours=3)
    monkeypatch.setattr(jobs, "USER_S", 0.0)
    await run_due(three_hours_later)
    waiting = [one["nextAt"] for one in (await send(user, "GET", "/api/standing"))["standing"]]
    assert sum(at > three_hours_later.clock() for at in waiting) == 1
    assert (await send(other, "GET", "/api/standing/mill"))["nextAt"] > three_hours_later.clock()
    for _ in range(2):
        await run_due(three_hours_later)
    waiting = [one["nextAt"] for one in (await send(user, "GET", "/api/standing"))["standing"]]
    assert all(at > three_hours_later.clock() for at in waiting)


@pytest.mark.rule("17.8 schedule")
async def test_a_question_that_fails_delays_no_other(services: Services, user: TestUser) -> None:
    await ask(user, name="fails", schedule="every 7d")
    works = await ask(user, name="works", schedule="every 2h")
    async with services.database.write(user.id) as session:
        broken = (
            "UPDATE standing_question SET token_budget = -1, due_at = 0 WHERE user_id = %(user)s AND name = 'fails'"
        )
        await session.execute(broken, {"user": user.id})
    memory_id = await capture(user, title="Mill", content=MILL)
    after_it_was_due = at(services, works["nextAt"] + 60_000)
    with pytest.raises(SomeUsersFailedError):
        await run_due(after_it_was_due)
    assert memory_id in (await send(user, "GET", "/api/standing/works"))["ids"]
    shown = await send(user, "GET", "/api/standing")
    assert all(one["nextAt"] > after_it_was_due.clock() for one in shown["standing"])
    (again,) = (one["nextAt"] for one in shown["standing"] if one["name"] == "fails")
    assert again == after_it_was_due.clock() + RETRY_MS


@pytest.mark.rule("17.8 schedule")
@pytest.mark.parametrize("schedule", ["every 1m", "hourly", "25:00", "every 30d", "every 6\u0660m"])
async def test_a_schedule_that_is_none_is_refused(user: TestUser, schedule: str) -> None:
    refused = await ask(user, schedule=schedule, status=400)
    assert "schedule" in refused["details"]
    assert (await send(user, "GET", "/api/standing"))["standing"] == []


@pytest.mark.rule("17.8 addresses")
@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/x", "http://localhost:80", "http://a.localhost/", "http://[::1]/", "http://10.0.0.8/"),
        *("https://169.254.169.254/latest", "ftp://example.com/", "https://u:p@example.com/", "https:///x", "x"),
        *("https://example.com:0/", "https://example.com:99999/", "https://exa mple.com/", "http://[::ffff:7f00:1]/"),
        *("https://example..com/", f"https://{'a' * 64}.example.com/"),
    ],
)
async def test_a_webhook_that_is_not_public_is_refused(user: TestUser, url: str) -> None:
    refused = await ask(user, webhookUrl=url, status=400)
    assert "webhookUrl" in refused["details"]


@pytest.mark.rule("17.8 limit")
async def test_names_are_unique_and_their_number_is_limited(user: TestUser) -> None:
    for number in range(MAX_QUESTIONS):
        await ask(user, name=f"q{number}")
    assert await ask(user, name="q0", status=409) == {"error": "Standing question already exists"}
    assert await ask(user, name="more", status=409) == {"error": "Too many standing questions"}
    await send(user, "DELETE", "/api/standing/q0")
    await ask(user, name="more")
    await send(user, "GET", "/api/standing/q0", status=404)


@pytest.mark.parametrize("name", ["", "A", "a/b", "..", "ä", "x" * 65])
async def test_a_name_is_a_part_of_a_path(user: TestUser, name: str) -> None:
    allowed = "lower-case letters, digits, `.`, `_` and `-`, at most 64, beginning with a letter or digit"
    assert (await ask(user, name=name, status=400))["details"] == f"Field name must be {allowed}"


@pytest.mark.rule("17.8 erasure")
async def test_what_is_erased_leaves_the_kept_answer(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, title="Mill", content=MILL)
    message = {"role": "user", "content": "The mill opens late today.", "sessionKey": "s"}
    message_id = (await post(user, "log", message))["id"]
    await done(services, user)
    assert {memory_id, message_id} <= {*(await ask(user))["ids"]}
    await post(user, "forget", {"memoryId": memory_id, "permanent": True})
    await send(user, "DELETE", f"/api/messages/{message_id}", status=202)
    await done(services, user)
    shown = await send(user, "GET", "/api/standing/mill")
    assert shown["ids"] == []
    assert "opens" not in shown["text"]


@pytest.mark.rule("17.8 standing")
async def test_an_answer_obeys_the_channel_of_its_question(services: Services, user: TestUser) -> None:
    here = await capture(user, title="Mill", content=MILL, channel="telegram:11")
    await capture(user, title="Mill", content="The mill opens at seven.", channel="telegram:12")
    assert (await ask(user, channel="telegram:11"))["ids"] == [here]
    assert (await context_of(services, user)).user_id == user.id


@pytest.mark.rule("17.8 answer")
async def test_what_the_policy_blocks_is_not_shown(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, title="Mill", content=MILL)
    assert (await ask(user))["ids"] == [memory_id]
    async with services.database.write(user.id) as session:
        params = {"user": user.id, "id": decode("mem", memory_id)}
        await session.execute("UPDATE memory SET blocked = true WHERE user_id = %(user)s AND id = %(id)s", params)
    shown = await send(user, "GET", "/api/standing/mill")
    assert (shown["ids"], MILL in shown["text"]) == ([], False)
    assert (await again(user))["change"]["removed"] == [memory_id]


@pytest.mark.rule("17.8 answer")
@pytest.mark.parametrize("question", [{}, {"channel": "slack:desk"}])
async def test_what_moves_out_of_sight_is_not_shown(user: TestUser, question: Json) -> None:
    moved = await capture(user, title="Mill", content=MILL)
    base = await make_base(user)
    guarded = (await fill(user, base, chunk("The mill opens at seven on Sundays.")))["memoryIds"][0]
    assert {*(await ask(user, **question))["ids"]} == {moved, guarded}
    for memory_id in (moved, guarded):
        await post(user, "update", {"memoryId": memory_id, "channel": "peer-coach:7"})
    shown = await send(user, "GET", "/api/standing/mill")
    assert (shown["ids"], "opens" in shown["text"]) == ([], False)
    assert {*(await again(user))["change"]["removed"]} == {moved, guarded}


@pytest.mark.rule("17.8 standing")
async def test_a_key_that_may_not_recall_gets_no_answer_and_sends_none(user: TestUser) -> None:
    await capture(user, title="Mill", content=MILL)
    await ask(user)
    writing = (await post(user, "/api/keys", {"scopes": ["write"]}, status=201))["apiKey"]
    headers = {"Authorization": f"Bearer {writing}"}
    new = {"name": "other", "query": "When does the mill open?", "webhookUrl": "https://hooks.example.com/"}
    for path, body in (("/api/standing", new), ("/api/standing/mill/run", {})):
        reply = await user.http.post(path, json=body, headers=headers)
        assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})
    assert [one["name"] for one in (await send(user, "GET", "/api/standing"))["standing"]] == ["mill"]
    assert (await user.http.delete("/api/standing/mill", headers=headers)).status_code == 200


async def test_a_removal_takes_along_what_a_run_stores_meanwhile(services: Services, user: TestUser) -> None:
    await capture(user, title="Mill", content=MILL)
    await ask(user)
    async with services.database.write(user.id) as session:
        await store.lock(session, "mill")
        await store.replace_lines(session, "mill", await store.lines(session, "mill"))
        removal = asyncio.create_task(send(user, "DELETE", "/api/standing/mill"))
        await awaited(session)
    await removal
    async with services.database.owner(user.id) as session:
        assert await store.lines(session, "mill") == []


async def test_a_slow_run_does_not_replace_a_newer_answer(services: Services, user: TestUser) -> None:
    made = await ask(user)
    await capture(user, title="Mill", content=MILL)
    newer = services.clock() + 3_600_000
    async with services.database.write(user.id) as session:
        await store.lock(session, "mill")
        slow = asyncio.create_task(again(user))
        await awaited(session)
        await store.record_run(session, "mill", newer, newer + 1, complete=True)
    shown = await slow
    assert (shown["computedAt"], shown["ids"]) == (newer, made["ids"])
