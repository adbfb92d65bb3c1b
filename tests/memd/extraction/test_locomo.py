"""Memories that extraction makes of real talk hold what is asked for later (needs the evaluation data).

The fast embedder keeps this short; `python -m tests.bench.extraction` measures every conversation with the default one.
"""

from collections.abc import Callable

import pytest

from memd.settings import Settings
from tests.bench.extraction import EVAL, alone, measure

MIN_SHARE = 0.4


@pytest.mark.eval
@pytest.mark.long_form
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
async def test_memories_of_a_conversation_answer_questions_of_one_fact(
    service_settings: Settings, new_database: str, of_size: Callable[[int, int], int]
) -> None:
    sessions = of_size(10, 19)
    async with alone(service_settings, new_database) as (services, user):
        hits = await measure(services, user, "conv-26", sessions)
    assert hits.asked >= 2 * sessions
    assert hits.found / hits.asked >= MIN_SHARE, str(hits)
