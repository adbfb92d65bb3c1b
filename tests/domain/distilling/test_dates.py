"""Relative times become dates (UTC), as seen from the day on which they were said."""

from datetime import date

import pytest

from memd.domain.distilling.dates import resolve_dates

MONDAY = date(2023, 5, 8)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("I ran yesterday", "I ran on 7 May 2023"),
        ("I ran yesterday morning", "I ran on the morning of 7 May 2023"),
        ("We meet tomorrow", "We meet on 9 May 2023"),
        ("We ate there last night", "We ate there on the night of 7 May 2023"),
        ("I printed it last Friday", "I printed it on 5 May 2023"),
        ("I printed it on Friday", "I printed it on 5 May 2023"),
        ("I will print it on Friday", "I will print it on 12 May 2023"),
        ("She starts swimming lessons on Friday", "She starts swimming lessons on 12 May 2023"),
        ("We met at the café on November 5", "We met at the café on 5 November 2022"),
        ("I need to call Anna on Friday", "I need to call Anna on 12 May 2023"),
        ("I need to renew my passport on April 5", "I need to renew my passport on 5 April 2024"),
        ("I want to get married on Saturday", "I want to get married on 13 May 2023"),
        ("I have a meeting with Bob on Friday", "I have a meeting with Bob on 12 May 2023"),
        ("She leaves work at 5 and I saw her on Tuesday", "She leaves work at 5 and I saw her on 2 May 2023"),
        ("The returns were processed on Friday", "The returns were processed on 5 May 2023"),
        (
            "The launch was moved to Friday, and it opens on Saturday",
            "The launch was moved to Friday, and it opens on 13 May 2023",
        ),
        ("I fly next Tuesday", "I fly on 9 May 2023"),
        ("We camped last week", "We camped in the week of 1 May 2023"),
        ("We camped last weekend", "We camped on the weekend of 6 May 2023"),
        ("I move next month", "I move in June 2023"),
        ("I moved last year", "I moved in 2022"),
        ("It is from last year", "It is from 2022"),
        ("I saw it around 3 years ago", "I saw it around 2020"),
        ("I began two weeks ago", "I began around 24 April 2023"),
        ("I began a month ago", "I began around April 2023"),
        ("I have an exam in ten days", "I have an exam on 18 May 2023"),
        ("We met last summer", "We met in summer 2022"),
        ("I live here since March", "I live here since March 2023"),
        ("We met in June", "We met in June 2022"),
        ("We will meet in June", "We will meet in June 2023"),
    ],
)
def test_a_relative_time_becomes_a_date(said, dated):
    assert resolve_dates(said, MONDAY) == (dated, True)


@pytest.mark.parametrize(
    "said",
    [
        "I bought it in June 2021",
        "the last week of May",
        "a few weeks ago",
        "I may go",
        "days of old",
        "My birthday is on 3 May",
    ],
)
def test_other_times_are_left_alone(said):
    assert resolve_dates(said, MONDAY) == (said, False)


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("The lease ends on 31 December", "The lease ends on 31 December 2023"),
        ("The lease starts on 1 March", "The lease starts on 1 March 2024"),
        ("We met on April 3rd", "We met on 3 April 2023"),
        ("We met on 12 December", "We met on 12 December 2022"),
        ("The shop is closed on 12 May", "The shop is closed on 12 May 2023"),
        ("It ends on 3 May 2025, not on 1 May", "It ends on 3 May 2025, not on 1 May"),
        ("Remind me on Friday", "Remind me on 12 May 2023"),
    ],
)
def test_a_day_without_a_year_gets_the_year_that_is_meant(said, dated):
    assert resolve_dates(said, MONDAY) == (dated, True)


@pytest.mark.parametrize("said", ["31 February", "I swim on Tuesday evenings"])
def test_no_year_is_added_to_what_is_no_day_of_one_year(said):
    assert resolve_dates(said, MONDAY) == (said, False)


@pytest.mark.parametrize("said", ["999 years ago", "in 999 years", "last year", "next month", "yesterday", "tomorrow"])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_time_outside_the_calendar_is_left_alone(said, day):
    text, found = resolve_dates(said, day)
    assert found is (text != said)
