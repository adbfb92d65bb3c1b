import pytest

from memd.domain.search.recall_modes import RowFilter, row_filter
from memd.domain.types import Category, RecallMode, Store

# Contract 6.2: mode → stores; categories; None is "all".
BROAD = {"semantic", "episodic"}
PRESET_ROWS = [
    pytest.param("general", None, None, marks=pytest.mark.rule("6.2 mode: general")),
    pytest.param("decision", BROAD, {"decision", "lesson", "rule"}, marks=pytest.mark.rule("6.2 mode: decision")),
    pytest.param(
        "project",
        {"semantic", "episodic", "procedural"},
        {"goal", "workflow", "skill", "decision", "fact"},
        marks=pytest.mark.rule("6.2 mode: project"),
    ),
    pytest.param("people", BROAD, {"person", "decision", "event"}, marks=pytest.mark.rule("6.2 mode: people")),
    pytest.param(
        "workflow",
        {"procedural", "semantic"},
        {"workflow", "skill", "rule", "lesson"},
        marks=pytest.mark.rule("6.2 mode: workflow"),
    ),
    pytest.param(
        "conversation",
        {"sensory", "episodic"},
        {"conversation", "event"},
        marks=pytest.mark.rule("6.2 mode: conversation"),
    ),
]


def test_every_mode_has_a_row():
    assert {row.values[0] for row in PRESET_ROWS} == set(RecallMode)


@pytest.mark.parametrize(("mode", "stores", "categories"), PRESET_ROWS)
def test_mode_preset(mode, stores, categories):
    assert row_filter(RecallMode(mode)) == RowFilter(stores=stores, categories=categories)


def test_without_a_mode_everything_passes():
    assert row_filter(None) == RowFilter(None, None)


@pytest.mark.rule("6.2 mode")
@pytest.mark.parametrize("mode", [None, *RecallMode])
def test_an_explicit_list_of_stores_wins_and_leaves_the_categories_of_the_mode(mode):
    merged = row_filter(mode, stores=[Store.PROSPECTIVE])
    assert merged.stores == {Store.PROSPECTIVE}
    assert merged.categories == row_filter(mode).categories


@pytest.mark.rule("6.2 mode")
@pytest.mark.parametrize("mode", [None, *RecallMode])
def test_an_explicit_list_of_categories_wins_and_leaves_the_stores_of_the_mode(mode):
    merged = row_filter(mode, categories=[Category.SKILL, Category.GOAL])
    assert merged.categories == {Category.SKILL, Category.GOAL}
    assert merged.stores == row_filter(mode).stores


def test_an_empty_list_counts_as_absent():
    assert row_filter(RecallMode.PEOPLE, stores=[], categories=[]) == row_filter(RecallMode.PEOPLE)


@pytest.mark.parametrize("store", list(Store))
@pytest.mark.parametrize("category", list(Category))
def test_a_row_passes_when_both_lists_hold_it(store, category):
    decision = row_filter(RecallMode.DECISION)
    expected = store in {"semantic", "episodic"} and category in {"decision", "lesson", "rule"}
    assert (decision.mismatch(store, category, (), None) is None) == expected
    assert row_filter(None).mismatch(store, category, (), None) is None


@pytest.mark.parametrize(
    ("tags", "project", "reason"),
    [
        ((), None, "tags"),
        (("ops",), None, "tags"),
        (("ops", "Deploy", "x"), None, None),
        (("ops", "deploy"), "ours", None),
        (("ops", "deploy"), "other", "project"),
        ((), "other", "project"),
    ],
)
def test_a_row_has_every_tag_case_blind_and_is_of_no_other_project(tags, project, reason):
    wanted = row_filter(None, tags=["ops", "deploy"], project_id="ours")
    assert wanted.mismatch(Store.EPISODIC, Category.FACT, tags, project) == reason


def test_a_refusal_names_store_before_category():
    decision = row_filter(RecallMode.DECISION)
    assert decision.mismatch(Store.SENSORY, Category.FACT, (), None) == "store"
    assert decision.mismatch(Store.SEMANTIC, Category.FACT, (), None) == "category"
