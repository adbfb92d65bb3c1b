from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.dates.time_window import EXPORT_BOUNDS, REQUEST_BOUNDS, TimeWindowError, Window, parse_window


def ms(*parts):
    return round(datetime(*parts, tzinfo=UTC).timestamp() * 1000)


MARCH_5 = ms(2026, 3, 5)
END_OF_MARCH_5 = ms(2026, 3, 6) - 1


@pytest.mark.rule("7.0 value")
@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (1_772_668_800_000, MARCH_5),
        (1_772_668_800_000.0, MARCH_5),
        ("1772668800000", MARCH_5),
        (" 1772668800000 ", MARCH_5),
        ("2026-03-05", MARCH_5),
        ("2026-03-05T10:30", ms(2026, 3, 5, 10, 30)),
        ("2026-03-05T10:30:15", ms(2026, 3, 5, 10, 30, 15)),
        ("2026-03-05 10:30:15", ms(2026, 3, 5, 10, 30, 15)),
        ("2026-03-05T10:30:15.250Z", ms(2026, 3, 5, 10, 30, 15) + 250),
        ("2026-03-05T10:30:15.2509", ms(2026, 3, 5, 10, 30, 15) + 250),
        ("2026-03-05T10:30:00+02:00", ms(2026, 3, 5, 8, 30)),
        (0, 0),
        (-1, -1),
        ("-86400000", -86_400_000),
        ("20260305", MARCH_5),
        ("20261305", 20_261_305_000),
        (20260305, 20_260_305_000),
        ("20260305T103000Z", ms(2026, 3, 5, 10, 30)),
        ("2026", ms(2026, 1, 1)),
        (" 1900 ", ms(1900, 1, 1)),
        ("1899", 1_899_000),
        ("2100", 2_100_000),
        (2026, 2_026_000),
    ],
)
def test_the_spellings_of_an_instant(value, instant):
    assert parse_window({"fromMs": value}) == Window(instant, None)


@pytest.mark.rule("7.0 value")
@pytest.mark.parametrize(
    ("name", "instant"),
    [("toMs", ms(2024, 1, 1) - 1), ("until", ms(2024, 1, 1) - 1), ("before", ms(2023, 1, 1))],
)
def test_a_year_as_an_upper_bound_is_its_last_day_but_before_it_its_first(name, instant):
    assert parse_window({name: "2023"}) == Window(None, instant)


@pytest.mark.rule("7.0 seconds")
@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (1, 1_000),
        (1_772_668_800, MARCH_5),
        ("1772668800", MARCH_5),
        (99_999_999_999, 99_999_999_999_000),
        (100_000_000_000, 100_000_000_000),
        ("100000000000", 100_000_000_000),
    ],
)
def test_small_positive_numbers_are_seconds(value, instant):
    assert parse_window({"toMs": value}) == Window(None, instant)


@pytest.mark.rule("7.0 value")
@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "soon",
        "yesterday",
        "2026-02-30",
        "2026-13-01",
        "2026-03",
        "05.03.2026",
        "10:30",
        "2026-03-05T25:00",
        "1.5",
        1.5,
        float("inf"),
        float("nan"),
        True,
        False,
        [],
        {},
        ["2026-03-05"],
        10**17,
        "99999999999999999999",
        "\u0661\u0662",
    ],
)
@pytest.mark.parametrize("name", ["since", "until"])
def test_everything_else_is_refused_with_the_name_of_the_field(name, value):
    with pytest.raises(TimeWindowError, match=f"^Field {name} must be ") as refusal:
        parse_window({name: value})
    assert refusal.value.field == name


@pytest.mark.rule("7.0 bare date")
@pytest.mark.parametrize("name", REQUEST_BOUNDS.lower)
def test_a_bare_date_as_lower_bound_is_the_start_of_the_day(name):
    assert parse_window({name: "2026-03-05"}) == Window(MARCH_5, None)


@pytest.mark.rule("7.0 bare date")
@pytest.mark.parametrize(
    ("name", "instant"),
    [
        ("before", MARCH_5),
        ("beforeMs", MARCH_5),
        ("toMs", END_OF_MARCH_5),
        ("endDate", END_OF_MARCH_5),
        ("to", END_OF_MARCH_5),
        ("until", END_OF_MARCH_5),
    ],
)
def test_a_bare_date_as_upper_bound(name, instant):
    assert parse_window({name: "2026-03-05"}) == Window(None, instant)


