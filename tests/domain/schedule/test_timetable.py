"""When scheduled work is due (contract 13): fixed slots, so that what was missed is due once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.schedule.timetable import Daily, Every, parse_when

HOUR = 3_600_000
DAY = 24 * HOUR
MOMENTS = st.integers(min_value=0, max_value=4_000_000_000_000)
TIMES = st.one_of(st.builds(Every, st.integers(1, 10**6)), st.builds(Daily, st.integers(0, 23), st.integers(0, 59)))


@pytest.mark.parametrize(
    ("when", "now", "slot", "after"),
    [
        (Every(900), 0, 0, 900_000),
        (Every(900), 899_999, 0, 900_000),
        (Every(900), 900_000, 900_000, 1_800_000),
        (Every(6 * 3600), 13 * HOUR, 12 * HOUR, 18 * HOUR),
        (Daily(4, 30), DAY + 4 * HOUR, 4 * HOUR + HOUR // 2, DAY + 4 * HOUR + HOUR // 2),
        (Daily(4, 30), DAY + 5 * HOUR, DAY + 4 * HOUR + HOUR // 2, 2 * DAY + 4 * HOUR + HOUR // 2),
        (Daily(0, 0), DAY, DAY, 2 * DAY),
    ],
)
def test_slots(when: Every | Daily, now: int, slot: int, after: int) -> None:
    assert (when.slot(now), when.after(now)) == (slot, after)


@given(TIMES, MOMENTS)
def test_a_slot_is_the_last_moment_before_and_the_next_one_follows(when: Every | Daily, now: int) -> None:
    assert when.slot(now) <= now < when.after(now)
    assert when.slot(when.slot(now)) == when.slot(now)
    assert when.slot(when.after(now)) == when.after(now)


@given(TIMES, MOMENTS, st.integers(0, 10 * DAY))
def test_however_long_the_stop_one_slot_is_due(when: Every | Daily, now: int, stopped: int) -> None:
    assert when.slot(now) <= when.slot(now + stopped) <= now + stopped


@pytest.mark.parametrize(
    ("text", "when"),
    [("900", Every(900)), ("04:30", Daily(4, 30)), (" 23:59 ", Daily(23, 59)), ("00:00", Daily(0, 0))],
)
def test_times_as_settings_write_them(text: str, when: Every | Daily) -> None:
    assert parse_when(text) == when


@pytest.mark.parametrize("text", ["", "0", "-5", "24:00", "4:30", "12:60", "soon", "1.5", "12345678"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Neither a number of seconds"):
        parse_when(text)
