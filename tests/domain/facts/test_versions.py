"""Versions of products in use: what an upgrade says, and which version it replaces (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts


@pytest.mark.parametrize(
    ("text", "subject", "values"),
    [
        ("We have upgraded to Python 3.13.", "user", ["Python 3.13"]),
        ("We moved to Python 3.13.", "user", ["Python 3.13"]),
        ("We upgraded from Node 18 to Node 22.", "user", ["Node 22", "not Node 18"]),
        ("We upgraded from Node.js 18 to 22.", "user", ["Node.js 22", "not Node.js 18"]),
        ("The team upgraded Django from 4.2 to 5.2 last week.", "team", ["Django 5.2", "not Django 4.2"]),
        ("The cluster was upgraded to Kubernetes 1.31.", "cluster", ["Kubernetes 1.31"]),
        ("The user upgraded to postgres 17 on all servers.", "user", ["postgres 17"]),
        ("The shop runs on Node 20.", "shop", ["Node 20"]),
        ("We run Postgres 16 in production.", "user", ["Postgres 16"]),
    ],
)
def test_an_upgrade_says_which_version_is_used(text: str, subject: str, values: list[str]) -> None:
    facts = find_facts(text)
    assert [fact.shown_value for fact in facts] == values
    assert {(fact.subject, fact.attribute) for fact in facts} == {(subject, "uses")}


@pytest.mark.parametrize(
    "text",
    [
        "We haven't upgraded to Python 3.13.",
        "We should have upgraded to Python 3.13.",
        "Once we upgraded to Python 3.13 the tests failed.",
        "The train runs on Monday 5 May.",
        "Ana runs Berlin 2027.",
        "We upgraded the plan to 5 seats.",
        "We updated the docs to version 3.",
    ],
)
def test_other_sentences_with_these_verbs_name_no_version(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("We use Python 3.12.", "We have upgraded to Python 3.13.", 0.6),
        ("We use Python 3.12.", "We use Python 3.13.", 0.6),
        ("We use Node v18.", "We run Node 22.", 0.6),
        ("We use Python 3.12.", "We upgraded to Django 5.2.", None),
        ("We use Redis.", "We upgraded to Python 3.13.", None),
        ("We use Python.", "We upgraded to Python 3.13.", None),
        ("We use Python 3.", "We use Python 3.13.", None),
    ],
)
def test_only_another_version_of_the_same_product_contradicts(old: str, new: str, expected: float | None) -> None:
    (before,), (after,) = find_facts(old), find_facts(new)
    assert certainty(before, after) == expected


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("We don't use Redis.", [("user", "uses", "not Redis")]),
        ("We don’t use Redis any more.", [("user", "uses", "not Redis")]),
        ("I don't like olives.", [("user", "dislikes", "olives")]),
        ("I haven't moved to Rome.", []),
        ("Ana hasn't moved to Rome.", []),
        ("We aren't on call.", []),
    ],
)
def test_what_the_first_person_denies_is_not_so(text: str, facts: list[tuple[str, str, str]]) -> None:
    assert [(fact.subject, fact.attribute, fact.shown_value) for fact in find_facts(text)] == facts
