from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.dates.time_window import Window
from memd.domain.periods.temporal_phrases import find_phrase

DAY = 86_400_000


def ms(*parts):
    return round(datetime(*parts, tzinfo=UTC).timestamp() * 1000)


def window(first, days=1):
    start = ms(*first)
    return Window(start, start + days * DAY - 1)


def period(text, now):
    phrase = find_phrase(text, now)
    return phrase.window if phrase else None


NOW = ms(2026, 3, 18, 15, 42)  # a Wednesday


@pytest.mark.rule("11.7 one day")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("what happened on 2026-02-11?", (2026, 2, 11)),
        ("log of 2027-01-01T10:00", (2027, 1, 1)),
        ("what did I say today", (2026, 3, 18)),
        ("Yesterday's plan", (2026, 3, 17)),
        ("3 days ago", (2026, 3, 15)),
        ("three days ago", (2026, 3, 15)),
        ("Ten  Days ago", (2026, 3, 8)),
        ("one day ago", (2026, 3, 17)),
        ("1 day ago", (2026, 3, 17)),
        ("0 days ago", (2026, 3, 18)),
        ("400 days ago", (2025, 2, 11)),
    ],
)
def test_one_day(text, day):
    assert period(text, NOW) == window(day)


@pytest.mark.rule("11.7 seven days")
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("1 week ago", (2026, 3, 11)),
        ("what broke two weeks ago?", (2026, 3, 4)),
        ("10 weeks ago", (2026, 1, 7)),
        ("ten weeks ago", (2026, 1, 7)),
    ],
)
def test_weeks_ago_are_seven_days(text, first):
    assert period(text, NOW) == window(first, 7)


@pytest.mark.rule("11.7 last week")
@pytest.mark.parametrize(
    ("now", "monday"),
    [
        ((2026, 3, 18), (2026, 3, 9)),
        ((2026, 3, 16), (2026, 3, 9)),
        ((2026, 3, 22), (2026, 3, 9)),
        ((2026, 1, 1), (2025, 12, 22)),
    ],
)
def test_last_week_is_monday_to_sunday_before_the_current_week(now, monday):
    assert period("what did we do last week", ms(*now)) == window(monday, 7)


@pytest.mark.rule("11.7 last month")
@pytest.mark.parametrize(
    ("now", "first", "days"),
    [
        ((2026, 3, 18), (2026, 2, 1), 28),
        ((2024, 3, 31), (2024, 2, 1), 29),
        ((2026, 1, 1), (2025, 12, 1), 31),
    ],
)
def test_last_month_is_the_calendar_month_before(now, first, days):
    assert period("summary of last month", ms(*now)) == window(first, days)


@pytest.mark.rule("11.7 month and weekday")
@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("in February", (2026, 2, 1), 28),
        ("last january", (2026, 1, 1), 31),
        ("in March", (2025, 3, 1), 31),
        ("last March", (2025, 3, 1), 31),
        ("in April", (2025, 4, 1), 30),
        ("in december", (2025, 12, 1), 31),
        ("last Dec.", (2025, 12, 1), 31),
        ("in Sept", (2025, 9, 1), 30),
        ("in March 2024", (2024, 3, 1), 31),
        ("in May, 5 people", (2025, 5, 1), 31),
    ],
)
def test_a_month_is_the_latest_past_one(text, first, days):
    assert period(text, NOW) == window(first, days)


@pytest.mark.rule("11.7 month and weekday")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on Tuesday", (2026, 3, 17)),
        ("on monday", (2026, 3, 16)),
        ("last Sunday", (2026, 3, 15)),
        ("last thursday", (2026, 3, 12)),
        ("on Wednesday", (2026, 3, 11)),
        ("last Wednesday", (2026, 3, 11)),
    ],
)
def test_a_weekday_is_the_latest_past_one(text, day):
    assert period(text, NOW) == window(day)


@pytest.mark.rule("11.7 written date")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("5 March 2024", (2024, 3, 5)),
        ("the 5th of March, 2024", (2024, 3, 5)),
        ("March 5, 2024", (2024, 3, 5)),
        ("Mar. 5th 2024", (2024, 3, 5)),
        ("on 24 December 2030", (2030, 12, 24)),
        ("5 March", (2026, 3, 5)),
        ("March the 5th", (2026, 3, 5)),
        ("in March 5", (2026, 3, 5)),
        ("on Mar 17", (2026, 3, 17)),
        ("March 18", (2025, 3, 18)),
        ("25 December", (2025, 12, 25)),
        ("December 25th", (2025, 12, 25)),
        ("29 February", (2024, 2, 29)),
    ],
)
def test_a_written_date_is_that_day_without_year_the_latest_past_one(text, day):
    assert period(text, NOW) == window(day)


