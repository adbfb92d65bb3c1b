"""Versions that hardly differ share entries of the indexes, and each is still found as of its moment (contract 17.5)."""

import asyncio
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.domain.types import HistoryAction
from memd.memories.history.recording import Cause, record_versions
from tests.support.jobs import context_of, done, now_of
from tests.support.locks import waiting_for
from tests.support.service import TestUser
from tests.support.wire import capture, post


class IndexRow(NamedTuple):
    """A row that a search for words reads."""

    version: int
    recorded_from: int
    recorded_until: int


class VectorRow(NamedTuple):
    """A version, and whether a vector index has it."""

    version: int
    indexed: bool


async def index_rows(services: Services, user: TestUser) -> list[IndexRow]:
    async with services.database.read(user.id) as session:
        return await session.rows(
            IndexRow,
            """
            SELECT version, recorded_from, recorded_until FROM memory_version_index
            WHERE user_id = %(user)s ORDER BY version
            """,
            {"user": user.id},
        )


async def vector_rows(services: Services, user: TestUser) -> dict[int, bool]:
    async with services.database.read(user.id) as session:
        rows = await session.rows(
            VectorRow,
            "SELECT version, indexed FROM memory_version WHERE user_id = %(user)s ORDER BY version",
            {"user": user.id},
        )
    return dict(rows)


async def change(user: TestUser, memory_id: str, **fields: Any) -> None:
    await post(user, "update", {"memoryId": memory_id} | fields)


async def found(user: TestUser, query: str, as_of: int) -> list[tuple[str, float]]:
    rows = (await post(user, "recall", {"query": query, "asOf": as_of}))["memories"]
    return [(row["content"], row["strength"]) for row in rows]


@pytest.mark.rule("17.5 asOf")
async def test_changes_that_no_search_for_words_sees_share_a_row(services: Services, user: TestUser) -> None:
    kiln = await capture(user, content="The kiln runs at 900 degrees.", strength=0.1)
    moments = [await now_of(services)]
    for strength in (0.2, 0.3):
        await change(user, kiln, strength=strength)
        moments.append(await now_of(services))
    await change(user, kiln, content="The kiln runs at 950 degrees.")
    moments.append(await now_of(services))
    await change(user, kiln, tags=["clay"])
    first, second = await index_rows(services, user)
    assert (first.version, second.version) == (3, 4)
    assert first.recorded_from < moments[0] < moments[2] < first.recorded_until == second.recorded_from
    texts = ["The kiln runs at 900 degrees."] * 3 + ["The kiln runs at 950 degrees."]
    then = [(await found(user, "kiln degrees", moment))[0] for moment in moments]
    assert then == list(zip(texts, (0.1, 0.2, 0.3, 0.3), strict=True))
    assert await found(user, "kiln degrees", first.recorded_from - 1) == []


@pytest.mark.rule("17.5 asOf")
async def test_an_edit_of_a_number_shares_an_entry_of_the_vector_index(services: Services, user: TestUser) -> None:
    budget = await capture(user, title="Budget", content="The budget of Lindenhof is 40,000 euros.")
    await change(user, budget, content="The budget of Lindenhof is 55,000 euros.")
    await change(user, budget, content="The heron nests by the old mill.")
    await change(user, budget, strength=0.9)
    assert await vector_rows(services, user) == {1: True, 2: False, 3: True}


async def test_versions_have_their_own_entry_when_the_first_is_dropped(services: Services, user: TestUser) -> None:
    memory_id = decode("mem", await capture(user, content="The budget of Lindenhof is 40,000 euros."))
    context = await context_of(services, user)
    settings = services.settings.model_copy(update={"history_versions": 2})
    few = replace(context, services=replace(services, settings=settings))
    expected = ({1: True}, {1: True, 2: False}, {2: True, 3: True}, {3: True, 4: True})
    for versions in expected:
        async with services.database.write(user.id) as session:
            await record_versions(session, few, [memory_id], Cause(HistoryAction.UPDATE))
        assert await vector_rows(services, user) == versions


async def test_a_version_has_the_vector_that_a_concurrent_write_gave_it(services: Services, user: TestUser) -> None:
    memory_id = decode("mem", await capture(user, content="The kiln is lit."))
    await done(services, user)
    context = await context_of(services, user)

    async def record() -> None:
        async with services.database.write(user.id) as session:
            await record_versions(session, context, [memory_id], Cause(HistoryAction.UPDATE))

    async with services.database.write(user.id) as first:
        await record_versions(first, context, [memory_id], Cause(HistoryAction.UPDATE))
        second = asyncio.create_task(record())
        await waiting_for(services, await first.value("SELECT pg_backend_pid()"))
        await first.execute(
            """
            UPDATE memory_vector SET embedding = array_fill(0.05::real, ARRAY[vector_dims(embedding)])::vector::halfvec
            WHERE user_id = %(user)s AND memory_id = %(id)s
            """,
            {"user": user.id, "id": memory_id},
        )
    await second
    async with services.database.read(user.id) as session:
        kept = await session.values(
            """
            SELECT o.embedding = v.embedding FROM memory_version o JOIN memory_vector v ON v.memory_id = o.memory_id
            WHERE o.user_id = %(user)s AND v.user_id = %(user)s ORDER BY o.version
            """,
            {"user": user.id},
        )
    assert kept == [False, True]
