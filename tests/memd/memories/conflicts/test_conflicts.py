"""Memories that contradict each other (contract 17.5): noted by the job that reads them, listed, decided about."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memd.context import Services
from memd.memories.conflicts.detection import WINDOW
from memd.services import now_ms
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, memory, post, send, totals


async def pair(services: Services, user: TestUser, old: str, new: str, **fields: Any) -> tuple[str, str]:
    first = await capture(user, content=old, **fields)
    await done(services, user)
    second = await capture(user, content=new, **fields)
    await done(services, user)
    return first, second


async def conflicts(user: TestUser, **query: Any) -> list[dict[str, Any]]:
    return (await send(user, "GET", "/api/conflicts", **query))["conflicts"]


async def decide(user: TestUser, conflict_id: str, decision: str, status: int = 200) -> dict[str, Any]:
    return await send(user, "POST", f"/api/conflicts/{conflict_id}", {"decision": decision}, status=status)


@pytest.mark.rule("17.5 conflicts")
async def test_a_contradiction_is_listed_and_nothing_is_changed(services: Services, user: TestUser) -> None:
    old, new = await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.")
    (row,) = await conflicts(user)
    assert (row["oldId"], row["newId"], row["subject"], row["attribute"]) == (old, new, "Ana", "residence")
    assert (row["oldValue"], row["newValue"], row["certainty"], row["state"]) == ("Oslo", "Rome", 0.95, "open")
    assert await totals(user) == (2, 0)


async def test_of_two_memories_the_most_certain_contradiction_is_stored(services: Services, user: TestUser) -> None:
    await pair(services, user, "Ana lives in Oslo.", "Ana lives in Rome. Ana is living in Bonn. Ana moved to Turin.")
    (row,) = await conflicts(user)
    assert (row["newValue"], row["certainty"]) == ("Turin", 0.95)


@pytest.mark.rule("17.5 decisions")
async def test_the_new_memory_supersedes_the_old_one(services: Services, user: TestUser) -> None:
    old, new = await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.")
    (row,) = await conflicts(user)
    assert await decide(user, row["id"], "supersede") == {"success": True, "id": row["id"], "decision": "supersede"}
    was, now = await memory(user, old), await memory(user, new)
    assert (was["archived"], was["supersededByMemoryId"], now["supersedesMemoryId"]) == (True, new, old)
    assert was["validUntil"] == now["validFrom"] == now["createdAt"]
    assert await totals(user) == (1, 1)
    assert await conflicts(user) == []
    assert [one["id"] for one in await conflicts(user, state="superseded")] == [row["id"]]
    assert (await decide(user, row["id"], "reject", status=409))["error"] == "Conflict already decided"


@pytest.mark.rule("17.5 knownAt")
async def test_a_decision_is_known_from_when_it_was_made(services: Services, user: TestUser) -> None:
    old, new = await pair(services, user, "Hal lives in Bonn.", "Hal moved to Graz.")
    (row,) = await conflicts(user)
    before = now_ms()
    await asyncio.sleep(0.01)  # the decision falls into a later millisecond
    await decide(user, row["id"], "supersede")
    question = {"query": "where does Hal live?", "limit": 10}
    then = await post(user, "recall", question | {"knownAt": before})
    assert {one["id"] for one in then["memories"]} == {old, new}
    assert {one["id"] for one in (await post(user, "recall", question))["memories"]} == {new}


@pytest.mark.rule("17.5 decisions")
@pytest.mark.parametrize(("decision", "state"), [("keep_both", "kept"), ("reject", "rejected")])
async def test_both_may_stay(services: Services, user: TestUser, decision: str, state: str) -> None:
    await pair(services, user, "Ana's phone number is 555-1234.", "Ana's phone number is 555-9876.")
    (row,) = await conflicts(user)
    await decide(user, row["id"], decision)
    assert [one["id"] for one in await conflicts(user, state=state)] == [row["id"]]
    assert await totals(user) == (2, 0)


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ana lives in Oslo.", "Ben lives in Rome."),
        ("Ana lives in Oslo.", "Ana lives in central Oslo."),
        ("Unit 12 costs 30 euros.", "Unit 13 costs 40 euros."),
        ("Ana likes tea.", "Ana likes coffee."),
    ],
)
async def test_what_may_both_be_true_is_no_contradiction(
    services: Services, user: TestUser, old: str, new: str
) -> None:
    await pair(services, user, old, new)
    assert await conflicts(user) == []


@pytest.mark.rule("17.5 conflicts")
async def test_a_changed_number_in_german_contradicts(services: Services, user: TestUser) -> None:
    text = "Das Budget für Projekt Lindenhof beträgt {} Euro."
    old, new = await pair(services, user, text.format("40.000"), text.format("55.000"))
    await capture(user, content=text.replace("Lindenhof", "Birkenhof").format("70.000"))
    await done(services, user)
    (row,) = await conflicts(user)
    assert (row["oldId"], row["newId"], row["attribute"]) == (old, new, "budget")
    assert (row["oldValue"], row["newValue"]) == ("40000 Euro", "55000 Euro")


@pytest.mark.rule("17.5 conflicts")
async def test_only_memories_of_one_channel_are_compared_and_shown(services: Services, user: TestUser) -> None:
    await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.", channel="telegram:11")
    await capture(user, content="Ana lives in Kiel.", channel="telegram:12")
    await done(services, user)
    assert len(await conflicts(user, channel="telegram:11")) == 1
    assert await conflicts(user, channel="telegram:12") == []
    await decide(user, "conf_" + "0" * 26, "reject", status=404)


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    "other",
    [{"channel": "telegram:99"}, {"project_id": "p"}, {"archived": True}, {"value": "Rome"}],
    ids=["channel", "project", "archived", "equal value"],
)
async def test_facts_that_cannot_contradict_crowd_out_none_that_do(
    services: Services, user: TestUser, other: dict[str, Any]
) -> None:
    old = await capture(user, content="Ana lives in Oslo.")
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            WITH copies AS (
              INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence,
                                  arousal, last_accessed_at, created_at, updated_at, content_hash, graph_enriched, channel,
                                  project_id, archived)
              SELECT user_id, ('ff' || substr(gen_random_uuid()::text, 3))::uuid, title, content || n, store, category,
                     source, strength, confidence, valence, arousal, last_accessed_at, created_at, updated_at,
                     content_hash || n, true, %(channel)s, %(project)s, %(archived)s
              FROM memory, generate_series(1, %(count)s) n WHERE user_id = %(user)s
              RETURNING user_id, id)
            INSERT INTO memory_fact (user_id, memory_id, place, subject_key, attribute, subject, value, changed, denied)
            SELECT c.user_id, c.id, 0, f.subject_key, f.attribute, f.subject, coalesce(%(value)s, f.value), false, false
            FROM copies c JOIN memory_fact f ON f.user_id = c.user_id
            """,
            {
                "user": user.id,
                "count": WINDOW + 1,
                "channel": other.get("channel"),
                "project": other.get("project_id"),
                "archived": other.get("archived", False),
                "value": other.get("value"),
            },
        )
    new = await capture(user, content="Ana moved to Rome.")
    await done(services, user)
    assert (old, new) in {(row["oldId"], row["newId"]) for row in await conflicts(user)}


