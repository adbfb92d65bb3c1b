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


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Jonas eats fish now and then; he is no longer vegetarian.", [("Jonas", "diet", "not vegetarian")]),
        ("Jonas started in March; he lives in Bonn.", [("Jonas", "residence", "Bonn")]),
        (
            "Ana Ruiz is allergic to nuts, and she lives in Bonn.",
            [("Ana Ruiz", "allergy", "nuts"), ("Ana Ruiz", "residence", "Bonn")],
        ),
        ("Jonas moved to Bonn and he works at Acme.", [("Jonas", "residence", "Bonn"), ("Jonas", "employer", "Acme")]),
        ("Mira moved out of Berlin; she lives in Potsdam now.", [("Mira", "residence", "Potsdam")]),
        ("Jonas eats fish. He is no longer vegetarian.", [("Jonas", "diet", "not vegetarian")]),
        ("Mira moved out of Berlin. She lives in Potsdam now.", [("Mira", "residence", "Potsdam")]),
        ("Jonas met Paul. He is vegetarian.", []),
        ("Jonas visited his brother. He is vegetarian.", []),
        ("The landlord called. She lives in Bonn.", []),
        ("Jonas called. It rained. He lives in Bonn.", []),
        ("She lives in Bonn.", []),
        ("Jonas met Paul; he is vegetarian.", []),
        ("Jonas visited his brother; he is vegetarian.", []),
        ("Jonas says he is vegetarian.", []),
        ("Jonas asked and she lives in Bonn.", []),
        ("The landlord called; she lives in Bonn.", []),
        ("If Jonas comes; he lives in Bonn.", []),
        ("Jonas eats fish; is he vegetarian?", []),
    ],
)
def test_he_and_she_are_who_the_sentence_begins_with_if_it_names_nobody_else(
    text: str, facts: list[tuple[str, str, str]]
) -> None:
    assert [(fact.subject, fact.attribute, fact.shown_value) for fact in find_facts(text)] == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("We changed dentists: it is now Dr. Amari.", [("dentist", "Dr. Amari")]),
        ("The user has recently switched gyms, it's Fitness First (27 November 2026).", [("gym", "Fitness First")]),
        ("I changed my accountant; she is Grace Lin.", [("accountant", "Grace Lin")]),
        ("We changed dentists: it is far away.", []),
        ("We changed plans: it is Monday.", []),
        ("Did we change dentists, it is Dr. Amari?", []),
    ],
)
def test_whom_somebody_changed_to_is_the_new_one(text: str, facts: list[tuple[str, str]]) -> None:
    found = find_facts(text)
    assert [(fact.attribute, fact.value) for fact in found] == facts
    assert all(fact.subject == "user" and fact.changed for fact in found)


@pytest.mark.parametrize(
    "part",
    ["and my ", ", our a ", "the user's ", " and their x y ", "my a b c - ", "we changed our ", "Jonas in Bonn "],
)
def test_a_text_of_clauses_that_state_nothing_is_read_in_linear_time(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = counting_steps(monkeypatch, own_clauses)
    assert own_clauses.own_clause((part * LENGTH)[:LENGTH]) is None
    assert 0 < steps.count < STEPS_PER_CHARACTER * LENGTH
