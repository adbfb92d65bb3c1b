from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.graph.paths import (
    Direction,
    Edge,
    connections,
    dependency_chain,
    owners,
)
from memd.domain.types import RelationType

USES, OWNS, ASSIGNED_TO = RelationType.USES, RelationType.OWNS, RelationType.ASSIGNED_TO
DEPENDS_ON, LEADS_TO, OCCURS_WITH = RelationType.DEPENDS_ON, RelationType.LEADS_TO, RelationType.OCCURS_WITH


def node(number):
    return UUID(int=number)


def memory(number):
    return UUID(int=1_000 + number)


def edge(number, subject, relation, other, *, weight=0.5, confidence=0.6, evidence=(1,)):
    return Edge(
        id=UUID(int=10_000 + number),
        subject=node(subject),
        relation=relation,
        object=node(other),
        weight=weight,
        confidence=confidence,
        evidence=tuple(memory(one) for one in evidence),
    )


def steps(path):
    return [(hop.start.int, hop.edge.relation, hop.end.int, hop.direction) for hop in path.hops]


def links(chain):
    return [(link.depth, link.dependent.int, link.edge.relation, link.dependency.int) for link in chain.links]


@pytest.mark.rule("6.12 memories")
def test_owners_are_subjects_of_owns_and_objects_of_assigned_to():
    edges = [
        edge(1, 1, OWNS, 9),
        edge(2, 9, ASSIGNED_TO, 2),
        edge(3, 9, OWNS, 3),
        edge(4, 4, USES, 9),
        edge(5, 5, ASSIGNED_TO, 9),
    ]
    assert [(found.owner.int, found.relation) for found in owners(edges, {node(9)}, 5, {})] == [
        (1, OWNS),
        (2, ASSIGNED_TO),
    ]


def test_the_surest_owner_comes_first_and_the_limit_holds():
    edges = [edge(number, number, OWNS, 9, confidence=number / 10) for number in range(1, 9)]
    assert [found.owner.int for found in owners(edges, {node(9)}, 3, {})] == [8, 7, 6]


def test_an_equally_sure_owner_with_more_evidence_comes_first():
    edges = [edge(1, 1, OWNS, 9), edge(2, 2, OWNS, 9, evidence=(1, 2))]
    assert [found.owner.int for found in owners(edges, {node(9)}, 5, {})] == [2, 1]


def test_an_owner_is_listed_once_with_all_its_evidence():
    edges = [edge(1, 1, OWNS, 9, evidence=(1,)), edge(2, 9, ASSIGNED_TO, 1, evidence=(2,))]
    (found,) = owners(edges, {node(9)}, 5, {})
    assert (found.relation, set(found.evidence)) == (OWNS, {memory(1), memory(2)})


def test_a_first_name_is_its_full_name_before_the_limit_holds():
    edges = [edge(1, 1, OWNS, 9, evidence=(1,)), edge(2, 2, OWNS, 9, evidence=(2,)), edge(3, 3, OWNS, 9)]
    first, second = owners(edges, {node(9)}, 2, {node(1): node(2)})
    assert (first.owner, set(first.evidence)) == (node(2), {memory(1), memory(2)})
    assert second.owner == node(3)


def test_an_unknown_entity_has_no_owner_path_or_chain():
    edges = [edge(1, 1, OWNS, 2)]
    assert owners(edges, set(), 5, {}) == []
    assert connections(edges, set(), {node(2)}) == []
    assert dependency_chain(edges, set(), 3).links == ()


def test_a_direct_edge_connects_in_either_direction():
    edges = [edge(1, 1, USES, 2), edge(2, 2, OWNS, 1, weight=0.4)]
    forward, backward = connections(edges, {node(1)}, {node(2)})
    assert steps(forward) == [(1, USES, 2, Direction.FORWARD)]
    assert steps(backward) == [(1, OWNS, 2, Direction.BACKWARD)]


def test_one_node_between_connects():
    edges = [edge(1, 1, USES, 3), edge(2, 2, DEPENDS_ON, 3)]
    (path,) = connections(edges, {node(1)}, {node(2)})
    assert steps(path) == [(1, USES, 3, Direction.FORWARD), (3, DEPENDS_ON, 2, Direction.BACKWARD)]


def test_two_nodes_between_do_not_connect():
    edges = [edge(1, 1, USES, 3), edge(2, 3, USES, 4), edge(3, 4, USES, 2)]
    assert connections(edges, {node(1)}, {node(2)}) == []


