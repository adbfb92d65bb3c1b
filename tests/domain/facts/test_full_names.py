"""First names and full names of those whom facts are about (contract 17.5)."""

from uuid import UUID

import pytest

from memd.domain.facts.facts import certainty, find_facts
from memd.domain.facts.full_names import FULL_NAME, about, with_full_names
from memd.domain.facts.profiles import StatedFact


def first_names(text: str) -> dict[str, str]:
    facts = with_full_names(find_facts(text))
    return {fact.subject: fact.value for fact in facts if fact.attribute == FULL_NAME}


@pytest.mark.parametrize(
    ("text", "first", "full"),
    [
        ("Ana Ruiz lives in Oslo.", "Ana", "ana-ruiz"),
        ("Jan van der Berg works at Acme. Jan van der Berg speaks Dutch.", "Jan", "jan-van-der-berg"),
        ("Łukasz Żak lives in Oslo.", "Łukasz", "łukasz-żak"),
    ],
)
def test_a_full_name_has_a_first_name(text: str, first: str, full: str) -> None:
    assert first_names(text) == {first: full}


@pytest.mark.parametrize(
    "text",
    [
        "Ana lives in Oslo.",
        "Ken's wife Mia lives in Oslo.",
        "Anna-Lena Adler lives in Oslo.",
        "Dr Falk lives in Oslo.",
        "Project Kite is owned by Ben.",
        "Team Rocket prefers tabs.",
        "The billing service is owned by Cleo.",
    ],
)
def test_others_have_none(text: str) -> None:
    assert first_names(text) == {}


def test_two_full_names_contradict_neither_each_other_nor_a_first_name() -> None:
    one, other = (with_full_names(find_facts(f"Ana {name} lives in {name}.")) for name in ("Ruiz", "Kovac"))
    assert {certainty(old, new) for old in one for new in [*other, *find_facts("Ana lives in Rome.")]} == {None}


def stated(key: str, attribute: str, value: str) -> StatedFact:
    return StatedFact(UUID(int=1), key, key.title(), attribute, value, False, 1, 1)


ANAS = (stated("ana-ruiz", "residence", "Oslo"), stated("ana", FULL_NAME, "ana-ruiz"), stated("ana", "role", "nurse"))


@pytest.mark.parametrize("key", ["ana", "ana-ruiz"])
def test_the_only_full_name_is_whom_the_first_name_means(key: str) -> None:
    found = about(ANAS, [key], everybody=False)
    assert {(fact.subject_key, fact.subject, fact.value) for fact in found} == {
        ("ana-ruiz", "Ana-Ruiz", "Oslo"),
        ("ana-ruiz", "Ana-Ruiz", "nurse"),
    }


def test_of_several_the_first_name_means_all_or_nobody_else() -> None:
    several = (*ANAS, stated("ana", FULL_NAME, "ana-kovac"), stated("ana-kovac", "residence", "Rome"))
    assert {fact.value for fact in about(several, ["ana"], everybody=True)} == {"Oslo", "Rome", "nurse"}
    assert {fact.value for fact in about(several, ["ana"], everybody=False)} == {"nurse"}
    assert {fact.value for fact in about(several, ["ana-ruiz"], everybody=True)} == {"Oslo"}
