"""The entities and relations of one memory, at most five of each (contract 11.10).

The same shape serves the built-in patterns and a model's answer: `read_memory` finds candidates in the text, and
`graph_reading` brings any candidates within the limits.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from memd.domain.graph.entities import Entity, entity, find_entities, key_phrase, slug
from memd.domain.graph.relations import find_statements
from memd.domain.text.sentences import sentences
from memd.domain.types import LinkRole, NodeType, RelationType

MAX_ENTITIES: Final = 5
MAX_RELATIONS: Final = 5
_COMPARED: Final = 12
FIRM_LINK: Final = 0.8
LOOSE_LINK: Final = 0.6
_READ_CHARACTERS: Final = 8_000
_TYPE_OF_END: Final = {
    (RelationType.OWNS, LinkRole.SUBJECT): NodeType.PERSON,
    (RelationType.ASSIGNED_TO, LinkRole.OBJECT): NodeType.PERSON,
    (RelationType.USES, LinkRole.OBJECT): NodeType.TOOL,
}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities."""

    subject: Entity
    relation: RelationType
    object: Entity


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """An entity with its part in the memory; `link_confidence` is .8 for a title entity or a relation end, else .6."""

    entity: Entity
    role: LinkRole
    link_confidence: float


@dataclass(frozen=True, slots=True)
class GraphReading:
    """At most five entities, and at most five relations among them."""

    entities: tuple[LinkedEntity, ...]
    relations: tuple[Relation, ...]


def read_memory(title: str, content: str) -> GraphReading:
    """The entities and relations of a memory by the built-in patterns; the first 8,000 characters of content are read."""
    prose = content[:_READ_CHARACTERS]
    texts = [title, *sentences(prose)]
    phrase = key_phrase(title)
    candidates = [*find_entities(title), *find_entities(prose), *([phrase] if phrase else [])]
    stated = [relation for text in texts for relation in _stated(text)]
    return graph_reading(title, candidates, [*stated, *_together(texts, candidates)])


def graph_reading(title: str, candidates: Iterable[Entity], relations: Iterable[Relation]) -> GraphReading:
    """The candidates within the limits: the ends of the relations first, then what the title names, then the others.

    Two candidates of one slug are one entity, the first seen. A relation of an entity with itself, or with one that
    found no place, is left out; two entities that are related otherwise do not merely occur together.
    """
    related = [relation for relation in relations if slug(relation.subject.label) != slug(relation.object.label)]
    stated = [relation for relation in related if relation.relation is not RelationType.OCCURS_WITH]
    ends = [end for relation in stated for end in (relation.subject, relation.object)]
    others = sorted(candidates, key=lambda candidate: not _named(title, candidate))
    entities: dict[str, Entity] = {}
    for candidate in (*ends, *others):
        if len(entities) < MAX_ENTITIES:
            entities.setdefault(slug(candidate.label), candidate)
    linked = tuple(_linked(candidate, title, stated) for candidate in entities.values())
    return GraphReading(linked, tuple(_distinct(entities, related))[:MAX_RELATIONS])


def _distinct(entities: dict[str, Entity], relations: Iterable[Relation]) -> Iterator[Relation]:
    """The relations among the chosen entities, each once; loose ones only between entities not related before."""
    pairs: set[frozenset[str]] = set()
    seen: set[tuple[str, RelationType, str]] = set()
    for relation in sorted(relations, key=lambda relation: relation.relation is RelationType.OCCURS_WITH):
        subject, other = slug(relation.subject.label), slug(relation.object.label)
        known = (subject, relation.relation, other) in seen
        loose = relation.relation is RelationType.OCCURS_WITH and frozenset((subject, other)) in pairs
        if not (known or loose) and {subject, other} <= entities.keys():
            pairs.add(frozenset((subject, other)))
            seen.add((subject, relation.relation, other))
            yield Relation(entities[subject], relation.relation, entities[other])


def _stated(sentence: str) -> Iterator[Relation]:
    for statement in find_statements(sentence):
        subject = entity(statement.subject, text=sentence)
        other = entity(statement.object, text=sentence)
        if subject and other:
            yield Relation(
                _as_end(subject, statement.relation, LinkRole.SUBJECT),
                statement.relation,
                _as_end(other, statement.relation, LinkRole.OBJECT),
            )


def _as_end(found: Entity, relation: RelationType, role: LinkRole) -> Entity:
    """A capitalised name without a known type takes the type that the relation suggests, e.g. an owner is a person."""
    suggested = _TYPE_OF_END.get((relation, role))
    if suggested and found.node_type is NodeType.CONCEPT and found.label[:1].isupper():
        return Entity(found.label, suggested)
    return found


def _together(texts: Iterable[str], candidates: Iterable[Entity]) -> Iterator[Relation]:
    """Pairs of entities named in one sentence, in the order of their slugs, so that a pair is one relation everywhere."""
    known: dict[str, Entity] = {}
    for candidate in candidates:
        known.setdefault(slug(candidate.label), candidate)
    nearest = list(known.values())[:_COMPARED]
    for text in texts:
        present = sorted((found for found in nearest if found.label in text), key=lambda found: slug(found.label))
        for left, right in combinations(present, 2):
            yield Relation(left, RelationType.OCCURS_WITH, right)


def _linked(candidate: Entity, title: str, stated: Iterable[Relation]) -> LinkedEntity:
    candidate_slug = slug(candidate.label)
    ends = [
        role
        for relation in stated
        for role, end in ((LinkRole.SUBJECT, relation.subject), (LinkRole.OBJECT, relation.object))
        if slug(end.label) == candidate_slug
    ]
    firm = bool(ends) or _named(title, candidate)
    return LinkedEntity(candidate, ends[0] if ends else LinkRole.TOPIC, FIRM_LINK if firm else LOOSE_LINK)


def _named(title: str, candidate: Entity) -> bool:
    """Whether the title has the words of the entity."""
    return f"-{slug(candidate.label)}-" in f"-{slug(title)}-"