@pytest.mark.rule("11.7 several")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("yesterday or 2026-01-05", (2026, 3, 17)),
        ("2026-01-05 or yesterday", (2026, 1, 5)),
        ("on Monday, not last week", (2026, 3, 16)),
        ("3 days ago, I mean today", (2026, 3, 15)),
        ("2026-02-30 or yesterday", (2026, 3, 17)),
        ("30 February, or rather 5 March", (2026, 3, 5)),
    ],
)
def test_of_several_phrases_the_first_that_names_real_days_counts(text, day):
    assert period(text, NOW) == window(day)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what is our deploy process",
        "Monday meetings",
        "the march of progress",
        "last time",
        "weeks ago",
        "eleven days ago",
        "12026-01-05",
        "2026-01-055",
        "todays",
        "in Marching order",
        "30 February 2024",
        "999999 weeks ago",
        "version 1.2.3",
    ],
)
def test_without_a_phrase_there_is_no_window(text):
    assert period(text, NOW) is None


@pytest.mark.rule("11.7 days of UTC")
@pytest.mark.parametrize("clock", [(0, 0), (23, 59)])
def test_the_day_is_that_of_utc(clock):
    assert period("today", ms(2026, 3, 18, *clock)) == window((2026, 3, 18))


@pytest.mark.rule("11.7 lift")
def test_the_phrase_is_shown_as_the_question_has_it():
    phrase = find_phrase("what did we eat Last  Friday, and on Sunday?", NOW)
    assert phrase is not None
    assert phrase.text == "Last  Friday"


@given(st.text(max_size=60), st.integers(0, 4_000_000_000_000))
def test_any_text_gives_a_window_of_whole_days_or_none(text, now):
    found = period(text, now)
    if found is not None:
        assert found.from_ms is not None
        assert found.to_ms is not None
        assert (found.from_ms % DAY, (found.to_ms + 1) % DAY) == (0, 0)


PAST = [
    "yesterday",
    "two days ago",
    "last week",
    "last month",
    "in May",
    "last Friday",
    "on Sunday",
    "3 June",
    "2 weeks ago",
]


@given(st.sampled_from(PAST), st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)))  # noqa: DTZ001 -- UTC below
def test_a_past_phrase_ends_before_today(phrase, moment):
    today = moment.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)
    found = period(f"what about {phrase}?", round((today + timedelta(hours=9)).timestamp() * 1000))
    assert found is not None
    assert found.to_ms is not None
    assert found.to_ms < round(today.timestamp() * 1000)


@pytest.mark.rule("11.7 last week")
@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("what did I do last weekend?", (2026, 3, 14), 2),
        ("who called over the weekend", (2026, 3, 14), 2),
        ("what did Ana say at the weekend?", (2026, 3, 14), 2),
        ("what broke during the weekend", (2026, 3, 14), 2),
        ("two weekends ago", (2026, 3, 7), 2),
        ("what did we decide earlier this week?", (2026, 3, 16), 3),
        ("the end of last month", (2026, 2, 1), 28),
    ],
)
def test_weekends_and_the_present_week(text, first, days):
    assert period(text, NOW) == window(first, days)


def test_on_a_sunday_the_last_weekend_is_the_present_one():
    assert period("last weekend", ms(2026, 3, 22, 9)) == window((2026, 3, 21), 2)
    assert period("two weekends ago", ms(2026, 3, 22, 9)) == window((2026, 3, 14), 2)


@pytest.mark.rule("11.7 lift")
@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("what did we talk about yesterday?", True),
        ("Summarise our conversation of last week, please", True),
        ("summary of last week", True),
        ("what happened on 2026-02-11?", True),
        ("Yesterday", False),
        ("2026-02-11", False),
        ("What did I work on yesterday?", True),
        ("Will I work on Friday?", False),
        ("what happened on Monday with IT?", False),
        ("what did Will say yesterday?", False),
        ("which Beatles song is Yesterday", False),
        ("what did Ana say yesterday?", False),
        ("what did I say about tea yesterday?", False),
    ],
)
def test_a_question_that_names_no_subject_asks_for_the_period_alone(text, alone):
    phrase = find_phrase(text, NOW)
    assert phrase is not None
    assert phrase.alone is alone
