from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from memd.domain.lifecycle.reflection import (
    NOTHING_NEW,
    SHAPES,
    SKIPPED,
    Kind,
    ReflectionGroup,
    ReflectionInput,
    is_summarised,
    reflection_groups,
    reflection_memory,
    reflection_stats,
    statement_key,
    summary_memory,
    unread,
    unwritten,
)
from memd.domain.types import Category, MemorySource, Store

START = 1_741_426_200_000  # 8 March 2025


def row(number, **fields):
    values: dict[str, Any] = {
        "title": f"Row {number}",
        "content": f"Something happened {number} times.",
        "store": Store.EPISODIC,
        "category": Category.EVENT,
        "source": MemorySource.EXTERNAL,
        "created_at": START + number,
        **fields,
    }
    return ReflectionInput(id=UUID(int=number), **values)


def group(*rows):
    return ReflectionGroup(None, None, rows)


@pytest.mark.rule("11.6 reflection rows")
@pytest.mark.parametrize(
    ("kind", "prefix", "store", "category", "strength", "confidence"),
    [
        (Kind.DECISION, "Decision: ", Store.EPISODIC, Category.DECISION, 0.85, 0.8),
        (Kind.LESSON, "Lesson: ", Store.SEMANTIC, Category.LESSON, 0.85, 0.8),
        (Kind.SUMMARY, "Reflection summary: ", Store.EPISODIC, Category.CONVERSATION, 0.8, 0.75),
        (Kind.OPEN_LOOP, "Open loop: ", Store.PROSPECTIVE, Category.GOAL, 0.75, 0.7),
    ],
)
def test_each_kind_has_its_row(kind, prefix, store, category, strength, confidence):
    shape = SHAPES[kind]
    assert (shape.prefix, shape.store, shape.category) == (prefix, store, category)
    assert (shape.strength, shape.confidence) == (strength, confidence)
    assert {"reflection", "distilled"} <= set(shape.tags)
    assert ("open-loop" in shape.tags) is (kind is Kind.OPEN_LOOP)


@pytest.mark.rule("11.6 reflection input")
@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ({}, True),
        ({"store": Store.SENSORY}, True),
        ({"store": Store.SEMANTIC}, False),
        ({"store": Store.PROCEDURAL}, False),
        ({"store": Store.PROSPECTIVE}, False),
        ({"source": MemorySource.CONVERSATION}, True),
        ({"source": MemorySource.INFERENCE}, False),
    ],
)
def test_sensory_and_episodic_rows_that_were_not_inferred_are_read(fields, read):
    found = reflection_groups([row(1), row(2), row(3), row(9, **fields)])
    assert (9 in [one.id.int for one in found[0].rows]) is read


@pytest.mark.rule("11.6 reflection input")
@pytest.mark.parametrize(("rows", "groups"), [(2, 0), (3, 1)])
def test_three_rows_are_needed(rows, groups):
    assert len(reflection_groups([row(number) for number in range(rows)])) == groups


@pytest.mark.rule("11.6 reflection input")
def test_the_newest_thirty_unread_rows_are_read_oldest_first():
    (whole,) = reflection_groups([row(number) for number in reversed(range(45))])
    first = unread(whole, set())
    assert first is not None
    assert [one.id.int for one in first.rows] == list(range(15, 45))
    later = unread(whole, {one.id for one in first.rows})
    assert later is not None
    assert [one.id.int for one in later.rows] == list(range(15))
    assert (later.since, unread(whole, {one.id for one in whole.rows})) == (whole.rows[0].created_at, None)


@pytest.mark.rule("11.6 groups")
def test_no_group_reaches_across_channels_or_projects():
    rows = [row(number, channel=channel) for number, channel in enumerate([None, "a", "b"] * 3)]
    projects = [row(number + 20, channel="a", project_id="p") for number in range(3)]
    found = reflection_groups(rows + projects)
    assert {(one.channel, one.project_id): len(one.rows) for one in found} == {
        (None, None): 3,
        ("a", None): 3,
        ("b", None): 3,
        ("a", "p"): 3,
    }
    for one in found:
        assert {(member.channel, member.project_id) for member in one.rows} == {(one.channel, one.project_id)}


