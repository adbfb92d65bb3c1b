"""The cosines of rows whose vectors came with them: as Postgres works them out."""

import numpy as np
import pytest

from memd.context import Services
from memd.recall.lane_store import FoundMemory, cosines_of
from tests.support.dict_rows import dict_rows

NOTHING = FoundMemory._make([None] * len(FoundMemory._fields))
DIMENSIONS = 8


async def test_they_are_those_of_postgres(services: Services) -> None:
    random = np.random.default_rng(7)
    query = random.standard_normal(DIMENSIONS).astype(np.float32)
    stored = [random.standard_normal(DIMENSIONS) * scale for scale in (0.01, 1, 30)]
    async with services.database.system() as session:
        rows = await dict_rows(
            session,
            """
            SELECT halfvec_send(stored::halfvec) AS sent, 1 - (stored::halfvec <=> %(query)s::halfvec) AS cosine
            FROM unnest(%(stored)s::text[]) WITH ORDINALITY row (stored, place) ORDER BY place
            """,
            {"query": str(query.tolist()), "stored": [str(vector.tolist()) for vector in [*stored, query, -query]]},
        )
    found = [NOTHING._replace(vector=row["sent"]) for row in rows]
    assert cosines_of(found, query) == pytest.approx([row["cosine"] for row in rows], abs=1e-6)
    assert cosines_of(found, query)[3:] == pytest.approx([1, -1], abs=1e-6)


def test_without_a_vector_on_either_side_there_is_none() -> None:
    query = np.ones(2, dtype=np.float32)
    sent = np.array([2, 0], ">i2").tobytes() + np.array([0.6, 0.8], ">f2").tobytes()
    found = [NOTHING, NOTHING._replace(vector=sent), NOTHING]
    assert cosines_of(found, query) == [None, pytest.approx(0.98995, abs=1e-3), None]
    assert cosines_of(found, None) == [None, None, None]
    assert cosines_of([], query) == []
    assert cosines_of([NOTHING._replace(vector=sent[:4] + bytes(4))], query) == [0]
