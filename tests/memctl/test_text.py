"""How values look to a person."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.text import age, bar, count, day_of, last_day, moment, one_line, period_end, period_start, printable

DAY = 86_400_000


@given(st.text())
def test_printable_text_cannot_command_a_terminal(text: str) -> None:
    assert not {char for char in printable(text) if ord(char) < 32 or 127 <= ord(char) < 160} - {"\n", "\t"}


def test_direction_overrides_are_made_harmless() -> None:
    assert printable("a\u202eb\x1b[31m") == "a\ufffdb\ufffd[31m"


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_one_line_fits(text: str, length: int) -> None:
    line = one_line(text, length)
    assert "\n" not in line
    assert len(line) <= length


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "now"),
        (59_000, "now"),
        (60_000, "1 min"),
        (3_600_000, "1 h"),
        (2 * DAY, "2 d"),
        (40 * DAY, "1 mo"),
        (800 * DAY, "2 y"),
    ],
)
def test_age_in_the_largest_fitting_unit(ms: int, words: str) -> None:
    assert age(1_000, 1_000 + ms) == words


@given(st.floats(min_value=-1, max_value=2), st.integers(min_value=1, max_value=40))
def test_bars_are_aligned(share: float, width: int) -> None:
    assert len(bar(share, width)) == width


def test_bar_shows_eighths() -> None:
    assert (bar(0, 4), bar(0.5, 4), bar(0.53125, 4), bar(1, 4)) == ("    ", "██  ", "██▏ ", "████")


def test_count_takes_the_plural() -> None:
    assert (count(1, "chunk"), count(1_234, "chunk"), count(2, "memory", "memories")) == (
        "1 chunk",
        "1,234 chunks",
        "2 memories",
    )


@pytest.mark.parametrize("far", [253_402_300_800_000 + 86_400_000, 8_640_000_000_000_000, -(10**17), 10**20])
def test_a_time_that_no_calendar_has_is_shown_as_its_number(far: int) -> None:
    assert (moment(far), day_of(far), period_start(far + 1)) == (str(far), str(far), str(far + 1))
    assert period_end(far) in {str(far), f"the end of {far - 1}"}


def test_a_period_of_whole_days_is_shown_by_its_days() -> None:
    assert (period_start(1_798_675_200_000), period_end(1_798_675_200_000)) == ("2026-12-31", "the end of 2026-12-30")
    assert period_start(1_798_675_260_000) == period_end(1_798_675_260_000) == moment(1_798_675_260_000)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati"])
def test_a_period_of_whole_days_here_is_shown_by_its_days(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    midnight = int(datetime(2026, 11, 28, tzinfo=ZoneInfo(zone)).timestamp() * 1000)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert (period_start(midnight), period_end(midnight)) == ("2026-11-28", "the end of 2026-11-27")
        assert last_day(midnight) == "2026-11-27"
        assert period_end(midnight + 60_000) == last_day(midnight + 60_000) == "2026-11-28 00:01"
        assert period_end(midnight + 30_000) == "2026-11-28 00:00"
    finally:
        monkeypatch.undo()
        time.tzset()
