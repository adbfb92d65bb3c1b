import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.graph.relations import association_of, find_statements
from memd.domain.types import AssociationType, RelationType


def read(sentence):
    return [(found.subject, found.relation.value, found.object) for found in find_statements(sentence)]


@pytest.mark.rule("11.10 relations")
@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Dana Whitfield owns the billing service.", [("Dana Whitfield", "owns", "billing service")]),
        ("Priya is responsible for on-call.", [("Priya", "owns", "on-call")]),
        ("The ledger is owned by the finance team.", [("finance team", "owns", "ledger")]),
        ("The owner of the billing service is Kim Lee.", [("Kim Lee", "owns", "billing service")]),
        ("Gamma service owner: Kim", [("Kim", "owns", "Gamma service")]),
        ("Ticket 12 is assigned to Tom.", [("Ticket 12", "assigned_to", "Tom")]),
        ("Checkout depends on the ledger.", [("Checkout", "depends_on", "ledger")]),
        ("The importer requires a queue.", [("importer", "depends_on", "queue")]),
        ("The launch is blocked by the audit.", [("launch", "depends_on", "audit")]),
        ("The shop uses Redis.", [("shop", "uses", "Redis")]),
        ("The site was built with Django.", [("site", "uses", "Django")]),
        ("A missing index causes slow imports.", [("missing index", "leads_to", "slow imports")]),
        ("Long meetings lead to late releases.", [("Long meetings", "leads_to", "late releases")]),
        ("The outage was caused by a full disk.", [("full disk", "leads_to", "outage")]),
        ("The new rule contradicts the old policy.", [("rule", "conflicts_with", "old policy")]),
    ],
)
def test_a_verb_pattern_is_a_relation(sentence, expected):
    assert read(sentence) == expected


def test_a_list_gives_a_relation_each():
    assert read("Checkout requires Redis, the ledger and a feature flag because of load.") == [
        ("Checkout", "depends_on", "Redis"),
        ("Checkout", "depends_on", "ledger"),
        ("Checkout", "depends_on", "feature flag"),
    ]


def test_two_clauses_give_a_relation_each():
    assert read("Checkout uses Redis and Dana owns the ledger.") == [
        ("Checkout", "uses", "Redis"),
        ("Dana", "owns", "ledger"),
    ]


def test_i_is_the_speaker_of_the_heading():
    assert read("Dave (1 May 2023): I use a torque wrench every day.") == [("Dave", "uses", "torque wrench")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Checkout does not depend on the ledger.",
        "We no longer use Kafka.",
        "It requires patience.",
        "They use it.",
        "Nobody reused the abuses of the past.",
        "depends on",
        "",
    ],
)
def test_denials_pronouns_and_fragments_are_no_relation(sentence):
    assert read(sentence) == []


@pytest.mark.rule("11.10 associations")
@pytest.mark.parametrize(
    ("relation", "association"),
    [
        (RelationType.CONFLICTS_WITH, AssociationType.CONTRADICTS),
        (RelationType.DEPENDS_ON, AssociationType.DERIVES_FROM),
        (RelationType.OCCURS_WITH, AssociationType.CO_OCCURRED),
        (RelationType.LEADS_TO, AssociationType.PRECEDES),
        (RelationType.OWNS, AssociationType.SUPPORTS),
        (RelationType.USES, AssociationType.SUPPORTS),
        (RelationType.ASSIGNED_TO, AssociationType.SUPPORTS),
        (RelationType.MENTIONS, AssociationType.SUPPORTS),
    ],
)
def test_a_relation_stands_for_an_association(relation, association):
    assert association_of(relation) is association


VOCABULARY = "Dana owns the ledger and , uses Redis . not depends on it (8 May 2023): I"
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), max_size=14).map(" ".join)


@given(WORDS)
def test_the_ends_of_a_relation_are_phrases_of_the_sentence(sentence):
    for found in find_statements(sentence):
        for end in (found.subject, found.object):
            assert end
            assert end.lower() not in {"i", "it", "not"}
            assert end in " ".join(sentence.split())
