"""Whether a text is one main clause, so that its time holds for all of it."""

import pytest

from memd.domain.text.clauses import is_one_clause


@pytest.mark.parametrize(
    "text",
    [
        "Ana and Bob live in Oslo since 2020.",
        "We use tabs and spaces since Monday.",
        "From 12 to 15 March, the office is closed.",
        "Ana lived in Oslo, Norway, from 2015 to 2018.",
        "The build is green since 3 May.",
        "Ana works there since 2020 and stays until 2026.",
        "Dr. Smith is away until Friday.",
    ],
)
def test_one_clause(text: str) -> None:
    assert is_one_clause(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ana lives in Oslo and works at Foo.",
        "Ana likes tea, her brother sells cars.",
        "The door is open. The gate is not.",
        "The shop (it sells tea) is shut.",
        "The road is closed because it snows.",
        "You may stay.",
        "They need to leave.",
        "Ana thinks the shop is shut.",
        "The lift is broken; take the stairs.",
    ],
)
def test_several_clauses_or_a_modal_one(text: str) -> None:
    assert not is_one_clause(text)
