import pytest

from memd.domain.dates.calendar_day import ago_text, clock_time, day_text, iso_day


@pytest.mark.parametrize(
    ("at", "text", "iso"),
    [
        (0, "1 January 1970", "1970-01-01"),
        (-1, "31 December 1969", "1969-12-31"),
        (1_683_554_160_000, "8 May 2023", "2023-05-08"),
        (1_709_251_199_999, "29 February 2024", "2024-02-29"),
        (8_640_000_000_000_000, "31 December 9999", "9999-12-31"),
        (-8_640_000_000_000_000, "1 January 1", "0001-01-01"),
    ],
)
def test_an_instant_is_written_as_its_day_in_utc(at, text, iso):
    assert (day_text(at), iso_day(at)) == (text, iso)


@pytest.mark.parametrize(
    ("at", "written"),
    [(0, "00:00"), (-1, "23:59"), (1_683_554_160_000, "13:56")],
)
def test_an_instant_is_written_as_its_minute_in_utc(at, written):
    assert clock_time(at) == written


@pytest.mark.parametrize(
    ("seconds", "sentence"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (12 * 60 + 59, "12 minutes ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (3 * 3_600, "3 hours ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (2 * 86_400, "2 days ago"),
    ],
)
def test_how_long_ago_is_said_as_people_say_it(seconds, sentence):
    assert ago_text(1_683_554_160_000 - seconds * 1000, 1_683_554_160_000) == sentence
