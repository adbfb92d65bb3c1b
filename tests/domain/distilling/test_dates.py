"""Relative times become dates (UTC), as seen from the day on which they were said."""

from datetime import date

import pytest

from memd.domain.distilling.dates import resolve_dates

MONDAY = date(2023, 5, 8)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "dated"),
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
        ("We will meet next summer", "We will meet in summer 2023"),
        ("I live here since March", "I live here since March 2023"),
        ("Lars takes over from January", "Lars takes over from January 2024"),
        ("She is leaving at the end of the year", "She is leaving at the end of 2023"),
        ("The bill comes at the end of the month", "The bill comes at the end of May 2023"),
        ("I agreed to meet Tom on Friday", "I agreed to meet Tom on 12 May 2023"),
        ("My boss asked me to call on Friday", "My boss asked me to call on 12 May 2023"),
        ("We bought tickets for the opera on Friday", "We bought tickets for the opera on 5 May 2023"),
        ("I managed to run on Friday", "I managed to run on 5 May 2023"),
        ("We met in June", "We met in June 2022"),
        ("We will meet in June", "We will meet in June 2023"),
    ],
)
def test_a_relative_time_becomes_a_date(sentence, dated):
    assert resolve_dates(sentence, MONDAY) == (dated, True)


@pytest.mark.parametrize(
    "sentence",
    [
        "We ship on the last Thursday of each month",
        "We pay on the last Friday in every month",
        "I bought it in June 2021",
        "the last week of May",
        "a few weeks ago",
        "I may go",
        "days of old",
        "My birthday is on 3 May",
    ],
)
def test_other_times_are_left_alone(sentence):
    assert resolve_dates(sentence, MONDAY) == (sentence, False)


@pytest.mark.parametrize(
    ("sentence", "dated"),
    [
        ("The lease ends on 31 December", "The lease ends on 31 December 2023"),
        ("The lease starts on 1 March", "The lease starts on 1 March 2024"),
        ("We met on April 3rd", "We met on 3 April 2023"),
        ("The rent was raised, starting March 1", "The rent was raised, starting 1 March 2023"),
        ("I was promoted, effective from July 1", "I was promoted, effective from 1 July 2023"),
        ("The invoice must be paid by 3 July", "The invoice must be paid by 3 July 2023"),
        ("The invoice was paid on 3 July", "The invoice was paid on 3 July 2022"),
        ("We met on 12 December", "We met on 12 December 2022"),
        ("The shop is closed on 12 May", "The shop is closed on 12 May 2023"),
        ("It ends on 3 May 2025, not on 1 May", "It ends on 3 May 2025, not on 1 May"),
        ("Remind me on Friday", "Remind me on 12 May 2023"),
    ],
)
def test_a_day_without_a_year_gets_the_year_that_is_meant(sentence, dated):
    assert resolve_dates(sentence, MONDAY) == (dated, True)


@pytest.mark.parametrize("sentence", ["31 February", "I swim on Tuesday evenings"])
def test_no_year_is_added_to_what_is_no_day_of_one_year(sentence):
    assert resolve_dates(sentence, MONDAY) == (sentence, False)


@pytest.mark.parametrize(
    "sentence", ["999 years ago", "in 999 years", "last year", "next month", "yesterday", "tomorrow"]
)
@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_time_outside_the_calendar_is_left_alone(sentence, day):
    text, found = resolve_dates(sentence, day)
    assert found is (text != sentence)


