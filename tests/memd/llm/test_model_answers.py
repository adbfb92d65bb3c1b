from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.lifecycle.reflection import Kind, ReflectionGroup, ReflectionInput
from memd.domain.types import Category, LinkRole, MemorySource, NodeType, RelationType, Store
from memd.llm.model_answers import read_extraction, read_graph, read_reflection

GOOD = {
    "title": "Keep Postgres",
    "content": "The team keeps Postgres for the ledger.",
    "category": "decision",
    "tags": ["postgres", "ledger"],
    "importance": 0.8,
    "source_indexes": [0, 2],
}
ROW = ReflectionInput(
    id=UUID(int=1),
    title="A row",
    content="A row.",
    store=Store.EPISODIC,
    category=Category.EVENT,
    source=MemorySource.EXTERNAL,
    created_at=1_741_426_200_000,
)
GROUP = ReflectionGroup(None, None, (ROW,) * 3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["memories", "title", "content", "category", "tags", "importance", "source_indexes", "summary"]
            )
            | st.sampled_from(
                ["decisions", "lessons", "openLoops", "entities", "relations", "label", "type", "from", "to"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("answer", [[GOOD], {"memories": [GOOD]}])
def test_a_list_of_memories_is_read(answer):
    (memory,) = read_extraction(answer, messages=3)
    assert (memory.title, memory.category, memory.store) == ("Keep Postgres", Category.DECISION, Store.EPISODIC)
    assert (memory.importance, memory.source_indexes) == (0.8, (0, 2))
    assert memory.tags == ("auto-extracted", "postgres", "ledger")


@pytest.mark.parametrize(
    "bad",
    [
        {"title": ""},
        {"title": "  "},
        {"title": 7},
        {"content": None},
        {"category": "conversation"},
        {"category": "secret"},
        {"category": ["decision"]},
        {"importance": "high"},
        {"importance": True},
        {"importance": float("nan")},
        {"importance": 10**400},
        {"source_indexes": []},
        {"source_indexes": [3]},
        {"source_indexes": [-1]},
        {"source_indexes": [True]},
        {"source_indexes": ["0"]},
        {"source_indexes": 0},
    ],
)
def test_an_invalid_memory_is_dropped_and_the_others_stay(bad):
    assert [memory.title for memory in read_extraction([{**GOOD, **bad}, GOOD], messages=3)] == ["Keep Postgres"]


def test_positions_outside_the_window_are_dropped_one_by_one():
    (memory,) = read_extraction([{**GOOD, "source_indexes": [9, 1, "2"]}], messages=3)
    assert memory.source_indexes == (1,)


def test_the_models_own_store_is_not_believed():
    (memory,) = read_extraction([{**GOOD, "store": "sensory"}], messages=3)
    assert memory.store is Store.EPISODIC


def test_a_missing_importance_is_the_least():
    (memory,) = read_extraction([{key: value for key, value in GOOD.items() if key != "importance"}], messages=3)
    assert memory.importance == 0.5


@pytest.mark.rule("11.6 output")
def test_at_most_six_memories_are_kept():
    assert len(read_extraction([GOOD] * 9, messages=3)) == 6


@pytest.mark.parametrize("answer", [None, "text", 3, {}, {"memories": "none"}, [None, 1, "x", []]])
def test_anything_else_gives_no_memory(answer):
    assert read_extraction(answer, messages=3) == []


def test_a_reflection_has_texts_or_objects_and_a_summary():
    answer = {
        "summary": "A calm day.",
        "decisions": ["Keep Postgres"],
        "lessons": [{"title": "Warm the cache", "content": "Warm the cache before the peak."}, {"title": "no content"}],
        "openLoops": [3, "Ask the auditor"],
    }
    found = read_reflection(answer, GROUP)
    assert found is not None
    assert [(memory.kind, memory.title) for memory in found] == [
        (Kind.DECISION, "Decision: Keep Postgres"),
        (Kind.LESSON, "Lesson: Warm the cache"),
        (Kind.OPEN_LOOP, "Open loop: Ask the auditor"),
        (Kind.SUMMARY, "Reflection summary: 2025-03-08: A calm day"),
    ]


def test_at_most_five_of_a_kind_are_kept():
    found = read_reflection({"summary": "s", "decisions": [f"Decision number {number}" for number in range(9)]}, GROUP)
    assert found is not None
    assert len(found) == 6


@pytest.mark.parametrize("answer", [None, [], {}, {"summary": " "}, {"summary": 3, "decisions": ["Keep it"]}])
def test_a_reflection_without_a_summary_is_not_used(answer):
    assert read_reflection(answer, GROUP) is None


def test_a_graph_answer_is_brought_within_the_limits():
    answer = {
        "entities": [
            {"label": "Dana", "type": "person"},
            {"label": "billing", "type": "project"},
            {"label": "x", "type": "?"},
        ],
        "relations": [
            {"from": "Dana", "relation": "owns", "to": "Billing"},
            {"from": "Dana", "relation": "loves", "to": "billing"},
            {"from": "Dana", "relation": "uses", "to": "unknown thing"},
        ],
    }
    reading = read_graph(answer, "Who owns billing")
    assert reading is not None
    assert [(one.entity.key, one.role) for one in reading.entities] == [
        ("person:dana", LinkRole.SUBJECT),
        ("project:billing", LinkRole.OBJECT),
    ]
    assert [(one.subject.label, one.relation, one.object.label) for one in reading.relations] == [
        ("Dana", RelationType.OWNS, "billing")
    ]
    assert reading.entities[0].entity.node_type is NodeType.PERSON


@pytest.mark.parametrize("answer", [None, [], {}, {"entities": []}, {"entities": [{"label": "…", "type": "person"}]}])
def test_a_graph_answer_without_an_entity_is_not_used(answer):
    assert read_graph(answer, "title") is None


@given(JSON)
def test_no_answer_raises_or_breaks_the_limits(answer):
    assert len(read_extraction(answer, messages=4)) <= 6
    found = read_reflection(answer, GROUP)
    assert found is None or len(found) <= 16
    reading = read_graph(answer, "title")
    assert reading is None or (len(reading.entities) <= 5 and len(reading.relations) <= 5)
