"""Local times and instants: zones far from UTC, days of 23 and 25 hours, and names that are no zones."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.wire.instants import to_ms
from memd.domain.dates.calendar_day import iso_day
from memd.domain.dates.time_window import DAY_MS
from memd.domain.dates.zone import UTC_ZONE, TimeZone

HOUR = 3_600_000
ZONES = (
    "UTC",
    "America/Los_Angeles",
    "Pacific/Pago_Pago",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/Havana",
    "America/Santiago",
)


def wall(text: str) -> int:
    return to_ms(datetime.fromisoformat(text).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("zone", "instant", "local"),
    [
        ("UTC", "2026-11-28T02:00", "2026-11-28T02:00"),
        ("America/Los_Angeles", "2026-11-28T02:00", "2026-11-27T18:00"),
        ("America/Los_Angeles", "2026-07-28T02:00", "2026-07-27T19:00"),
        ("Pacific/Pago_Pago", "2026-11-28T02:00", "2026-11-27T15:00"),
        ("Pacific/Kiritimati", "2026-11-27T18:00", "2026-11-28T08:00"),
        ("Asia/Kathmandu", "2026-11-27T18:15", "2026-11-28T00:00"),
    ],
)
def test_an_instant_has_the_time_that_clocks_show_there(zone: str, instant: str, local: str) -> None:
    assert TimeZone(zone).local(wall(instant)) == wall(local)
    assert TimeZone(zone).instant(wall(local)) == wall(instant)


@pytest.mark.parametrize(
    ("zone", "day", "first", "hours"),
    [
        ("America/Los_Angeles", "2026-03-08", "2026-03-08T08:00", 23),
        ("America/Los_Angeles", "2026-11-01", "2026-11-01T07:00", 25),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00", 23),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00", 25),
        ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00", 24.5),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00", 25),  # 01:00 is 00:00 again
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00", 23),  # begins at 01:00
        ("America/Santiago", "2026-04-04", "2026-04-04T03:00", 25),  # 24:00 is 23:00 again
        ("Pacific/Kiritimati", "2026-11-01", "2026-10-31T10:00", 24),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", 0),  # skipped
    ],
)
def test_a_day_has_its_own_length(zone: str, day: str, first: str, hours: float) -> None:
    there = TimeZone(zone)
    assert there.instant(wall(day)) == wall(first)
    assert there.last_instant(wall(day) + DAY_MS - 1) == wall(first) + hours * HOUR - 1


@given(st.sampled_from(ZONES), st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_the_days_of_a_zone_follow_each_other_without_a_gap(name: str, day: date) -> None:
    zone, midnight = TimeZone(name), wall(day.isoformat())
    first, last = zone.instant(midnight), zone.last_instant(midnight + DAY_MS - 1)
    assert last + 1 == zone.instant(midnight + DAY_MS)
    if first <= last:
        assert {iso_day(zone.local(first)), iso_day(zone.local(last))} == {day.isoformat()}


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Africa/Cairo", "2027-04-29"),  # the next day begins at 01:00
        ("America/Santiago", "2026-09-05"),  # so it does here
        ("America/Santiago", "2026-04-04"),  # 24:00 is 23:00 again
        ("America/Havana", "2026-10-31"),
        ("America/Nuuk", "2026-03-28"),  # 23:00 is midnight
        ("Europe/Berlin", "2026-03-28"),
    ],
)
def test_a_period_that_ends_with_a_day_ends_at_its_midnight(zone: str, day: str) -> None:
    midnight = wall(day) + DAY_MS
    assert TimeZone(zone).local_end(TimeZone(zone).instant(midnight)) == midnight


@given(st.sampled_from(ZONES), st.integers(wall("1900-01-01"), wall("2100-01-01")))
def test_a_local_time_is_that_of_a_calendar_there(name: str, instant: int) -> None:
    shown = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=instant)).astimezone(ZoneInfo(name))
    assert TimeZone(name).local(instant) == to_ms(shown.replace(tzinfo=UTC))


@pytest.mark.parametrize(
    "instant", [-8_640_000_000_000_000, -62_135_596_800_000, 253_402_300_799_999, 8_640_000_000_000_000]
)
@pytest.mark.parametrize("zone", ZONES)
def test_years_without_a_calendar_are_those_of_utc(zone: str, instant: int) -> None:
    there = TimeZone(zone)
    assert abs(there.local(instant) - instant) <= 14 * HOUR
    assert abs(there.instant(instant) - instant) <= 14 * HOUR


@pytest.mark.parametrize("name", ["Europa/Berlin", "Europe", "", "../etc/passwd", "/etc/localtime", "+02:00", "a\0b"])
def test_a_name_that_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"there is no time zone .*: use an IANA name, such as Europe/Berlin"):
        TimeZone(name)


def test_a_zone_is_known_by_its_name() -> None:
    assert (str(TimeZone("Asia/Kathmandu")), str(UTC_ZONE)) == ("Asia/Kathmandu", "UTC")
    assert TimeZone("UTC") == UTC_ZONE
