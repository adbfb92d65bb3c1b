from math import exp
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.lifecycle.retention import CleanupRow, DecayRow, Fate, decay, decay_excess, decay_score, fate
from memd.domain.types import Category, Store

HOUR = 3_600_000
DAY = 24 * HOUR
NOW = 1_760_000_000_000


def decay_row(number, *, strength=0.5, days=0, is_chunk=False):
    return DecayRow(UUID(int=number), strength, NOW - days * DAY, is_chunk)


def cleanup_row(**fields):
    values: dict[str, Any] = {
        "store": Store.EPISODIC,
        "category": Category.EVENT,
        "strength": 0.8,
        "created_at": NOW - 40 * DAY,
        "last_accessed_at": NOW - 40 * DAY,
        **fields,
    }
    return CleanupRow(id=UUID(int=1), **values)


def impression(**fields):
    return cleanup_row(
        **{"store": Store.SENSORY, "category": Category.CONVERSATION, "consolidated_at": NOW - DAY, **fields}
    )


def workflow(**fields):
    return cleanup_row(**{"store": Store.PROCEDURAL, "category": Category.WORKFLOW, "observation_count": 1, **fields})


@pytest.mark.parametrize(
    ("strength", "days", "score"),
    [(1, 0, 1.0), (0, 0, 0.6), (0.5, 10, 0.2 + 0.6 * exp(-0.5)), (1, 365, 0.4 + 0.6 * exp(-18.25))],
)
def test_the_decay_score_weighs_strength_and_the_days_since_access(strength, days, score):
    assert decay_score(strength, NOW - days * DAY, NOW) == pytest.approx(score)


@pytest.mark.parametrize(
    ("active", "quota", "leave"),
    [
        (449, 500, 0),
        (450, 500, 25),
        (500, 500, 75),
        (600, 500, 175),
        (63, 70, 4),
        (25_000, 25_000, 3_750),
        (10**6, None, 0),
        (0, 500, 0),
    ],
)
def test_decay_starts_at_90_percent_and_ends_at_85(active, quota, leave):
    assert decay_excess(active, quota) == leave


def test_the_lowest_scores_leave_with_half_their_strength():
    rows = [decay_row(number, strength=number / 10) for number in range(1, 11)]
    assert [(one.id.int, one.strength) for one in decay(rows, 10, NOW)] == [(1, 0.05), (2, 0.1)]


def test_what_was_not_accessed_for_long_leaves_first():
    rows = [decay_row(number, days=number) for number in range(10)]
    assert [one.id.int for one in decay(rows, 10, NOW)] == [9, 8]


def test_chunks_neither_count_nor_leave():
    rows = [decay_row(number, is_chunk=True, strength=0) for number in range(50)] + [decay_row(99)]
    assert decay(rows, 50, NOW) == []


def test_an_unmetered_user_loses_nothing():
    assert decay([decay_row(number) for number in range(1_000)], None, NOW) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 900)), max_size=60), st.integers(1, 60))
def test_decay_leaves_at_most_85_percent_and_is_finished_after_one_run(pairs, quota):
    rows = [decay_row(number, strength=strength, days=days) for number, (strength, days) in enumerate(pairs)]
    gone = {one.id for one in decay(rows, quota, NOW)}
    left = [row for row in rows if row.id not in gone]
    if gone:
        assert len(left) <= 0.85 * quota < len(left) + 1
    assert decay(left, quota, NOW) == []
    kept = [decay_score(row.strength, row.last_accessed_at, NOW) for row in left]
    lost = [decay_score(row.strength, row.last_accessed_at, NOW) for row in rows if row.id in gone]
    assert not (kept and lost) or max(lost) <= min(kept)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Fate.ARCHIVE),
        ({"created_at": NOW - DAY - 1}, Fate.ARCHIVE),
        ({"created_at": NOW - DAY}, Fate.KEEP),
        ({"consolidated_at": None}, Fate.KEEP),
        ({"last_recalled_at": NOW - 7 * DAY + 1}, Fate.KEEP),
        ({"last_recalled_at": NOW - 7 * DAY}, Fate.ARCHIVE),
        ({"store": Store.EPISODIC}, Fate.KEEP),
        ({"is_chunk": True}, Fate.KEEP),
    ],
)
def test_an_old_impression_leaves_when_consolidation_saw_it_and_nobody_recalls_it(fields, expected):
    assert fate(impression(**fields), NOW) is expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"archived_by_job_at": NOW - 30 * DAY}, Fate.REMOVE),
        ({"archived_by_job_at": NOW - 30 * DAY + 1}, Fate.KEEP),
        ({"archived_by_job_at": None}, Fate.KEEP),
        ({"archived_by_job_at": NOW - 30 * DAY, "store": Store.EPISODIC}, Fate.KEEP),
        ({"archived_by_job_at": NOW - 30 * DAY, "is_chunk": True}, Fate.KEEP),
    ],
)
def test_an_impression_archived_by_a_job_is_removed_30_days_later(fields, expected):
    assert fate(impression(archived=True, **fields), NOW) is expected


@pytest.mark.parametrize(
    ("strength", "fields", "expected"),
    [
        (0.09, {}, Fate.ARCHIVE),
        (0.1, {}, Fate.KEEP),
        (0.0, {"is_chunk": True}, Fate.KEEP),
        (0.0, {"archived": True}, Fate.KEEP),
    ],
)
def test_a_faint_memory_is_archived(strength, fields, expected):
    assert fate(cleanup_row(strength=strength, **fields), NOW) is expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Fate.ARCHIVE),
        ({"observation_count": 2}, Fate.ARCHIVE),
        ({"observation_count": 3}, Fate.KEEP),
        ({"observation_count": None}, Fate.KEEP),
        ({"last_accessed_at": NOW - 30 * DAY}, Fate.ARCHIVE),
        ({"last_accessed_at": NOW - 30 * DAY + 1}, Fate.KEEP),
        ({"category": Category.SKILL}, Fate.KEEP),
        ({"store": Store.SEMANTIC}, Fate.KEEP),
        ({"is_chunk": True}, Fate.KEEP),
    ],
)
def test_a_workflow_hardly_observed_and_long_unseen_is_archived(fields, expected):
    assert fate(workflow(**fields), NOW) is expected
