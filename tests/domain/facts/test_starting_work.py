"""Statements about starting a job name the employer (contract 17.5)."""

import pytest

from memd.domain.facts.facts import find_facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I started at Acme Corp as a staff engineer on 1 May 2025.", [("user", "Acme Corp", True)]),
        ("Ana started working at Acme.", [("Ana", "Acme", True)]),
        ("I have worked at Acme since 2019.", [("user", "Acme", False)]),
        ("Ana has been working for Acme since March.", [("Ana", "Acme", False)]),
        ("The meeting started at Acme.", []),
        ("I started at Monday's meeting.", []),
        ("I started at 9.", []),
        ("I have worked at Acme.", []),
    ],
)
def test_starting_somewhere_names_the_employer(text: str, facts: list[tuple[str, str, bool]]) -> None:
    found = [(fact.subject, fact.value, fact.changed) for fact in find_facts(text) if fact.attribute == "employer"]
    assert found == facts