@pytest.mark.rule("17.5 decisions")
async def test_nobody_decides_about_the_memories_of_another_user(
    services: Services, user: TestUser, make_user: MakeUser
) -> None:
    await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.")
    (row,) = await conflicts(user)
    stranger = await make_user()
    assert await conflicts(stranger) == []
    assert await decide(stranger, row["id"], "supersede", status=404) == {"error": "Not found"}
    assert await conflicts(user) == [row]


@pytest.mark.rule("17.5 decisions")
@pytest.mark.parametrize("decision", ["supersede", "keep_both", "reject"])
async def test_a_channel_decides_only_about_memories_that_it_sees(
    services: Services, user: TestUser, decision: str
) -> None:
    await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.", channel="telegram:11")
    (row,) = await conflicts(user)
    path = f"/api/conflicts/{row['id']}"
    hidden = {"decision": decision, "channel": "telegram:12"}
    assert (await send(user, "POST", path, hidden, status=403))["error"] == "Forbidden"
    assert await conflicts(user) == [row]
    await send(user, "POST", path, {"decision": decision, "channel": "telegram:11"})
    assert await conflicts(user) == []


@pytest.mark.rule("17.5 conflicts", "17.5 undo")
async def test_undoing_a_decision_opens_the_contradiction_again(services: Services, user: TestUser) -> None:
    old, _ = await pair(services, user, "Ana lives in Oslo.", "Ana moved to Rome.")
    (row,) = await conflicts(user)
    await decide(user, row["id"], "supersede")
    await post(user, "/api/undo", {})
    await done(services, user)
    assert await conflicts(user) == [row]
    assert (await memory(user, old))["archived"] is False
    await decide(user, row["id"], "supersede")
    await send(user, "POST", f"/api/memories/{old}/restore", {})
    assert await conflicts(user) == [row]


@pytest.mark.rule("17.5 conflicts")
async def test_an_edit_withdraws_what_it_no_longer_contradicts(services: Services, user: TestUser) -> None:
    old, _ = await pair(services, user, "Ana lives in Oslo.", "Ana lives in Rome.")
    assert len(await conflicts(user)) == 1
    await post(user, "update", {"memoryId": old, "content": "Ana lives in Rome and likes it."})
    await done(services, user)
    assert await conflicts(user) == []


