"""The effects of new words (contract 6.3): title and content each lead to a new salience and a new graph."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.dict_rows import dict_row
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post

MARKED = "UPDATE memory SET graph_enriched = true, graph_enriched_at = 1, salience_score = 0, recall_text = 'old'"
STATE = "SELECT graph_enriched_at AS at, salience_score AS salience, recall_text AS text FROM memory"


@pytest.mark.rule("6.3 recallText, salience, graph")
@pytest.mark.parametrize(
    ("fields", "again", "text"),
    [
        ({"title": "We decided to fix the boiler"}, True, "plain words"),
        ({"content": "We decided to fix the boiler."}, True, "decided fix boiler."),
        ({"tags": ["new"], "store": "semantic", "category": "rule"}, False, "old"),
    ],
    ids=["title", "content", "neither"],
)
async def test_new_words_have_it_made_again(
    services: Services, user: TestUser, fields: dict[str, Any], *, again: bool, text: str
) -> None:
    memory_id = await capture(user, title="Plain", content="plain words")
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(MARKED)
    await post(user, "update", {"memoryId": memory_id} | fields)
    async with services.database.read(user.id) as session:
        row = await dict_row(session, STATE)
    assert row is not None
    assert (row["salience"] > 0, row["at"] != 1) == (again, again)
    assert row["text"] == text
    await done(services, user)
    assert (await memory(user, memory_id))["graphEnriched"] is True