@pytest.mark.rule("11.6 reflection rows")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("The day was calm. Nobody called.", "The day was calm"),
        ("2 memories of 8 March 2025.\n- User (8 March 2025): We keep Postgres.\n- Anna paints.", "We keep Postgres"),
        ("word " * 100, "word " * 14 + "word…"),
    ],
)
def test_the_summary_is_titled_with_its_day_and_what_it_says_first(content: str, expected: str):
    assert summary_memory(group(row(1), row(2)), content).title == f"Reflection summary: 2025-03-08: {expected}"


@pytest.mark.rule("11.6 reflection rows")
def test_the_summary_of_several_days_names_the_first_and_the_last():
    days = group(row(1), replace(row(2), created_at=row(1).created_at + 2 * 86_400_000))
    assert summary_memory(days, "calm").title == "Reflection summary: 2025-03-08 to 2025-03-10: calm"
    assert summary_memory(group(row(1)), "…").title == "Reflection summary: 2025-03-08"


def test_a_long_subject_is_cut_to_a_title_of_one_line():
    memory = reflection_memory(Kind.LESSON, "warm\nthe cache " * 30, "text", ())
    assert memory.title.startswith("Lesson: warm the cache")
    assert "\n" not in memory.title
    assert len(memory.title) <= 200


def test_what_has_a_row_with_the_title_is_not_written_again():
    made = [reflection_memory(Kind.DECISION, subject, "text", ()) for subject in ("Keep it", "Sell it", "keep IT")]
    fresh = unwritten(made, titles=["decision: keep it"])
    assert [memory.title for memory in fresh] == ["Decision: Sell it"]


@pytest.mark.rule("11.6 reflection rows")
@pytest.mark.parametrize(
    "stated", ["Lesson: Warm it.", " warm  IT", "Warm the cache\nfirst", "lesson: warm the cache first. "]
)
def test_what_a_memory_says_already_is_not_written(stated):
    made = [reflection_memory(Kind.LESSON, "Warm it", "Warm the cache first.", ())]
    assert unwritten(made, titles=[], stated={statement_key(stated)}) == []
    assert unwritten(made, titles=[], stated={statement_key(f"{stated} twice")}) == made


def test_a_summary_is_written_whatever_is_stated():
    summary = summary_memory(group(row(1)), "calm")
    stated = {statement_key(summary.title), statement_key("calm")}
    assert unwritten([summary], titles=[], stated=stated) == [summary]


def test_a_second_run_over_the_same_rows_writes_nothing():
    rows = group(row(1), row(2), row(3))
    made = [reflection_memory(Kind.LESSON, "Warm it", "text", ())]
    first = unwritten(made, titles=[])
    assert first == made
    assert unwritten(made, titles=[memory.title for memory in first]) == []
    assert is_summarised(rows, {one.id for one in rows.rows})


def test_a_later_summary_of_the_same_day_is_written_when_there_are_new_rows():
    rows = group(row(1), row(2), row(3))
    summary = summary_memory(rows, "calm")
    assert not is_summarised(rows, {row(1).id, row(2).id})
    assert unwritten([summary], titles=[summary.title]) == [summary]


def test_stats_count_what_was_written_and_give_the_summary():
    rows = group(row(1), row(2), row(3))
    made = [
        reflection_memory(Kind.DECISION, "a", "a", ()),
        reflection_memory(Kind.OPEN_LOOP, "b", "b", ()),
        summary_memory(rows, "calm"),
    ]
    stats = reflection_stats([rows], [rows], made, made[:2])
    assert (stats.memories_read, stats.decisions_written, stats.lessons_written) == (3, 1, 0)
    assert (stats.summary_written, stats.open_loops_written, stats.summary) == (0, 1, "calm")
    assert stats.skipped is None


@pytest.mark.rule("6.11 case: fewer than three", "6.11 second run")
@pytest.mark.parametrize(("groups", "skipped"), [([], SKIPPED), ([group(row(1), row(2), row(3))], NOTHING_NEW)])
def test_a_run_without_new_rows_says_why_it_did_nothing(groups, skipped):
    assert reflection_stats(groups, [], [], []).skipped == skipped
