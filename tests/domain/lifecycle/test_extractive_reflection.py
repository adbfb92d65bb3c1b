from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.lifecycle.extractive_reflection import reflect
from memd.domain.lifecycle.reflection import Kind, ReflectionGroup, ReflectionInput
from memd.domain.types import Category, MemorySource, Store

START = 1_741_426_200_000  # 8 March 2025


def row(number, content, category=Category.CONVERSATION, title=""):
    return ReflectionInput(
        id=UUID(int=number),
        title=title or f"Row {number}",
        content=content,
        store=Store.SENSORY if category is Category.CONVERSATION else Store.EPISODIC,
        category=category,
        source=MemorySource.EXTERNAL,
        created_at=START + number,
    )


def group(*rows):
    return ReflectionGroup("codex:/w/shop", None, rows)


DAY = group(
    row(1, "User (8 March 2025): We decided to keep the driver.\nIs that fine?"),
    row(2, "The root cause was a full disk. It took an hour."),
    row(3, "The audit is still open. Waiting for the security team."),
    row(4, "Buy more disks.", Category.GOAL, "More disks"),
    row(5, "Postgres it is.", Category.DECISION, "Database"),
)


def by_kind(memories, kind):
    return [memory for memory in memories if memory.kind is kind]


def test_decisions_lessons_and_open_loops_are_found_in_the_words_of_the_rows():
    made = reflect(DAY)
    assert [memory.title for memory in by_kind(made, Kind.DECISION)] == [
        "Decision: We decided to keep the driver.",
        "Decision: Database",
    ]
    assert [memory.title for memory in by_kind(made, Kind.LESSON)] == ["Lesson: The root cause was a full disk."]
    loops = [memory.title for memory in by_kind(made, Kind.OPEN_LOOP)]
    assert "Open loop: Waiting for the security team." in loops
    assert "Open loop: More disks" in loops


def test_a_change_that_was_made_leaves_nothing_open():
    made = reflect(group(row(1, "We pushed the deadline for the audit to 20 March 2027.")))
    assert [memory.kind for memory in made] == [Kind.SUMMARY]
    wanted = reflect(group(row(1, "The deadline for the audit was moved to 20 March, so we must finish the report.")))
    assert Kind.OPEN_LOOP in [memory.kind for memory in wanted]


def test_the_speaker_and_the_day_stay_in_the_content():
    (decision, _) = by_kind(reflect(DAY), Kind.DECISION)
    assert decision.content == "User (8 March 2025): We decided to keep the driver."


def test_a_row_stored_as_a_decision_is_one_with_its_whole_content():
    (_, decision) = by_kind(reflect(DAY), Kind.DECISION)
    assert decision.content == "Postgres it is."


def test_there_is_one_summary_and_it_comes_last():
    made = reflect(DAY)
    assert [memory.kind for memory in made].count(Kind.SUMMARY) == 1
    assert made[-1].title == "Reflection summary: 2025-03-08: We decided to keep the driver"
    assert made[-1].content.startswith("5 memories of 8 March 2025.")
    assert "We decided to keep the driver." in made[-1].content


def test_a_summary_of_rows_that_say_nothing_lists_their_titles():
    (summary,) = reflect(group(row(1, "ok"), row(2, "hm"), row(3, "?", title="A note")))
    assert summary.content.splitlines()[1:] == ["- Row 1", "- Row 2", "- A note"]


def test_the_same_decision_in_two_rows_is_written_once():
    made = reflect(group(*(row(number, "We decided to keep the driver.") for number in range(3))))
    assert len(by_kind(made, Kind.DECISION)) == 1


def test_at_most_five_of_a_kind_are_written():
    made = reflect(group(*(row(number, f"We decided to rent room {number}.") for number in range(12))))
    assert len(by_kind(made, Kind.DECISION)) == 5


TEXTS = st.lists(
    st.sampled_from(
        ["We decided to sell.", "I learned to wait.", "TODO: call Ann.", "Why?", "fine", "```\ncode\n```", "x" * 9_000]
    ),
    max_size=5,
).map(" ".join)


@given(st.lists(TEXTS, min_size=3, max_size=12))
@settings(max_examples=40)
def test_a_reflection_is_bounded_and_the_same_for_the_same_rows(texts):
    rows = group(*(row(number, text) for number, text in enumerate(texts)))
    made = reflect(rows)
    assert made == reflect(rows)
    assert len(made) <= 16
    assert len({memory.title.casefold() for memory in made}) == len(made)
    for memory in made:
        assert len(memory.title) <= 200
        assert 0 < len(memory.content) <= 4_000
