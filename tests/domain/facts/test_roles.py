"""Roles that texts state: who is the lead, head or teacher of what (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Ben Okafor is the tech lead of Kestrel and reports to Ana.",
            [("role", "tech lead of Kestrel"), ("manager", "Ana")],
        ),
        (
            "Ben Okafor is the tech lead of Kestrel, and reports to Ana.",
            [("role", "tech lead of Kestrel"), ("manager", "Ana")],
        ),
        ("Ben is a software engineer at Acme.", [("role", "software engineer at Acme")]),
        ("Dr. Ben Okafor is head of research at Acme since May.", [("role", "head of research at Acme")]),
        ("Ben is now the Vice President of Sales.", [("role", "Vice President of Sales")]),
        ("I'm the captain of the chess team.", [("role", "captain of the chess team")]),
        ("Ben is an engineer and reports to Ana.", [("manager", "Ana")]),
    ],
)
def test_whoever_is_the_lead_of_something_has_that_role(text: str, facts: list[tuple[str, str]]) -> None:
    assert [(fact.attribute, fact.value) for fact in find_facts(text)] == facts
    assert {fact.subject.removeprefix("Dr. ") for fact in find_facts(text)} <= {"Ben Okafor", "Ben", "user"}


@pytest.mark.parametrize(
    "text",
    [
        "Oslo is the capital of Norway.",
        "Rex is the love of Ana's life.",
        "This is the head of the list.",
        "He is the head of research.",
        "If Ben is the head of research, ask him.",
        "Is Ben the head of research?",
        "Ben is the former head of research.",
        "Ben is a great teacher of maths.",
        "Ben is a designer at heart.",
        "Helix is the editor of choice.",
        "Ben is the son of the mayor of Oslo.",
        "Ben is hoping to become head of research.",
        "Ben is the friend of somebody who reports to Ana.",
        "Ben is the retired head of sales.",
        "Ben is the incoming head of sales.",
        "Ben is the would-be leader of the team.",
        "Ben is head of nothing any more.",
        "Ben is a chef at least on weekends.",
        "Ben is the secretary of today's meeting.",
        "Ben reports to work at nine.",
        "Ben reports to no one.",
    ],
)
def test_what_only_sounds_like_a_role_is_none(text: str) -> None:
    assert find_facts(text) == []


def test_another_role_contradicts_none_but_a_role_that_ended_does() -> None:
    (engineer,) = find_facts("Ben works as an engineer.")
    (lead,) = find_facts("Ben is now the tech lead of Kestrel.")
    (ended,) = find_facts("Ben is no longer the tech lead of Kestrel.")
    assert certainty(engineer, lead) is None
    assert certainty(lead, ended) == 0.95
    assert certainty(engineer, ended) is None


@pytest.mark.parametrize(
    "text",
    [
        "Anna reports to Stripe that the outage is over.",
        "Anna reports to Stripe about the outage.",
        "Lea reports to the tax office every March.",
        "Ben reports to the police.",
        "The exporter reports to Grafana.",
        "The billing service now reports to Datadog.",
        "The crash handler reports to Sentry.",
    ],
)
def test_a_report_to_a_service_or_an_authority_names_no_manager(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize(
    ("text", "subject", "manager"),
    [
        ("Our design team reports to Ana.", "design team", "Ana"),
        ("The new engineers report to Ana Ruiz.", "new engineers", "Ana Ruiz"),
        ("My sister reports to the board.", "sister", "the board"),
        ("Ben reports to Ida, who told us about Kestrel.", "Ben", "Ida"),
        ("Ben reports to Ida and thinks about leaving.", "Ben", "Ida"),
    ],
)
def test_people_and_teams_have_a_manager(text: str, subject: str, manager: str) -> None:
    (fact,) = find_facts(text)
    assert (fact.subject, fact.attribute, fact.value) == (subject, "manager", manager)
