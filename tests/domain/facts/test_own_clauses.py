"""Facts of the user that stand in a later clause of a sentence (contract 17.5)."""

import pytest

from memd.domain.facts import own_clauses
from memd.domain.facts.facts import find_facts
from tests.support.regex_steps import counting_steps

LENGTH = 2_000
STEPS_PER_CHARACTER = 30


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Oh and Ingrid left, the user's new manager is Pieter de Vries (27 November 2026).",
            [("user", "manager", "Pieter de Vries")],
        ),
        ("Ingrid left, my new manager is Pieter.", [("user", "manager", "Pieter")]),
        ("We spend a lot on cloud, our budget is 5k.", [("user", "budget", "5k")]),
        (
            "The user's GitHub handle is tmo-dev and their timezone is CET.",
            [("user", "github-handle", "tmo-dev"), ("user", "timezone", "CET")],
        ),
        (
            "The user's parents live in Braga and the user's brother Rui in Lyon.",
            [("user's parents", "residence", "Braga"), ("user", "brother", "Rui")],
        ),
        ("Ana lives in Oslo, and my sister is Eva.", [("Ana", "residence", "Oslo"), ("user", "sister", "Eva")]),
        ("The user's parents live in Braga and their house is old.", [("user's parents", "residence", "Braga")]),
        ("The user sold the Volvo; the new car is a Kia EV6, plate XRT 48K.", [("user", "car", "a Kia EV6")]),
        ("The user fixed the bug; the new version is 3.2.", []),
        ("The user sold the Volvo; the car was old.", []),
        ("If Ingrid leaves, my manager is Pieter.", []),
        ("Ben says Ingrid left, and my manager is Pieter.", []),
        ("Ben told us that Ingrid left, my manager is Pieter.", []),
        ("Ben asked, my name is Ken.", []),
        ("Maybe Ingrid left, and my manager is Pieter.", []),
        ("Ingrid left, is my manager Pieter?", []),
    ],
)
def test_a_later_clause_about_the_user_states_a_fact(text: str, facts: list[tuple[str, str, str]]) -> None:
    assert [(fact.subject, fact.attribute, fact.value) for fact in find_facts(text)] == facts


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The user's manager is called Ingrid Bakker and she likes short mails.", "manager", "Ingrid Bakker"),
        ("Ana's boss is named Eva.", "boss", "Eva"),
        ("The user moved from Porto to Rotterdam for a new job at Philips.", "residence", "Rotterdam"),
        ("Ana moved to Lyon for good.", "residence", "Lyon"),
    ],
)
def test_a_value_is_without_the_words_around_it(text: str, attribute: str, value: str) -> None:
    assert [(fact.attribute, fact.value) for fact in find_facts(text)] == [(attribute, value)]


@pytest.mark.parametrize("part", ["and my ", ", our a ", "the user's ", " and their x y ", "my a b c - "])
def test_a_text_of_clauses_that_state_nothing_is_read_in_linear_time(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = counting_steps(monkeypatch, own_clauses)
    assert own_clauses.own_clause((part * LENGTH)[:LENGTH]) is None
    assert 0 < steps.count < STEPS_PER_CHARACTER * LENGTH
