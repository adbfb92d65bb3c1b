"""Who somebody is, said in passing, hides no fact about them (contract 17.5)."""

import pytest

from memd.domain.facts.appositions import without_apposition
from memd.domain.facts.facts import find_facts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana Ruiz, our designer, lives in Lisbon.", ("Ana Ruiz", "residence", "Lisbon")),
        ("Ana Ruiz (our designer) lives in Lisbon.", ("Ana Ruiz", "residence", "Lisbon")),
        ("Ana Ruiz (designer) now works at Acme.", ("Ana Ruiz", "employer", "Acme")),
        ("Ben, Ana's brother, moved to Graz in 2025.", ("Ben", "residence", "Graz")),
        ("Ben, designer at Acme, moved to Graz.", ("Ben", "residence", "Graz")),
        ("Cleo, the new head of sales, reports to Ben.", ("Cleo", "manager", "Ben")),
        ("Ana Ruiz, unsere Designerin, wohnt in Lissabon.", ("Ana Ruiz", "residence", "Lissabon")),
    ],
)
def test_what_is_said_in_passing_hides_no_fact(text: str, expected: tuple[str, str, str]) -> None:
    assert [(fact.subject, fact.attribute, fact.value) for fact in find_facts(text)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Ana, my sister, and Ben live in Oslo.",
        "Ana, Ben and Cleo live in Oslo.",
        "Acme (north) is owned by Ben.",
        "Unit 12 (the old one) costs 30 euros.",
        "Ana, the designer, who lives in Oslo, is ill.",
        "After lunch, the team uses Slack.",
        "Oslo, the capital of Norway.",
    ],
)
def test_what_distinguishes_things_or_names_others_stays(text: str) -> None:
    assert without_apposition(text) == text