@pytest.mark.parametrize("name", ["to", "until", "before"])
def test_a_datetime_as_upper_bound_is_taken_as_it_is(name):
    assert parse_window({name: "2026-03-05T00:00"}) == Window(None, MARCH_5)


@pytest.mark.rule("7.0 lower bound", "7.0 upper bound")
def test_the_names_of_requests():
    assert REQUEST_BOUNDS.lower == ("fromMs", "startDate", "sinceMs", "after", "from", "since")
    assert REQUEST_BOUNDS.upper == ("toMs", "endDate", "before", "beforeMs", "to", "until")


def test_the_names_of_the_export():
    assert EXPORT_BOUNDS.lower == ("createdAfter", "since", "fromMs", "startDate", "sinceMs", "after", "from")
    assert EXPORT_BOUNDS.upper == ("createdBefore", "until", "toMs", "endDate", "before", "beforeMs", "to")


@pytest.mark.rule("7.0 several names")
@pytest.mark.parametrize("names", [REQUEST_BOUNDS, EXPORT_BOUNDS])
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_the_most_specific_name_wins_in_the_order_listed(names, side):
    listed = getattr(names, side)
    for index in range(len(listed)):
        values = {name: 10**12 + at for at, name in reversed(list(enumerate(listed))) if at >= index}
        window = parse_window(values, names)
        assert (window.from_ms if side == "lower" else window.to_ms) == 10**12 + index


def test_an_unreadable_value_is_refused_also_when_another_name_wins():
    with pytest.raises(TimeWindowError, match="Field since must be"):
        parse_window({"fromMs": MARCH_5, "since": "soon"})


def test_requests_do_not_know_the_names_of_the_export():
    assert parse_window({"createdAfter": "soon", "createdBefore": 5, "after": MARCH_5}) == Window(MARCH_5, None)


@pytest.mark.parametrize(
    ("name", "end"), [("createdBefore", END_OF_MARCH_5), ("to", END_OF_MARCH_5), ("before", MARCH_5)]
)
def test_the_bare_date_of_the_export_ends_its_day(name, end):
    assert parse_window({name: "2026-03-05"}, EXPORT_BOUNDS) == Window(None, end)


@pytest.mark.parametrize("values", [{}, {"fromMs": None, "until": None}, {"limit": 5}])
def test_what_is_absent_leaves_the_side_open(values):
    assert parse_window(values) == Window(None, None)


def test_a_window_of_one_instant_is_a_window():
    assert parse_window({"fromMs": MARCH_5, "toMs": MARCH_5}) == Window(MARCH_5, MARCH_5)


def test_one_day_from_both_sides():
    assert parse_window({"from": "2026-03-05", "to": "2026-03-05"}) == Window(MARCH_5, END_OF_MARCH_5)


@pytest.mark.rule("7.0 from > to")
def test_a_window_that_ends_before_it_begins_is_refused():
    with pytest.raises(TimeWindowError, match=r"^Field after must be at or before until$"):
        parse_window({"after": "2026-03-06", "until": "2026-03-05T23:00"})


@given(st.integers(10**11, 8 * 10**13))
def test_an_instant_reads_the_same_as_number_string_and_datetime(number):
    moment = datetime.fromtimestamp(number // 1000, UTC).replace(microsecond=number % 1000 * 1000)
    windows = [parse_window({"since": value}) for value in (number, str(number), moment.isoformat())]
    assert windows == [Window(number, None)] * 3


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.lists(st.integers())))
def test_any_value_is_read_or_refused(value):
    try:
        window = parse_window({"since": value})
    except TimeWindowError:
        return
    assert (window.from_ms is None) == (value is None)


@pytest.mark.parametrize("value", ["2026-11-29T08:00:00 02:00", "2026-11-29T08:00 0200"])
def test_a_plus_that_became_a_blank_in_a_url_is_explained(value):
    with pytest.raises(TimeWindowError, match=r"; in a URL the \+ of a time zone is written %2B$"):
        parse_window({"since": value})
    with pytest.raises(TimeWindowError, match=r"an ISO datetime$"):
        parse_window({"since": "8 o'clock"})
    assert parse_window({"since": value.replace(" 0", "+0")}) == parse_window({"since": "2026-11-29T06:00:00Z"})
