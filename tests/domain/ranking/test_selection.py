from math import ceil
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.rank_score import Candidate, RankWeights, Signals, ranked_row
from memd.domain.ranking.selection import collapse, merge, select_chunks, select_memories, with_evidence
from tests.support.stored_rows import Row

SIGNALS = Signals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, None, None, 0, 0, None, None, None, None)
LONG = "The first hundred and sixty characters of both notes are the very same sentence. " * 3
ALIKE = "Every night at two the build machine packs the whole of the archive and sends it away, run number "
# Texts of which no two share a bigram's worth of likeness.
WORDS = ["quartz", "fjord", "lymph", "vexing", "bumpy", "dwarf", "jock", "sphinx", "waltz", "glyph", "kiosk", "azure"]


def row(number, rank_score=0.5, content=None, title="", kb=None, evidence=0.0):
    text = content if content is not None else f"{WORDS[number % 12]} {number} {WORDS[number // 12 % 12]}"
    candidate = Candidate(
        Row(UUID(int=number), title, text),
        knowledge_base_id=None if kb is None else UUID(int=kb),
    )
    signals = SIGNALS._replace(base_score=rank_score, evidence_score=evidence)
    return ranked_row(candidate, signals, RankWeights(evidence=0))


def ids(selection):
    return [one.candidate.id.int for one in selection.rows]


def reasons(selection):
    return {one.id.int: str(one.reason) for one in selection.dropped}


ROWS = st.lists(
    st.builds(
        row,
        st.integers(1, 500),
        st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]),
        content=st.sampled_from([None, "same", LONG + "a", LONG + "b", f"{ALIKE}1", f"{ALIKE}2", f"{ALIKE}3"]),
        title=st.sampled_from(["", "A long title"]),
        kb=st.sampled_from([None, None, 901, 902]),
        evidence=st.sampled_from([0.0, 0.3, 0.7]),
    ),
    max_size=25,
    unique_by=lambda one: one.candidate.id,
)


def split(rows):
    """Memories and chunks of mixed rows."""
    return [one for one in rows if not one.candidate.is_chunk], [one for one in rows if one.candidate.is_chunk]


@pytest.mark.rule("11.1.7")
def test_of_identical_content_only_the_best_stays():
    selection = collapse([row(1, 0.4, "same"), row(2, 0.6, "same"), row(3, 0.5, "same "), row(4, 0.5, "Same")])
    assert ids(selection) == [2, 3, 4]
    assert reasons(selection) == {1: "duplicate"}


@pytest.mark.rule("17.2 POST /api/memories/search")
def test_identical_contents_stay_for_a_search_that_keeps_copies():
    rows = [row(1, 0.4, "same"), row(2, 0.6, "same")]
    assert ids(collapse(rows, keep_copies=True)) == [2, 1]
    assert ids(select_memories(rows, 5, keep_copies=True)) == [2, 1]
    assert ids(merge(rows, [], 5, keep_copies=True)) == [2, 1]


@pytest.mark.rule("11.1.8")
def test_of_near_duplicates_only_the_best_stays():
    rows = [row(1, 0.4, LONG + "one", "Same title"), row(2, 0.6, LONG + "two", "Same title")]
    selection = collapse(rows)
    assert ids(selection) == [2]
    assert reasons(selection) == {1: "near_duplicate"}


@pytest.mark.rule("11.1.8")
def test_near_duplicates_stay_when_the_request_says_so():
    rows = [row(1, 0.4, LONG + "one", "Same title"), row(2, 0.6, LONG + "two", "Same title")]
    assert ids(collapse(rows, near_duplicates=False)) == [2, 1]
    assert ids(select_memories(rows, 5, collapse_near_duplicates=False)) == [2, 1]
    assert ids(merge(rows, [], 5, collapse_near_duplicates=False)) == [2, 1]


def test_rows_that_are_much_alike_are_all_returned():
    invoices = [
        row(number, number / 20, f"Invoice {number} of the plumber, 80 Euro, to be paid in March.")
        for number in range(10)
    ]
    assert ids(select_memories(invoices, 12)) == list(range(9, -1, -1))


@pytest.mark.rule("11.2 minEvidence")
def test_rows_below_the_least_evidence_are_left_out():
    selection = with_evidence([row(1, 0.9, evidence=0.3), row(2, 0.5, evidence=0.7), row(3, 0.1, evidence=0.4)], 0.4)
    assert ids(selection) == [2, 3]
    assert reasons(selection) == {1: "evidence"}
    assert ids(with_evidence([row(1, evidence=0.0)], 0)) == [1]


@pytest.mark.rule("11.1.10")
def test_the_cut_comes_after_duplicates_are_gone():
    rows = [row(1, 0.9, "same"), row(2, 0.8, "same"), row(3, 0.7), row(4, 0.6)]
    selection = select_memories(rows, 2)
    assert ids(selection) == [1, 3]
    assert reasons(selection) == {2: "duplicate", 4: "limit"}


@pytest.mark.rule("11.1.11")
def test_each_knowledge_base_gives_its_best_hits_only():
    rows = [row(1, 0.9, kb=901), row(2, 0.8, kb=901), row(3, 0.7, kb=901), row(4, 0.1, kb=902)]
    selection = select_chunks(rows, [], 2)
    assert ids(selection) == [1, 2, 4]
    assert reasons(selection) == {3: "limit"}


