"""The calendar of activity and the stacked bar of a score."""

import pytest

from memctl.commands.explanation import parts_of
from memctl.wire.recall import RankingSignals
from memctl.wire.stats import ActivityReply
from tui.colors import HEAT_LEVELS
from tui.presenters import activity
from tui.presenters.recall import shares_of, stacked

DAYS = ActivityReply(first_day="2026-05-04", captures=[0] * 13 + [3], messages=[1] + [0] * 12 + [6])  # from a Monday


def test_the_calendar_has_a_column_for_each_week_and_ends_with_the_last_day() -> None:
    months, *days = activity.calendar(DAYS, 80).plain.splitlines()
    assert months.startswith("    May")
    assert [line[:3] for line in days] == ["Mon", "   ", "Wed", "   ", "Fri", "   ", "   "]
    assert [line.count("■") for line in days] == [2] * 7
    styles = [str(span.style) for span in activity.calendar(DAYS, 80).spans if str(span.style).startswith("heat.")]
    assert (styles[0], styles[-1], styles.count("heat.0")) == ("heat.1", f"heat.{HEAT_LEVELS}", 12)
    assert activity.calendar(DAYS, 6).plain.count("■") == 7


def test_a_month_of_a_week_at_the_edge_leaves_its_place_to_the_next_one() -> None:
    days = ActivityReply(first_day="2026-03-30", captures=[0] * 63, messages=[0] * 63)  # from a Monday
    assert activity.calendar(days, 80).plain.splitlines()[0].split() == ["Apr", "May"]


def test_a_day_of_any_number_is_seen_beside_a_busy_one() -> None:
    assert [activity.heat(number, 10_000) for number in (0, 1, 100, 10_000)] == [0, 1, 2, HEAT_LEVELS]


def test_the_caption_of_the_activity_names_the_busiest_day() -> None:
    assert activity.caption(DAYS) == "3 captures and 7 messages · busiest day 2026-05-17: 9"
    nothing = ActivityReply(first_day="2026-05-04", captures=[0] * 7, messages=[0] * 7)
    assert activity.caption(nothing) == "nothing yet"
    assert activity.curve(activity.totals(DAYS)).plain == "▂" + "▁" * 12 + "█"


def test_the_segments_of_a_stacked_bar_add_up_to_the_relevance() -> None:
    signals = RankingSignals(
        vector_score=0.6,
        word_score=1.0,
        evidence_score=0.8,
        strength_score=0.9,
        freshness_score=0.4,
        access_score=0.1,
        text_match_score=1.0,
        base_score=0.62,
        graph_boost=0.05,
    )
    parts = parts_of(signals, 4.0)
    added = dict(shares_of(parts))
    assert added["meaning"] == pytest.approx(0.6 * 0.5 * 0.8)
    assert added["strength"] == pytest.approx(0.9 * 0.3 * 0.2)
    assert not {"evidence", "base"} & added.keys()
    bar = stacked(parts, 50).plain
    assert len(bar) == 50
    assert bar.count("█") == round(50 * sum(added.values()))
