"""Memories that extraction makes of real talk hold what is asked for later (needs the evaluation data).

The fast embedder keeps this short; `python -m tests.bench.extraction` measures every conversation with the default one.
"""

import pytest

from memd.settings import Settings
from tests.bench.extraction import EVAL, alone, measure

MIN_SHARE = 0.4


@pytest.mark.eval
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
async def test_memories_of_a_conversation_answer_questions_of_one_fact(
    service_settings: Settings, new_database: str
) -> None:
    async with alone(service_settings, new_database) as (services, user):
        hits = await measure(services, user, "conv-26")
    assert hits.asked > 50
    assert hits.found / hits.asked >= MIN_SHARE, str(hits)
