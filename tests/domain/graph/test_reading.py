import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.graph.entities import Entity, slug
from memd.domain.graph.reading import Relation, graph_reading, read_memory
from memd.domain.types import LinkRole, NodeType, RelationType

OWNERSHIP = read_memory(
    "Billing ownership",
    "Dana Whitfield owns the billing service. The billing service depends on the ledger API and Redis 7. Ask @tom.",
)


def ends(reading):
    return [(one.subject.label, one.relation, one.object.label) for one in reading.relations]


def links(reading):
    return {one.entity.key: (one.role, one.link_confidence) for one in reading.entities}


def concept(label):
    return Entity(label, NodeType.CONCEPT)


def test_stated_relations_and_their_ends_come_first():
    assert ends(OWNERSHIP) == [
        ("Dana Whitfield", RelationType.OWNS, "billing service"),
        ("billing service", RelationType.DEPENDS_ON, "ledger API"),
        ("billing service", RelationType.DEPENDS_ON, "Redis"),
    ]


@pytest.mark.rule("11.10 links")
def test_a_relation_end_links_firmly_in_its_role():
    found = links(OWNERSHIP)
    assert found["person:dana-whitfield"] == (LinkRole.SUBJECT, 0.8)
    assert found["tool:redis"] == (LinkRole.OBJECT, 0.8)


@pytest.mark.rule("11.10 links")
def test_a_title_entity_links_firmly_as_topic_and_others_loosely():
    found = links(read_memory("Trip to Lisbon", "We stayed with Joana Reis and saw Porto."))
    assert found["concept:lisbon"] == (LinkRole.TOPIC, 0.8)
    assert found["concept:porto"] == (LinkRole.TOPIC, 0.6)


@pytest.mark.rule("11.10 relations")
def test_entities_of_one_sentence_without_a_pattern_occur_together():
    reading = read_memory("", "We saw Porto with Joana Reis.")
    assert ends(reading) == [("Joana Reis", RelationType.OCCURS_WITH, "Porto")]


def test_entities_related_already_do_not_merely_occur_together():
    reading = read_memory("", "Redis requires Linux.")
    assert [relation for _, relation, _ in ends(reading)] == [RelationType.DEPENDS_ON]


def test_a_pair_that_occurs_together_is_one_relation_whichever_is_named_first():
    one, other = read_memory("", "Joana Reis likes Porto."), read_memory("", "In Porto we met Joana Reis.")
    assert ends(one) == ends(other)


def test_an_owner_with_a_name_is_a_person_and_a_thing_used_is_a_tool():
    found = links(read_memory("", "Maria owns the ledger. The ledger uses Torq."))
    assert {"person:maria", "tool:torq"} <= found.keys()


@pytest.mark.rule("11.10 bounds")
def test_at_most_five_entities_and_five_relations():
    reading = read_memory("Stack", ". ".join(f"Service{n} uses Tool{n} and Part{n}" for n in range(9)) + ".")
    assert len(reading.entities) == 5
    assert len(reading.relations) <= 5


@pytest.mark.rule("11.10 bounds")
def test_of_more_relations_among_few_entities_five_stay():
    pairs = [(left, right) for left in "abcd" for right in "abcd" if left < right]
    relations = [Relation(concept(f"x{left}"), RelationType.USES, concept(f"x{right}")) for left, right in pairs]
    assert len(graph_reading("", [], relations).relations) == 5


def test_a_relation_without_both_ends_among_the_entities_is_left_out():
    relations = [Relation(concept(f"a{n}"), RelationType.USES, concept(f"b{n}")) for n in range(4)]
    reading = graph_reading("", [], relations)
    assert ends(reading) == [("a0", RelationType.USES, "b0"), ("a1", RelationType.USES, "b1")]


def test_an_entity_is_not_related_to_itself():
    reading = graph_reading("", [], [Relation(concept("Redis"), RelationType.USES, concept("redis"))])
    assert reading.relations == ()


def test_nothing_in_nothing_out():
    reading = read_memory("", "ok thanks")
    assert (reading.entities, reading.relations) == ((), ())


VOCABULARY = "Dana Redis Porto owns uses depends on the ledger . and , `a_b` @tom because leads to not"
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), max_size=40).map(" ".join)


@pytest.mark.rule("11.10 bounds")
@given(WORDS, WORDS)
@settings(max_examples=60)
def test_a_reading_is_bounded_distinct_and_repeatable(title, content):
    reading = read_memory(title, content)
    assert reading == read_memory(title, content)
    slugs = [slug(one.entity.label) for one in reading.entities]
    assert len(slugs) == len(set(slugs)) <= 5
    assert len(reading.relations) == len(set(reading.relations)) <= 5
    for relation in reading.relations:
        assert {slug(relation.subject.label), slug(relation.object.label)} <= set(slugs)
        assert slug(relation.subject.label) != slug(relation.object.label)
    assert {one.link_confidence for one in reading.entities} <= {0.6, 0.8}
