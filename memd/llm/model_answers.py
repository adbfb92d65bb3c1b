"""Strict readers of a chat model's JSON answers: they drop what is malformed and never raise."""

import math
from collections.abc import Mapping
from typing import Final, cast

from memd.domain.extraction.extracted_memory import MAX_MEMORIES, MIN_IMPORTANCE, STORE_OF, ExtractedMemory, extracted
from memd.domain.graph.entities import MAX_LABEL, Entity, slug
from memd.domain.graph.reading import GraphReading, Relation, graph_reading
from memd.domain.lifecycle.reflection import (
    MAX_OF_A_KIND,
    Kind,
    ReflectionGroup,
    ReflectionMemory,
    reflection_memory,
    summary_memory,
)
from memd.domain.text.sentences import cut_words
from memd.domain.types import NodeType, RelationType

_CATEGORIES: Final = {category.value: category for category in STORE_OF}
_NODE_TYPES: Final = {node_type.value: node_type for node_type in NodeType}
_RELATION_TYPES: Final = {relation.value: relation for relation in RelationType}
_REFLECTION_LISTS: Final = {"decisions": Kind.DECISION, "lessons": Kind.LESSON, "openLoops": Kind.OPEN_LOOP}


def read_extraction(answer: object, *, messages: int) -> list[ExtractedMemory]:
    """The first six usable memories of an answer about a window of `messages` messages.

    The answer is a list, or `{"memories": [...]}`, of objects with title, content, category, tags, importance and
    source_indexes. An object of another shape, of an unknown category or without a source inside the window is
    dropped; text, tags and importance are cut to the limits. The store follows from the category whatever it says.
    """
    found = items(fields(answer).get("memories")) or items(answer)
    memories = (_memory(fields(item), messages) for item in found)
    return [memory for memory in memories if memory][:MAX_MEMORIES]


def read_reflection(answer: object, group: ReflectionGroup) -> list[ReflectionMemory] | None:
    """The rows of a model's reflection on the group, at most five of a kind; None without a usable summary.

    The answer is `{"summary": text, "decisions": […], "lessons": […], "openLoops": […]}`, each a list of texts or of
    `{"title", "content"}`.
    """
    given = fields(answer)
    summary = text(given.get("summary"))
    if not summary:
        return None
    found: list[ReflectionMemory] = []
    for name, kind in _REFLECTION_LISTS.items():
        pairs = [_subject_and_content(item) for item in items(given.get(name))]
        usable = [(subject, content) for subject, content in pairs if subject and content]
        found += [reflection_memory(kind, *pair, group.rows) for pair in usable[:MAX_OF_A_KIND]]
    return [*found, summary_memory(group, summary)]


def read_graph(answer: object, title: str) -> GraphReading | None:
    """The graph that a model read from the memory with this title (limits: contract 11.10); None without an entity.

    The answer is `{"entities": [{"label", "type"}], "relations": [{"from", "relation", "to"}]}`; the ends of a relation
    are labels of entities, and everything else of unknown type or label is dropped.
    """
    given = fields(answer)
    entities = {slug(found.label): found for item in items(given.get("entities")) if (found := _entity(fields(item)))}
    relations = [_relation(fields(item), entities) for item in items(given.get("relations"))]
    if not entities:
        return None
    return graph_reading(title, entities.values(), [relation for relation in relations if relation])


def fields(value: object) -> Mapping[str, object]:
    """The value if it is a JSON object, else an empty one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The value if it is a JSON list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """The value, trimmed, if it is a text, else nothing."""
    return value.strip() if isinstance(value, str) else ""


def number(value: object) -> float | None:
    """The value if it is a finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        given = float(value)
    except OverflowError:
        return None
    return given if math.isfinite(given) else None


def _memory(given: Mapping[str, object], messages: int) -> ExtractedMemory | None:
    title, content = text(given.get("title")), text(given.get("content"))
    category = _CATEGORIES.get(text(given.get("category")))
    importance = number(given.get("importance", MIN_IMPORTANCE))
    sources = [index for index in items(given.get("source_indexes")) if _is_position(index, messages)]
    if not (title and content and category and sources) or importance is None:
        return None
    tags = [tag for item in items(given.get("tags")) if (tag := text(item))]
    return extracted(
        title=title,
        content=content,
        category=category,
        tags=tags,
        importance=importance,
        source_indexes=cast("list[int]", sources),
    )


def _is_position(value: object, messages: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < messages


def _subject_and_content(item: object) -> tuple[str, str]:
    """Title and content of one item of a reflection; a plain text is both."""
    if isinstance(item, str):
        return text(item), text(item)
    given = fields(item)
    return text(given.get("title")), text(given.get("content"))


def _entity(given: Mapping[str, object]) -> Entity | None:
    label = cut_words(" ".join(text(given.get("label")).split()), MAX_LABEL)
    node_type = _NODE_TYPES.get(text(given.get("type")))
    return Entity(label, node_type) if node_type and slug(label) else None


def _relation(given: Mapping[str, object], entities: Mapping[str, Entity]) -> Relation | None:
    subject, other = (entities.get(slug(text(given.get(end)))) for end in ("from", "to"))
    relation = _RELATION_TYPES.get(text(given.get("relation")))
    return Relation(subject, relation, other) if subject and relation and other else None
