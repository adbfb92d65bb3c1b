"""How common a word is comes from a sample of the newest rows, a larger one where there are very many rows."""

import pytest

from memd.context import Services
from memd.db import document_frequencies
from memd.recall import store
from tests.support.service import TestUser
from tests.support.wire import capture


async def test_a_word_that_a_small_sample_misses_counts_among_very_many_rows(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        await capture(user, title=f"Old {number}", content=f"The heron nests at place {number}.")
    for number in range(4):
        await capture(user, title=f"New {number}", content=f"The kiln is lit for batch {number}.")
    monkeypatch.setattr(document_frequencies, "SAMPLE_ROWS", 4)
    monkeypatch.setattr(document_frequencies, "MANY_ROWS", 1_000)
    frequencies = document_frequencies.DocumentFrequencies(services.clock)
    sample = store.sample(user.id)
    async with services.database.read(user.id) as session:
        few = await frequencies.of(session, "few", 999, *sample)
        many = await frequencies.of(session, "many", 1_000, *sample)
    assert (few.get("heron"), few["kiln"]) == (None, 1.0)
    assert (many["heron"], many["kiln"]) == (0.5, 0.5)