@pytest.mark.rule("11.1.11")
def test_a_chunk_whose_content_or_id_is_present_is_dropped():
    present = [row(1, 0.2, "known"), row(2, 0.2)]
    selection = select_chunks([row(3, 0.9, "known", kb=901), row(2, 0.8, "x", kb=901), row(4, 0.1, kb=901)], present, 1)
    assert ids(selection) == [4]
    assert reasons(selection) == {3: "duplicate", 2: "duplicate"}


def test_of_equal_chunks_of_two_knowledge_bases_the_best_stays():
    selection = select_chunks([row(1, 0.3, "same", kb=901), row(2, 0.4, "same", kb=902)], [], 3)
    assert ids(selection) == [2]


@pytest.mark.rule("11.1.12")
def test_the_merge_is_by_rank_score_with_the_memory_first_on_ties():
    merged = merge([row(5, 0.5), row(6, 0.2)], [row(1, 0.5, kb=901), row(2, 0.3, kb=901)], 4)
    assert ids(merged) == [5, 1, 2, 6]


@pytest.mark.rule("11.1.12")
def test_the_merge_removes_duplicates_over_all_rows():
    memories = [row(1, 0.5, LONG + "one", "Same title"), row(2, 0.4)]
    merged = merge(memories, [row(3, 0.6, LONG + "two", "Same title", kb=901)], 5)
    assert ids(merged) == [3, 2]
    assert reasons(merged) == {1: "near_duplicate"}


@pytest.mark.rule("11.1.12")
@pytest.mark.parametrize(("limit", "places"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (12, 6)])
def test_chunks_take_at_most_half_of_the_places_rounded_up(limit, places):
    memories = [row(number, 0.2) for number in range(1, 21)]
    chunks = [row(number, 0.9, kb=901) for number in range(101, 121)]
    merged = merge(memories, chunks, limit)
    assert sum(one.candidate.is_chunk for one in merged.rows) == places
    assert len(merged.rows) == limit


@pytest.mark.rule("11.1.12")
@pytest.mark.parametrize(("memories", "places"), [(0, 6), (1, 5), (2, 4), (3, 3), (4, 3)])
def test_chunks_take_more_than_half_where_memories_cannot_fill(memories, places):
    merged = merge(
        [row(number, 0.2) for number in range(1, memories + 1)],
        [row(number, 0.9, kb=901) for number in range(101, 121)],
        6,
    )
    assert sum(one.candidate.is_chunk for one in merged.rows) == places
    assert len(merged.rows) == 6


def test_worse_chunks_do_not_take_places_from_better_memories():
    merged = merge([row(1, 0.9), row(2, 0.8), row(3, 0.7)], [row(4, 0.1, kb=901)], 3)
    assert ids(merged) == [1, 2, 3]
    assert reasons(merged) == {4: "limit"}


@pytest.mark.rule("11.1 named set")
def test_a_named_set_has_no_half_rule():
    chunks = [row(number, number / 20, kb=901) for number in range(1, 11)]
    merged = merge([], chunks, 4, half_rule=False)
    assert ids(merged) == [10, 9, 8, 7]
    assert ids(merge([row(20, 0.01)], chunks, 4, half_rule=False)) == [10, 9, 8, 7]


@given(rows=ROWS, limit=st.integers(1, 20), collapse_near=st.booleans())
def test_a_selection_returns_or_drops_every_row_exactly_once(rows, limit, collapse_near):
    memories, chunks = split(rows)
    fit, fit_chunks = with_evidence(memories, 0.3), with_evidence(chunks, 0.3)
    selected = select_memories(fit.rows, limit, collapse_near_duplicates=collapse_near)
    hits = select_chunks(fit_chunks.rows, selected.rows, 3)
    merged = merge(selected.rows, hits.rows, limit, collapse_near_duplicates=collapse_near)
    known = [one.candidate.id for one in merged.rows]
    known += [one.id for step in (fit, fit_chunks, selected, hits, merged) for one in step.dropped]
    assert sorted(known) == sorted(one.candidate.id for one in rows)


@given(rows=ROWS, limit=st.integers(1, 20), half_rule=st.booleans())
def test_a_merge_respects_limit_order_and_half_rule(rows, limit, half_rule):
    memories, chunks = split(rows)
    unique = len(collapse(rows).rows)
    ordinary = sum(not one.candidate.is_chunk for one in collapse(rows).rows)
    merged = merge(memories, chunks, limit, half_rule=half_rule)
    scores = [one.rank_score for one in merged.rows]
    assert scores == sorted(scores, reverse=True)
    assert len(merged.rows) == min(limit, unique)
    if half_rule:
        allowed = max(ceil(limit / 2), limit - ordinary)
        assert sum(one.candidate.is_chunk for one in merged.rows) <= allowed


@given(rows=ROWS, limit=st.integers(1, 20), data=st.data())
def test_equal_input_gives_an_equal_answer_in_whatever_order_it_comes(rows, limit, data):
    shuffled = data.draw(st.permutations(rows))

    def answer(mixed):
        memories, chunks = split(mixed)
        selected = select_memories(memories, limit)
        return merge(selected.rows, select_chunks(chunks, selected.rows, 3).rows, limit)

    assert answer(shuffled) == answer(rows)


@given(rows=ROWS)
def test_the_best_row_is_always_returned(rows):
    memories, _ = split(rows)
    best = max(
        memories, key=lambda one: (one.rank_score, one.signals.evidence_score, -one.candidate.id.int), default=None
    )
    assert best is None or select_memories(memories, 1).rows == (best,)
