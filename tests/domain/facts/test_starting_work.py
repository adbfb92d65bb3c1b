"""Statements about starting a job name the employer (contract 17.5)."""

import pytest

from memd.domain.facts.facts import find_facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I started at Acme Corp as a staff engineer on 1 May 2025.", [("user", "Acme Corp", True)]),
        ("Ana started working at Acme.", [("Ana", "Acme", True)]),
        ("Ana found a new job at Acme.", [("Ana", "Acme", True)]),
        ("Ana has accepted a position at Acme.", [("Ana", "Acme", True)]),
        ("I have worked at Acme since 2019.", [("user", "Acme", False)]),
        ("Ana has been working for Acme since March.", [("Ana", "Acme", False)]),
        ("I'm back at Acme.", [("user", "Acme", True)]),
        ("Ana is back at work.", []),
        ("Ana is back at the hotel.", []),
        ("Ana left the party.", []),
        ("The meeting started at Acme.", []),
        ("I started at Monday's meeting.", []),
        ("I started at 9.", []),
        ("I have worked at Acme.", []),
        ("Ana found a job in Vienna.", []),
    ],
)
def test_starting_somewhere_names_the_employer(text: str, facts: list[tuple[str, str, bool]]) -> None:
    found = [(fact.subject, fact.value, fact.changed) for fact in find_facts(text) if fact.attribute == "employer"]
    assert found == facts


@pytest.mark.parametrize(
    "text",
    [
        "Ana lost her job at Acme, she's looking for another one.",
        "Ana has quit her job at Acme.",
        "Ana resigned from Acme.",
        "Ana left Acme in May.",
        "Ana was laid off by Acme.",
    ],
)
def test_leaving_somewhere_denies_the_employer(text: str) -> None:
    (fact,) = find_facts(text)
    assert (fact.subject, fact.attribute, fact.value, fact.denied) == ("Ana", "employer", "Acme", True)


def test_who_resigns_from_a_board_may_work_elsewhere() -> None:
    assert find_facts("Ana resigned from the board.") == []