@pytest.mark.rule("6.12 explain-connection")
def test_direct_paths_come_before_paths_over_a_node_and_stronger_ones_first():
    edges = [
        edge(1, 1, USES, 2, weight=0.1),
        edge(2, 1, USES, 3, weight=0.9),
        edge(3, 3, USES, 2, weight=0.9),
        edge(4, 1, USES, 4, weight=1.0),
        edge(5, 4, USES, 2, weight=1.0),
    ]
    found = connections(edges, {node(1)}, {node(2)})
    assert [len(path.hops) for path in found] == [1, 2, 2]
    assert [path.hops[0].end.int for path in found[1:]] == [4, 3]
    assert [path.score for path in found] == pytest.approx([0.1, 0.8, 0.648])


def test_the_best_way_over_a_node_is_taken():
    edges = [edge(1, 1, OCCURS_WITH, 3), edge(2, 1, USES, 3), edge(3, 3, USES, 2), edge(4, 2, OWNS, 3, weight=0.9)]
    (path,) = connections(edges, {node(1)}, {node(2)})
    assert [relation for _, relation, _, _ in steps(path)] == [USES, OWNS]


@pytest.mark.rule("6.12 explain-connection")
def test_at_most_five_paths_are_given():
    edges = [edge(number, 1, USES, number) for number in range(10, 20)]
    edges += [edge(number + 20, number, USES, 2) for number in range(10, 20)]
    assert len(connections(edges, {node(1)}, {node(2)})) == 5


def test_an_entity_of_several_nodes_connects_by_each():
    edges = [edge(1, 1, USES, 3), edge(2, 2, OWNS, 3)]
    assert len(connections(edges, {node(1), node(2)}, {node(3)})) == 2


def test_a_chain_follows_depends_on_and_reads_leads_to_backwards():
    edges = [edge(1, 1, DEPENDS_ON, 2), edge(2, 3, LEADS_TO, 2), edge(3, 2, LEADS_TO, 4), edge(4, 1, USES, 5)]
    assert links(dependency_chain(edges, {node(1)}, 3)) == [(1, 1, DEPENDS_ON, 2), (2, 2, LEADS_TO, 3)]


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_a_chain_ends_at_the_depth(depth):
    edges = [edge(number, number, DEPENDS_ON, number + 1) for number in range(1, 9)]
    chain = dependency_chain(edges, {node(1)}, depth)
    assert [link.depth for link in chain.links] == list(range(1, depth + 1))


def test_a_cycle_is_flagged_and_walked_once():
    edges = [edge(1, 1, DEPENDS_ON, 2), edge(2, 2, DEPENDS_ON, 1)]
    chain = dependency_chain(edges, {node(1)}, 5)
    assert links(chain) == [(1, 1, DEPENDS_ON, 2), (2, 2, DEPENDS_ON, 1)]
    assert chain.cycles


def test_two_ways_to_one_thing_are_no_cycle():
    edges = [edge(1, 1, DEPENDS_ON, 2), edge(2, 1, DEPENDS_ON, 3), edge(3, 2, DEPENDS_ON, 4), edge(4, 3, DEPENDS_ON, 4)]
    chain = dependency_chain(edges, {node(1)}, 5)
    assert len(chain.links) == 4
    assert not chain.cycles


def test_a_thing_that_depends_on_itself_is_a_cycle():
    assert dependency_chain([edge(1, 1, DEPENDS_ON, 1)], {node(1)}, 3).cycles


EDGES = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from(RelationType), st.integers(1, 6), st.floats(0, 1)), max_size=25
).map(lambda rows: [edge(at, start, kind, end, weight=weight) for at, (start, kind, end, weight) in enumerate(rows)])


@given(EDGES)
def test_paths_are_at_most_five_joined_and_scored_between_0_and_1(edges):
    found = connections(edges, {node(1)}, {node(2)})
    assert len(found) <= 5
    for path in found:
        assert path.hops[0].start == node(1)
        assert path.hops[-1].end == node(2)
        assert len(path.hops) == 1 or path.hops[0].end == path.hops[1].start
        assert 0 <= path.score <= 1
    assert [len(path.hops) for path in found] == sorted(len(path.hops) for path in found)


@given(EDGES, st.integers(1, 5))
def test_a_chain_uses_each_edge_once_within_its_depth(edges, depth):
    chain = dependency_chain(edges, {node(1)}, depth)
    assert len({link.edge.id for link in chain.links}) == len(chain.links)
    assert all(1 <= link.depth <= depth for link in chain.links)
    assert all(link.edge.relation in {DEPENDS_ON, LEADS_TO} for link in chain.links)
