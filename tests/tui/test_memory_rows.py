"""The list of memories as rows, its order, and the text beside it."""

import pytest

from memctl.wire.enums import Category, Store
from memctl.wire.memory_listing import ListedMemory, MemorySort
from tui.presenters.memories import ListState, SortKey, memory_row, next_sort, preview, sort_by, where_line

NOW = 1_780_000_000_000
HOUR = 3_600_000


def listed(**fields: object) -> ListedMemory:
    values = {
        "id": "mem_1",
        "title": "Freeze",
        "excerpt": "No deploys on FRIDAYS",
        "length": 21,
        "store": Store.SEMANTIC,
        "category": Category.RULE,
        "tags": ["ops"],
        "channel": "slack:eng",
        "strength": 0.8,
        "archived": False,
        "created_at": NOW - 2 * HOUR,
        "last_accessed_at": NOW,
    }
    return ListedMemory.model_validate(values | fields)


DAY = 24 * HOUR
MIDNIGHT = NOW // DAY * DAY


@pytest.mark.parametrize(
    ("period", "title", "is_dim", "note"),
    [
        ({}, "Freeze", False, None),
        ({"valid_until": MIDNIGHT}, "(ended) Freeze", True, "true until the end of 2026-05-27"),
        ({"valid_until": MIDNIGHT + DAY}, "Freeze", False, "true until the end of 2026-05-28"),
        ({"valid_from": MIDNIGHT}, "Freeze", False, "true from 2026-05-28"),
        ({"valid_from": MIDNIGHT + DAY}, "(from 2026-05-29) Freeze", True, "true from 2026-05-29"),
    ],
)
def test_a_memory_that_is_not_true_now_is_told_from_the_others(
    period: dict[str, int], title: str, is_dim: bool, note: str | None
) -> None:
    shown = memory_row(listed(**period), NOW).cells[3]
    assert (shown.text, shown.style) == (title, "dim" if is_dim else "bold")
    assert [line for line in preview(listed(**period)).plain.splitlines() if line.startswith("true ")] == [note] * bool(
        note
    )


def test_a_column_is_sorted_its_usual_way_first_and_turned_round_the_second_time() -> None:
    by_title = sort_by(MemorySort.TITLE, SortKey())
    assert by_title == SortKey(MemorySort.TITLE, descending=False)
    assert sort_by(MemorySort.TITLE, by_title) == SortKey(MemorySort.TITLE, descending=True)
    assert sort_by(MemorySort.STRENGTH, by_title) == SortKey(MemorySort.STRENGTH, descending=True)
    assert next_sort(SortKey()).sort is MemorySort.STORE


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ListState(0, 0, 0, is_exact=True, is_last=True), "no memories match"),
        (ListState(0, 100, 10_000, is_exact=False, is_last=False, selected=2), "of 10,000+ · 2 selected · ] next page"),
        (ListState(1, 3, None, is_exact=True, is_last=True), "page 2: 3 memories · [ previous · last page"),
    ],
)
def test_the_line_below_the_list_says_where_one_is(state: ListState, words: str) -> None:
    assert words in where_line(state)


def test_a_memory_that_is_about_to_go_is_struck_through() -> None:
    assert "strike" in memory_row(listed(), NOW, leaving=True).cells[3].style
    assert "strike" not in memory_row(listed(), NOW).cells[3].style


def test_a_preview_says_how_much_is_left_out() -> None:
    assert "1,000 more characters" in preview(listed(excerpt="x" * 2_000, length=3_000)).plain
