"""Recall at a depth, intervals, and pools of several files."""

import numpy as np
import pytest

from tests.bench.eval.measures import Rate, Result, bootstrap, pooled, pooled_rates, wilson
from tests.bench.eval.report import BEGIN, END, markdown, to_json, write_section

ONE = Result(
    set="memories",
    folder="talks",
    data="a",
    depth=2,
    key="original",
    evidence=[frozenset({"x", "y"}), frozenset({"z"})],
    found={"memd": [["x", "q", "y"], ["q", "z"]], "BM25": [["q"], []], "embedder": [["y", "x"], ["q"]]},
)
TWO = Result(
    "memories", "talks", "b", 2, "original", [frozenset({"x"})], {"memd": [["x"]], "BM25": [["x"]], "embedder": [[]]}
)


def test_strict_counts_shares_and_any_hit_counts_questions() -> None:
    assert ONE.shares("memd").tolist() == [0.5, 1.0]
    assert ONE.hits("memd").tolist() == [1.0, 1.0]
    assert ONE.shares("embedder").tolist() == [1.0, 0.0]


def test_a_pool_counts_every_question_once() -> None:
    (pool,) = pooled([ONE, TWO])
    assert pool.data == "all"
    assert pool.shares("memd").tolist() == [0.5, 1.0, 1.0]


def test_keys_sets_and_depths_are_not_pooled() -> None:
    others = [Result(*(*fields, ONE.evidence, ONE.found)) for fields in _other_fields()]
    assert len(pooled([ONE, *others])) == 1 + len(others)


def _other_fields() -> list[tuple[str, str, str, int, str]]:
    return [
        ("chunks", "talks", "a", 2, "original"),
        ("memories", "other", "a", 2, "original"),
        ("memories", "talks", "a", 10, "original"),
        ("memories", "talks", "a", 2, "corrected"),
    ]


def test_wilson_interval_of_a_textbook() -> None:
    found = wilson(np.array([1.0] * 8 + [0.0] * 2))
    assert (found.mean, found.low, found.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    assert wilson(np.ones(20)).high == 1.0


def test_bootstrap_is_repeatable_and_narrows_with_the_number_of_questions() -> None:
    values = np.array([0.0, 1.0] * 50)
    found = bootstrap(values)
    assert found == bootstrap(values)
    assert found.low < found.mean == 0.5 < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.05, abs=0.02)
    assert bootstrap(np.tile(values, 4)).low > found.low


def test_rates_are_pooled_by_what_they_count() -> None:
    rates = [Rate("own", "talks", name, what, np.ones(2)) for name in "ab" for what in ("kept", "found")]
    assert [(rate.data, len(rate.values)) for rate in pooled_rates(rates)] == [("all", 4), ("all", 4)]


def test_the_table_names_the_best_other_and_the_json_has_every_interval() -> None:
    text = markdown([ONE, TWO, Rate("own", "talks", "a", "kept", np.ones(4))])
    assert "| memories | talks | 3 | R@2 | 0.833 [" in text
    assert "| own | talks/a | kept | 4 | 1.000 [" in text
    pool = to_json([ONE, TWO])["results"][-1]
    assert pool["systems"]["memd"]["recall"]["mean"] == 0.8333
    assert pool["differences"].keys() == {"BM25", "embedder"}


def test_only_the_section_between_the_markers_is_written(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_section(page, "new")
    write_section(page, "newer")
    assert page.read_text() == f"before\n{BEGIN}\n\nnewer\n\n{END}\nafter\n"
