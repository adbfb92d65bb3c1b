"""Instructions that hold for every answer, and habits, in long texts (contract 11.6)."""

import pytest

from memd.domain.distilling.habits import MAX_READ, is_habit, is_imperative, is_lasting, is_standing_instruction


@pytest.mark.parametrize(
    "part",
    [
        "don't use emojis in general ",
        "I usually run and ",
        "never a",
        "no emojis, please",
        "use a in ",
        "when you write a, ",
    ],
)
def test_long_texts_cost_little(part: str) -> None:
    text = part * (100_000 // len(part))
    assert not is_standing_instruction(text)
    assert not is_habit(text)
    is_lasting(text)
    for _ in range(100):
        is_standing_instruction(text[:MAX_READ])
        is_habit(text[:MAX_READ])


@pytest.mark.parametrize(
    ("sentence", "imperative"),
    [
        ("Keep your answers short.", True),
        ("Please always run the tests.", True),
        ("Never push to main.", True),
        ("We must never push to main.", False),
        ("My rule is never to work on Sundays.", False),
    ],
)
def test_an_imperative_tells_its_hearer_what_to_do(sentence: str, imperative: bool) -> None:
    assert is_imperative(sentence) is imperative


@pytest.mark.parametrize(
    ("sentence", "lasting"),
    [("Never use emojis.", True), ("No emojis from now on.", True), ("No emojis please.", False)],
)
def test_an_instruction_beside_a_request_lasts_when_it_says_so(sentence: str, lasting: bool) -> None:
    assert is_standing_instruction(sentence.removesuffix("."))
    assert is_lasting(sentence) is lasting