@pytest.mark.rule("17.5 conflicts")
async def test_a_contradiction_is_listed_while_both_memories_are_active(services: Services, user: TestUser) -> None:
    old, _ = await pair(services, user, "Ana lives in Oslo.", "Ana lives in Rome.")
    listed = await conflicts(user)
    await post(user, "forget", {"memoryId": old})
    assert await conflicts(user) == []
    await send(user, "POST", f"/api/memories/{old}/restore", {})
    assert await conflicts(user) == listed != []


@pytest.mark.rule("17.5 conflicts")
async def test_a_denied_value_is_shown_as_denied(services: Services, user: TestUser) -> None:
    await pair(services, user, "Ana works at Acme.", "Ana no longer works at Acme.")
    (row,) = await conflicts(user)
    assert (row["oldValue"], row["newValue"]) == ("Acme", "not Acme")


async def test_decisions_edits_and_undoing_at_the_same_time(services: Services, user: TestUser) -> None:
    """All of them lock memories before conflicts, in the order of their ids, so that none has to be given up."""
    people = ("Ana", "Ben", "Eva", "Ida", "Leo", "Mia")
    pairs = [await pair(services, user, f"{name} lives in Oslo.", f"{name} moved to Rome.") for name in people]
    rows = await conflicts(user)
    assert len(rows) == len(people)
    calls = [user.http.post(f"/api/conflicts/{row['id']}", json={"decision": "supersede"}) for row in rows]
    for old, new in pairs:
        for memory_id, city in ((old, "Bern"), (new, "Oslo")):
            edit = {"memoryId": memory_id, "content": f"Now it is {city}."}
            calls += [
                user.http.post("/api/mcp/update", json=edit),
                user.http.post(f"/api/memories/{old}/restore", json={}),
            ]
    calls.append(user.http.post("/api/undo", json={}))
    replies = await asyncio.gather(*calls)
    assert [reply.text for reply in replies if reply.status_code >= 500] == []
    await done(services, user)


@pytest.mark.rule("17.5 which is newer")
@pytest.mark.parametrize(
    ("first", "second", "current"),
    [
        ("Ann lives in Oslo.", "Ann moved to Rome in {month}.", 1),
        ("Ann moved to Rome in {month}.", "Ann lives in Oslo.", 1),
        ("Ann lives in Oslo.", "Ann moved to Rome in 2015.", 0),
        ("Ann lives in Oslo.", "Ann used to live in Rome until 2020.", 0),
    ],
)
@pytest.mark.parametrize("query", ["Where does Ann live?", "Oslo or Rome, Ann?"])
async def test_the_current_fact_is_above_the_one_it_replaces(
    services: Services, user: TestUser, first: str, second: str, current: int, query: str
) -> None:
    month = (datetime.now(UTC) - timedelta(days=200)).strftime("%B %Y")
    ids = await pair(services, user, first.format(month=month), second.format(month=month))
    rows = [row["id"] for row in (await post(user, "recall", {"query": query, "limit": 10}))["memories"]]
    assert rows[0] == ids[current]


@pytest.mark.rule("17.5 contested rows")
async def test_recall_marks_rows_that_contradict_each_other(services: Services, user: TestUser) -> None:
    old, new = await pair(services, user, "Ana lives in Oslo, in a red house by the sea.", "Ana moved to Rome.")
    await capture(user, content="Ana likes Oslo and the sea.")
    await done(services, user)
    (conflict,) = await conflicts(user)
    question = {"query": "a red house by the sea in Oslo, Ana", "limit": 10}
    rows = {row["id"]: row for row in (await post(user, "recall", question))["memories"]}
    assert list(rows).index(new) < list(rows).index(old)
    named = {"id": conflict["id"], "attribute": "residence"}
    assert rows[old]["conflicts"] == [named | {"memoryId": new, "value": "Rome", "newer": False}]
    assert rows[new]["conflicts"] == [named | {"memoryId": old, "value": "Oslo", "newer": True}]
    assert rows[new]["rankingSignals"]["conflictBoost"] > 0
    assert [row for row in rows.values() if "conflicts" in row] == [rows[new], rows[old]]
    before = {"validAt": rows[new]["createdAt"] - 1}
    then = [row["id"] for row in (await post(user, "recall", question | before))["memories"]]
    assert then.index(old) < then.index(new)
    await decide(user, conflict["id"], "keep_both")
    assert all("conflicts" not in row for row in (await post(user, "recall", question))["memories"])
