"""Paths in the graph of entities: owners, connections and dependency chains (contract 6.12).

The edges are those that the caller may see (`memd/graph/store.py` reads no others). An entity is a set of node ids,
since one name may be known as several types.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from typing import Final
from uuid import UUID

from memd.domain.types import RelationType
from memd.domain.unit_interval import clamp

MAX_PATHS: Final = 5
MAX_EVIDENCE: Final = 12
_SECOND_HOP: Final = 0.8
OWNERSHIP: Final = (RelationType.OWNS, RelationType.ASSIGNED_TO)
"""The relations that say who owns something, the stronger one first."""


class Direction(StrEnum):
    """Whether a hop follows its relation or reads it backwards."""

    FORWARD = "forward"
    BACKWARD = "backward"


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes; weight and confidence 0..1, `evidence` the memories that state it."""

    id: UUID
    subject: UUID
    relation: RelationType
    object: UUID
    weight: float
    confidence: float
    evidence: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """A step from one node to the next along an edge."""

    start: UUID
    end: UUID
    edge: Edge
    direction: Direction


@dataclass(frozen=True, slots=True)
class Path:
    """One or two hops; score 0..1 = the product of the weights, × .8 when there is a node between."""

    hops: tuple[Hop, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """`dependent` needs `dependency`, `depth` steps away from the entity asked for (1 = directly)."""

    depth: int
    dependent: UUID
    dependency: UUID
    edge: Edge


@dataclass(frozen=True, slots=True)
class Chain:
    """The dependencies of an entity, nearest first; `cycles` when one of them depends on itself."""

    links: tuple[Link, ...]
    cycles: bool


@dataclass(frozen=True, slots=True)
class Ownership:
    """A node that owns the entity, with the most specific relation."""

    owner: UUID
    relation: RelationType
    confidence: float
    evidence: tuple[UUID, ...]


def owners(
    edges: Iterable[Edge], entity: Collection[UUID], limit: int, full_names: Mapping[UUID, UUID]
) -> list[Ownership]:
    """The owners of the entity, and those it is assigned to: most certain first, then `owns`, then most evidence.

    `full_names` leads from the node of a first name to that of the same person's full name.
    """
    found: dict[UUID, list[Ownership]] = {}
    for edge in edges:
        if edge.relation not in OWNERSHIP:
            continue
        owner, owned = edge.subject, edge.object
        if edge.relation is RelationType.ASSIGNED_TO:
            owner, owned = owned, owner
        if owned in entity and owner not in entity:
            owner = full_names.get(owner, owner)
            found.setdefault(owner, []).append(Ownership(owner, edge.relation, edge.confidence, edge.evidence))
    return sorted((_clearest(claims) for claims in found.values()), key=_sureness)[:limit]


def connections(edges: Sequence[Edge], sources: Collection[UUID], targets: Collection[UUID]) -> list[Path]:
    """At most five paths from one entity to the other: every direct edge, then the best way over each node between."""
    leaving = sorted(_hops(edges, sources), key=_worth)
    arriving = sorted((_reversed(hop) for hop in _hops(edges, targets)), key=_worth)
    direct = [
        Path((hop,), clamp(hop.edge.weight)) for hop in leaving if hop.end in targets and hop.start not in targets
    ]
    first, second = {hop.end: hop for hop in leaving}, {hop.start: hop for hop in arriving}
    between = [
        Path((first[node], second[node]), clamp(_SECOND_HOP * first[node].edge.weight * second[node].edge.weight))
        for node in first.keys() & second.keys() - {*sources, *targets}
    ]
    return [*sorted(direct, key=_preference), *sorted(between, key=_preference)][:MAX_PATHS]


def dependency_chain(edges: Sequence[Edge], entity: Collection[UUID], max_depth: int) -> Chain:
    """The dependencies within `max_depth` steps: `depends_on`, and `leads_to` read backwards; each edge once."""
    needs: dict[UUID, list[tuple[UUID, Edge]]] = {}
    for edge in sorted(edges, key=lambda edge: (-edge.weight, edge.id)):
        if edge.relation is RelationType.DEPENDS_ON:
            needs.setdefault(edge.subject, []).append((edge.object, edge))
        elif edge.relation is RelationType.LEADS_TO:
            needs.setdefault(edge.object, []).append((edge.subject, edge))
    links: list[Link] = []
    reached, level = set(entity), sorted(set(entity))
    for depth in range(1, max_depth + 1):
        step = [Link(depth, node, other, edge) for node in level for other, edge in needs.get(node, [])]
        level = list(dict.fromkeys(link.dependency for link in step if link.dependency not in reached))
        reached.update(level)
        links += step
    return Chain(tuple(links), _has_cycle(links))


def _clearest(claims: Sequence[Ownership]) -> Ownership:
    evidence = dict.fromkeys(memory for claim in claims for memory in claim.evidence)
    return replace(min(claims, key=_sureness), evidence=tuple(evidence))


def _sureness(claim: Ownership) -> tuple[float, int, int, UUID]:
    return -claim.confidence, OWNERSHIP.index(claim.relation), -len(claim.evidence), claim.owner


def _hops(edges: Iterable[Edge], start: Collection[UUID]) -> list[Hop]:
    """Every step that leaves the nodes of `start`, along a relation or against it."""
    found: list[Hop] = []
    for edge in edges:
        if edge.subject in start:
            found.append(Hop(edge.subject, edge.object, edge, Direction.FORWARD))
        if edge.object in start:
            found.append(Hop(edge.object, edge.subject, edge, Direction.BACKWARD))
    return found


def _reversed(hop: Hop) -> Hop:
    opposite = Direction.BACKWARD if hop.direction is Direction.FORWARD else Direction.FORWARD
    return Hop(hop.end, hop.start, hop.edge, opposite)


def _worth(hop: Hop) -> tuple[float, bool, UUID]:
    """The better hop is greater: more weight, then anything that says more than that two entities occur together."""
    return hop.edge.weight, hop.edge.relation is not RelationType.OCCURS_WITH, hop.edge.id


def _preference(path: Path) -> tuple[float, tuple[UUID, ...]]:
    """The better path is less: the higher score, ties by the ids of the edges."""
    return -path.score, tuple(hop.edge.id for hop in path.hops)


def _has_cycle(links: Iterable[Link]) -> bool:
    order: TopologicalSorter[UUID] = TopologicalSorter()
    for link in links:
        order.add(link.dependent, link.dependency)
    try:
        order.prepare()
    except CycleError:
        return True
    return False
