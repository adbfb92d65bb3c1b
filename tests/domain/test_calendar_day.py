import pytest

from memd.domain.calendar_day import day_text, iso_day


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
