"""A request that has locked a row waits for nothing but the database: its texts are analysed before.

Else whoever writes the same row waits for a thread too, which other long work of the caller can hold for seconds.
"""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from memd.context import Context, Services
from memd.domain.ids import decode
from memd.memories import service, store, text_index_store, text_reindexing
from memd.memories.conflicts import store as conflicts_store
from memd.memories.history import service as history_service
from memd.memories.history import store as history_store
from memd.memories.history import undo_store
from memd.memories.history.restoring import Read
from memd.memories.keyed import store as keyed_store
from memd.off_loop import INLINE_CHARACTERS
from tests.support.busy_threads import busy_after
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post, send

LONG = "The mill turns. " * (INLINE_CHARACTERS // 16 + 1)
AUTO = {"store": "sensory", "category": "conversation"}


async def found(user: TestUser, word: str, **filters: Any) -> list[str]:
    """The ids of the memories whose text or tags have the word."""
    reply = await post(user, "recall", {"query": word, "includeGraphContext": False} | filters)
    return [row["id"] for row in reply["memories"] if row["rankingSignals"]["textMatchScore"] > 0]


@pytest.mark.parametrize("change", [{"content": LONG + "weir"}, {"tags": ["weir"]}, {"title": "weir"}])
async def test_an_edit_waits_for_no_thread_while_it_locks_its_row(
    user: TestUser, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    memory_id = await capture(user, content=LONG)
    async with busy_after(monkeypatch, service, "lock_visible"):
        await post(user, "update", {"memoryId": memory_id} | change)
    assert await found(user, "weir") == [memory_id]


async def test_a_keyed_capture_waits_for_no_thread_while_it_locks_its_row(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user, key="mill", content=LONG)
    async with busy_after(monkeypatch, keyed_store, "lock"):
        await capture(user, key="mill", content=LONG + "weir", tags=["sluice"])
    assert await found(user, "weir") == await found(user, "sluice") == [memory_id]


async def test_a_replay_with_new_tags_waits_for_no_thread_while_it_locks_its_row(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user, content=LONG, tags=["auto-capture"], **AUTO)
    async with busy_after(monkeypatch, store, "touch"):
        await capture(user, content=LONG, tags=["auto-capture", "weir"], **AUTO)
    assert await found(user, "weir", stores=["sensory"]) == [memory_id]
    (first, second) = (await send(user, "GET", f"/api/memories/{memory_id}/history"))["versions"]
    assert (first["fields"]["tags"], second["fields"]["tags"]) == (["auto-capture"], ["auto-capture", "weir"])


async def test_restoring_and_undoing_wait_for_no_thread_while_they_lock_their_rows(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user, content=LONG + "weir", tags=["sluice"])
    await post(user, "update", {"memoryId": memory_id, "content": "It stands still.", "tags": []})
    assert await found(user, "weir") == []
    async with busy_after(monkeypatch, history_store, "lock_keys"):
        await post(user, f"/api/memories/{memory_id}/restore", {"version": 1})
    assert await found(user, "weir") == await found(user, "sluice") == [memory_id]
    async with busy_after(monkeypatch, undo_store, "lock_history"):
        await post(user, "/api/undo")
    assert await found(user, "weir") == await found(user, "sluice") == []
    assert await found(user, "stands") == [memory_id]


async def test_deciding_a_conflict_waits_for_no_thread_while_it_locks_both_rows(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for city in ("Leeds", "York"):
        await capture(user, title="Ann", content=f"Ann lives in {city}.", store="semantic", category="fact")
    conflicts = list[Any]()
    while not conflicts:
        await asyncio.sleep(0.05)
        conflicts = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    async with busy_after(monkeypatch, conflicts_store, "lock_pair"):
        await post(user, f"/api/conflicts/{conflicts[0]['id']}", {"decision": "supersede"})
    assert (await memory(user, conflicts[0]["oldId"]))["archived"]


async def test_a_version_that_ends_while_it_is_being_restored_is_restored(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user, content="The mill has a weir.")
    read_versions, edited = history_service.read_versions, list[Any]()

    async def read_and_be_overtaken(context: Context, versions: Mapping[UUID, int]) -> dict[UUID, Read]:
        read = await read_versions(context, versions)
        if not edited:
            edited.append(await post(user, "update", {"memoryId": memory_id, "content": "It stands still."}))
        return read

    monkeypatch.setattr(history_service, "read_versions", read_and_be_overtaken)
    restored = await post(user, f"/api/memories/{memory_id}/restore", {"version": 1})
    assert (restored["version"], restored["changed"]) == (3, True)
    assert (await memory(user, memory_id))["content"] == "The mill has a weir."
    assert await found(user, "weir") == [memory_id]
    assert await found(user, "stands") == []


async def test_an_edit_during_a_re_indexing_keeps_its_lexemes_and_is_re_indexed_by_the_next_one(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user, content="The mill has a weir.")
    context, lock = await context_of(services, user), text_index_store.lock_texts

    async def be_overtaken(*arguments: Any) -> Any:
        await post(user, "update", {"memoryId": memory_id, "content": "It stands still."})
        async with services.database.write(user.id) as session:
            await session.execute("UPDATE memory_index SET index_version = 0", {})
        return await lock(*arguments)

    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory_index SET index_version = 0", {})
    monkeypatch.setattr(text_index_store, "lock_texts", be_overtaken)
    assert await text_reindexing.reindex(context) == 0
    assert await found(user, "stands") == [memory_id]
    assert await found(user, "weir") == []
    monkeypatch.setattr(text_index_store, "lock_texts", lock)
    async with asyncio.timeout(10):
        while await text_reindexing.reindex(context) == 0:  # noqa: ASYNC110 - until the recalls above have counted accesses
            await asyncio.sleep(0.05)
    async with services.database.read(user.id) as session:
        rows = await dict_rows(
            session,
            "SELECT index_version > 0 AS new FROM memory_index WHERE memory_id = %(id)s",
            {"id": decode("mem", memory_id)},
        )
    assert rows == [{"new": True}]
    assert await found(user, "stands") == [memory_id]
