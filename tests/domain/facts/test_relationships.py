"""People who are named by their role are found by their name (contract 17.5, living profile)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts
from memd.domain.facts.relationships import with_relations

pytestmark = pytest.mark.rule("17.5 profile")


@pytest.mark.parametrize(
    ("text", "name", "relation"),
    [
        ("The user's sister Lena is a nurse.", "Lena", "the user's sister"),
        ("My sister Lena lives in Bonn.", "Lena", "the user's sister"),
        ("Lena is my older sister.", "Lena", "the user's sister"),
        ("Lena is the user's sister.", "Lena", "the user's sister"),
        ("Ana's manager is Paul.", "Paul", "Ana's manager"),
        ("Sofia is Ana's new team lead.", "Sofia", "Ana's team lead"),
        ("My dentist is Dr. Falk.", "Dr. Falk", "the user's dentist"),
        ("Ana is married to Tom.", "Tom", "Ana's spouse"),
        ("My cat Mika sleeps all day.", "Mika", "the user's cat"),
    ],
)
def test_a_role_is_known_of_the_person(text: str, name: str, relation: str) -> None:
    (fact,) = [one for one in with_relations(find_facts(text)) if one.attribute == "relation"]
    assert (fact.subject, fact.value) == (name, relation)


@pytest.mark.parametrize(
    "text",
    [
        "Ana lives in Oslo.",
        "Ana works at Acme.",
        "Ana's manager is fine with it.",
        "Ana's manager is a good listener.",
        "Ana's former manager is Sofia.",
        "Lena is my sister-in-law.",
        "Lena is my hero.",
        "Lena is my old boss.",
        "My sister is 30.",
        "Is Lena your sister?",
        "The mill is owned by Ben.",
        "Ana's phone number is 555-1234.",
        "Our CI is GitHub Actions.",
    ],
)
def test_other_facts_tell_no_relation(text: str) -> None:
    assert [one for one in with_relations(find_facts(text)) if one.attribute == "relation"] == []


def test_somebody_may_be_the_manager_of_several() -> None:
    relations = [
        one
        for text in ("Ana's manager is Paul.", "Paul is now Ben's manager.")
        for one in with_relations(find_facts(text))
        if one.attribute == "relation"
    ]
    assert [one.value for one in relations] == ["Ana's manager", "Ben's manager"]
    assert certainty(*relations) is None


def test_what_is_said_of_a_named_sister_is_known_of_her_name() -> None:
    facts = [(one.subject, one.attribute, one.value) for one in find_facts("My sister Lena lives in Bonn.")]
    assert facts == [("user", "sister", "Lena"), ("Lena", "residence", "Bonn")]
