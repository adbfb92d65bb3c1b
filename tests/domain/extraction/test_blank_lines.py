"""Long runs of blank lines cost no more than other text of their length, wherever a message has them."""

import pytest

from memd.domain.extraction.own_words import off_the_record
from tests.support.regex_steps import counting_steps


def steps_of(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    with monkeypatch.context() as patched:
        steps = counting_steps(patched, off_the_record)
        off_the_record.is_off_the_record(text)
    return steps.count


@pytest.mark.parametrize("blank", ["\n", " \n", "\t", ".\n"])
def test_twice_as_many_blank_lines_cost_twice_as_much(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    one, two = (steps_of(monkeypatch, f"I live in Oslo.{blank * count}x") for count in (100, 200))
    assert two < 2.5 * one
