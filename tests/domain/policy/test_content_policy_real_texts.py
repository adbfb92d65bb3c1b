"""The content policy refuses no honest text: real conversations, encyclopedia paragraphs, installed documentation.

`python -m tests.bench.false_positives` reads 2,000 files of documentation; here it is a sample.
"""

import pytest

from memd.policy.rules import load_rules
from tests.bench.false_positives import EVAL, ROOTS, blocks, documentation, evaluation_texts

RULES = load_rules(None)
SAMPLE = 60


@pytest.mark.eval
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
def test_no_text_of_the_evaluation_data_is_blocked() -> None:
    count, found = blocks(RULES, evaluation_texts())
    assert count >= 5_000
    assert found == []


def test_no_file_of_a_sample_of_documentation_is_blocked() -> None:
    count, found = blocks(RULES, documentation(SAMPLE, ROOTS[:1]))
    assert count >= SAMPLE / 2
    assert found == []