WEDNESDAY = date(2026, 11, 25)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("We moved to Leipzig in June", "in June 2026"),
        ("I moved to Oslo in March", "in March 2026"),
        ("I moved to Oslo on 3 March", "on 3 March 2026"),
        ("Ana moved to Rome in July", "in July 2026"),
        ("The team moved to Slack in April", "in April 2026"),
        ("I moved to the new office on Monday", "on 23 November 2026"),
        ("We moved into the flat on 3 March", "on 3 March 2026"),
        ("We moved out on 3 March", "on 3 March 2026"),
        ("I changed jobs in March", "in March 2026"),
        ("Ana started at Foo on 2 March", "on 2 March 2026"),
        ("Our parents moved to Kiel in August", "in August 2026"),
        ("My brother relocated to Lisbon in September", "in September 2026"),
        ("We moved the office to Berlin in May", "in May 2026"),
        ("We moved the database to Frankfurt on 12 February", "on 12 February 2026"),
        ("We pushed the fix to production on 14 July", "on 14 July 2026"),
        ("I pushed the change to main on Monday", "on 23 November 2026"),
        ("The report is from 12 March", "from 12 March 2026"),
        ("The wedding was on 10 October", "on 10 October 2026"),
        ("The server is down since 3 November", "since 3 November 2026"),
    ],
)
def test_a_move_to_a_place_lies_in_the_past(sentence, time):
    assert resolve_dates(sentence, WEDNESDAY)[0].endswith(time)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("We pushed the launch to 20 January", "20 January 2027"),
        ("We postponed the release to 3 February", "3 February 2027"),
        ("The launch was moved to 15 January", "15 January 2027"),
        ("The launch was rescheduled to 15 January", "15 January 2027"),
        ("We rescheduled the call to 4 February", "4 February 2027"),
        ("We moved the retro from 3 December to 10 January", "from 3 December 2026 to 10 January 2027"),
        ("The exam was brought forward to Tuesday, 12 January", "12 January 2027"),
        ("They brought the exam forward to 12 January", "12 January 2027"),
        ("The deadline was pushed back from 30 November to 15 January", "from 30 November 2026 to 15 January 2027"),
        ("We delayed the audit until 15 January", "15 January 2027"),
        ("The hearing has been adjourned until the 4th of May", "4 May 2027"),
        ("My wedding is on 10 October", "10 October 2027"),
        ("My sister Katrin is getting married on 10 October", "10 October 2027"),
        ("The conference is on 4 May", "4 May 2027"),
        ("My exam is in June", "June 2027"),
        ("The court hearing is on 3 September", "3 September 2027"),
        ("The fair takes place on 3 September", "3 September 2027"),
        ("We fly to Rome on 2 May", "2 May 2027"),
        ("The party is on 20 December", "20 December 2026"),
    ],
)
def test_what_is_rescheduled_or_present_lies_ahead(sentence, time):
    assert resolve_dates(sentence, WEDNESDAY)[0].endswith(time)


def test_a_rescheduling_is_seen_from_the_day_on_which_it_was_told():
    sentence = "We pushed the launch to 20 January because the security audit is late."
    assert resolve_dates(sentence, date(2026, 10, 5))[0] == sentence.replace("January", "January 2027")


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "dated"),
    [
        ("We hiked last weekend", "We hiked on the weekend of 21 November 2026"),
        ("We hiked over the weekend", "We hiked on the weekend of 21 November 2026"),
        ("Over the weekend we painted the hall", "on the weekend of 21 November 2026 we painted the hall"),
        ("We climbed at the weekend with Bob", "We climbed on the weekend of 21 November 2026 with Bob"),
        ("We climbed on the weekend of 14 November", "We climbed on the weekend of 14 November 2026"),
        ("I saw her two weekends ago", "I saw her on the weekend of 14 November 2026"),
        ("I saw her the weekend before last", "I saw her on the weekend of 14 November 2026"),
        ("I was ill the week before last", "I was ill in the week of 9 November 2026"),
        ("I met her earlier this week", "I met her earlier in the week of 23 November 2026"),
        ("We paid it at the end of last month", "We paid it at the end of October 2026"),
        ("I will go there over the weekend", "I will go there on the weekend of 28 November 2026"),
        ("I went there the day before yesterday", "I went there on 23 November 2026"),
        ("We will meet the day after tomorrow", "We will meet on 27 November 2026"),
    ],
)
def test_weekends_and_parts_of_weeks(sentence, dated):
    assert resolve_dates(sentence, WEDNESDAY) == (dated, True)


@pytest.mark.parametrize(
    "sentence", ["I work over the weekend", "We went to the weekend market", "I sleep at the weekend"]
)
def test_a_weekend_of_any_week_is_left_alone(sentence):
    assert resolve_dates(sentence, WEDNESDAY) == (sentence, False)


@pytest.mark.parametrize(
    ("sentence", "dated"),
    [
        ("My sister visits me on Saturday", "My sister visits me on 7 November 2026"),
        ("Anna turns 30 on Sunday", "Anna turns 30 on 8 November 2026"),
        ("The rent goes up in January", "The rent goes up in January 2027"),
        (
            "We sold the van, Nina travels to Porto on Friday",
            "We sold the van, Nina travels to Porto on 6 November 2026",
        ),
        ("My lease runs out in March", "My lease runs out in March 2027"),
        ("We flew home in September", "We flew home in September 2026"),
        ("It has to be done within a day", "It has to be done within a day"),
    ],
)
def test_what_has_no_past_tense_lies_ahead(sentence, dated):
    assert resolve_dates(sentence, date(2026, 11, 4))[0] == dated


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("month", "dated"),
    [(5, "in summer 2023"), (6, "in summer 2024"), (8, "in summer 2024"), (9, "in summer 2024")],
)
def test_next_summer_is_never_the_present_one(month, dated):
    assert resolve_dates("We fly to Crete next summer", date(2023, month, 20)) == (f"We fly to Crete {dated}", True)
