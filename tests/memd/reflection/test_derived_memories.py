"""A reflection does not bring back what was forgotten, superseded or edited (contract 6.5, 11.6, 17.5)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.lifecycle.consolidate import consolidate_and_promote
from memd.reflection.jobs import reflect_on_the_day
from tests.memd.lifecycle.rows import aged
from tests.memd.lifecycle.test_growing_together import PROVEN
from tests.support.jobs import context_of, done, now_of
from tests.support.service import TestUser
from tests.support.wire import Json, capture, memory, post, send, totals

VAULT = "The vault door code word is bluebird"
LOOP = "We still need to water the vault plants."
OTHERS = ("Greta counted the chairs of the vault.", "The vault was painted on Monday.")


async def reflected(user: TestUser, text: str = VAULT) -> tuple[str, list[str]]:
    """A memory, and the reflections made of it and two others."""
    first, *_ = [await capture(user, title=one[:40], content=one, category="event") for one in (text, *OTHERS)]
    return first, (await post(user, "reflect"))["memoryIds"]


async def found(user: TestUser, query: str = "vault door code word", **fields: Any) -> list[str]:
    return [row["content"] for row in (await post(user, "recall", {"query": query} | fields))["memories"]]


async def exported(user: TestUser, **query: Any) -> list[Json]:
    return (await send(user, "GET", "/api/memories", pageSize=200, **query))["memories"]


async def restore(user: TestUser, memory_id: str) -> None:
    await send(user, "POST", f"/api/memories/{memory_id}/restore", {})


async def edit(user: TestUser, memory_id: str) -> None:
    await post(user, "update", {"memoryId": memory_id, "content": "The vault door has no code word any more."})


async def supersede(user: TestUser, memory_id: str) -> None:
    body = {"oldMemoryId": memory_id, "title": "Door", "content": "The vault door has a lock with a key."}
    await post(user, "supersede", body)


async def forget(user: TestUser, memory_id: str) -> None:
    await post(user, "forget", {"memoryId": memory_id})


async def move(user: TestUser, memory_id: str) -> None:
    await post(user, "update", {"memoryId": memory_id, "channel": "peer-coach:7"})


@pytest.mark.rule("11.6 derived rows", "5 memory active: archive of one")
@pytest.mark.parametrize("change", [forget, supersede, edit, move])
async def test_a_text_that_went_is_not_found_in_a_reflection(user: TestUser, change: Any) -> None:
    source, made = await reflected(user)
    assert sum("bluebird" in text for text in await found(user)) == 1 + len(made)
    await change(user, source)
    assert not any("bluebird" in text for text in await found(user))
    rows = {row["id"]: row for row in (await send(user, "GET", "/api/memories/list", archived="true"))["memories"]}
    assert {rows[one]["archivedBy"] for one in made} == {"source"}


@pytest.mark.rule("17.5 undo")
@pytest.mark.parametrize("change", [forget, supersede, edit, move])
async def test_an_undo_brings_back_both(user: TestUser, change: Any) -> None:
    source, made = await reflected(user)
    before, counted = await exported(user), await totals(user)
    await change(user, source)
    undone = (await post(user, "/api/undo"))["undone"]
    assert {row["id"] for row in undone} >= {source, *made}
    assert await exported(user) == before
    assert (await totals(user))[0] == counted[0]
    assert sum("bluebird" in text for text in await found(user)) == 1 + len(made)


@pytest.mark.rule("17.5 restore")
async def test_restoring_the_source_restores_what_was_made_of_it(user: TestUser) -> None:
    source, made = await reflected(user)
    before = await exported(user)
    await forget(user, source)
    await restore(user, source)
    assert await exported(user) == before
    assert not any([(await memory(user, one))["archived"] for one in made])


@pytest.mark.rule("17.5 restore")
async def test_an_edit_that_is_taken_back_by_another_edit_counts_as_none(user: TestUser) -> None:
    source, made = await reflected(user)
    await edit(user, source)
    await post(user, "update", {"memoryId": source, "content": VAULT})
    assert not any([(await memory(user, one))["archived"] for one in made])


@pytest.mark.rule("17.5 undo")
async def test_a_summary_stays_away_until_all_of_its_sources_are_back(user: TestUser) -> None:
    ids = [await capture(user, content=text, category="event") for text in (VAULT, *OTHERS)]
    (summary,) = (await post(user, "reflect"))["memoryIds"]
    for one in ids[:2]:
        await forget(user, one)
    await restore(user, ids[0])
    assert (await memory(user, summary))["archived"]
    await restore(user, ids[1])
    assert not (await memory(user, summary))["archived"]


@pytest.mark.rule("17.5 undo")
async def test_an_undo_does_not_bring_back_what_another_key_has_forgotten(user: TestUser) -> None:
    ids = [await capture(user, content=text, category="event") for text in (VAULT, *OTHERS)]
    (summary,) = (await post(user, "reflect"))["memoryIds"]
    other = (await post(user, "/api/keys", {"label": "other"}, status=201))["apiKey"]
    headers = {"Authorization": f"Bearer {other}"}
    await forget(user, ids[1])
    assert (await user.http.post("/api/mcp/forget", json={"memoryId": ids[0]}, headers=headers)).status_code == 200
    await post(user, "/api/undo")
    assert not (await memory(user, ids[1]))["archived"]
    assert (await memory(user, summary))["archived"]
    await user.http.post("/api/undo", json={}, headers=headers)
    assert not (await memory(user, summary))["archived"]


async def test_a_reflection_that_was_forgotten_itself_does_not_come_back(user: TestUser) -> None:
    source, (summary, *_) = await reflected(user)
    await forget(user, source)
    await forget(user, summary)
    await restore(user, source)
    assert (await memory(user, summary))["archived"]


@pytest.mark.rule("11.6 derived rows")
async def test_an_open_loop_ends_with_the_memory_it_was_made_of(services: Services, user: TestUser) -> None:
    source, made = await reflected(user, LOOP)
    assert len(made) == 2
    await supersede(user, source)
    await done(services, user)
    wake = await post(user, "wake")
    assert "water the vault plants" not in wake["briefing"]


@pytest.mark.rule("11.6 derived rows")
async def test_what_is_left_is_reflected_on_again(user: TestUser) -> None:
    source, _ = await reflected(user)
    await capture(user, content="The chairs of the vault are green.", category="event")
    await forget(user, source)
    again = await post(user, "reflect")
    assert "bluebird" not in again["stats"]["summary"]
    assert again["stats"]["summaryWritten"] == 1


@pytest.mark.rule("17.6 forget permanent")
async def test_a_deleted_text_is_not_found_in_a_summary_of_others_too(user: TestUser) -> None:
    source, made = await reflected(user)
    await post(user, "forget", {"memoryId": source, "permanent": True})
    assert not any("bluebird" in text for text in await found(user))
    await post(user, "/api/undo", {"sinceMs": 0})
    assert not any("bluebird" in text for text in await found(user))
    assert len(made) >= 1


@pytest.mark.rule("17.5 asOf")
async def test_the_past_still_has_what_was_known_then(services: Services, user: TestUser) -> None:
    source, made = await reflected(user)
    moment = await now_of(services)
    seen = await exported(user)
    await forget(user, source)
    assert await exported(user, asOf=moment) == seen
    assert {row["id"] for row in seen} >= {source, *made}


@pytest.mark.rule("11.6 derived rows")
async def test_a_promoted_copy_goes_with_its_event(services: Services, user: TestUser) -> None:
    event = await aged(services, user, days=2, content=VAULT, **PROVEN)
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    await forget(user, event)
    assert await exported(user) == []
    await post(user, "/api/undo")
    assert [row["content"] for row in await exported(user)] == [VAULT, VAULT]


@pytest.mark.rule("11.6 derived rows")
async def test_the_daily_job_archives_what_an_earlier_release_has_left(services: Services, user: TestUser) -> None:
    source, made = await reflected(user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            UPDATE memory SET archived = true, archived_by = 'user', changed_at = %(now)s
            WHERE user_id = %(user)s AND id = %(id)s
            """,
            {"user": user.id, "id": decode("mem", source), "now": await now_of(services)},
        )
    await reflect_on_the_day(await context_of(services, user))
    assert all([(await memory(user, one))["archived"] for one in made])


async def test_the_daily_run_leaves_alone_what_somebody_restored(services: Services, user: TestUser) -> None:
    source, made = await reflected(user)
    await edit(user, source)
    await restore(user, made[0])
    await reflect_on_the_day(await context_of(services, user))
    assert not (await memory(user, made[0]))["archived"]


async def test_a_text_that_was_deleted_does_not_return_with_another_source(user: TestUser) -> None:
    """Forgotten first, then deleted: the reflection left with it, and names the other source alone."""
    deleted, _ = await reflected(user)
    other = next(row["id"] for row in await exported(user) if row["content"] == OTHERS[0])
    await forget(user, deleted)
    await forget(user, other)
    await post(user, "forget", {"memoryId": deleted, "permanent": True})
    active, archived = await totals(user)
    await restore(user, other)
    assert not any("bluebird" in text for text in await found(user))
    assert await totals(user) == (active + 1, archived - 1)
