"""When a statement is true, read from its text (contract 17.5); written on Wednesday, 15 May 2024."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.wire.instants import to_ms
from memd.domain.periods.validity import Period, stated_period

WRITTEN = to_ms(datetime(2024, 5, 15, 12, tzinfo=UTC))


def ms(day: str | None) -> int | None:
    return None if day is None else to_ms(datetime.fromisoformat(day).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("Ana has worked at Acme since March.", "2024-03-01", None),
        ("Ana has worked at Acme since June.", "2023-06-01", None),
        ("Since 2019 the team uses Postgres.", "2019-01-01", None),
        ("The build is green since Monday.", "2024-05-13", None),
        ("It has been so since 3 May 2023.", "2023-05-03", None),
        ("It has been so since 2023-05-03.", "2023-05-03", None),
        ("The gate is closed since yesterday.", "2024-05-14", None),
        ("The office is closed until Friday.", None, "2024-05-18"),
        ("The office is closed till March.", None, "2025-04-01"),
        ("The offer holds until the end of June 2024.", None, "2024-07-01"),
        ("The licence runs until 31 December 2025.", None, "2026-01-01"),
        ("We are on call until tomorrow.", None, "2024-05-17"),
        ("The office is closed until the end of the month.", None, "2024-06-01"),
        ("The office is closed till the end of next year.", None, "2026-01-01"),
        ("The discount is valid until the end of this quarter.", None, "2024-07-01"),
        ("The pool is open through the end of the week.", None, "2024-05-20"),
        ("The pass is valid through 3 March 2027.", None, "2027-03-04"),
        ("Ana lived in Oslo from 2015 to 2018.", "2015-01-01", "2019-01-01"),
        ("The freeze is from March to June.", "2024-03-01", "2024-07-01"),
        ("The sale runs from November until February.", None, "2025-03-01"),
        ("The fair is from 2024-06-01 to 2024-06-03.", "2024-06-01", "2024-06-04"),
        ("Ana moved in 2023.", "2023-01-01", None),
        ("Ana moved to Oslo in 2023.", "2023-01-01", None),
        ("Ben joined the platform team in March 2022.", "2022-03-01", None),
        ("Ana works there since 2020 and stays until 2026.", "2020-01-01", "2027-01-01"),
    ],
)
def test_a_statement_names_its_period(text: str, begin: str | None, end: str | None) -> None:
    assert stated_period(text, WRITTEN) == Period(ms(begin), ms(end))


@pytest.mark.parametrize(
    "text",
    [
        "Since it rained, we stayed inside.",
        "Keep stirring until the sauce is thick.",
        "The train from Oslo to Bergen is slow.",
        "From now on we use tabs.",
        "Has Ana worked there since March?",
        "The report of 2023 is in the wiki.",
        "Take 20 from 2000 to 3000 rows.",
        "Ana moved the meeting.",
        "March is cold.",
        "until 2020 since 2022",
        "Since 2019 the team uses Postgres. " * 10,
        "",
    ],
)
def test_what_only_might_be_a_period_is_left_alone(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@given(
    st.text(max_size=60),
    st.sampled_from(
        ["since", "until", "from", "from 2020 to", "moved in", "seit", "gilt bis", "vom 3. bis", "zog im", ""]
    ),
    st.text(max_size=60),
    st.integers(0, 4_000_000_000_000),
)
def test_any_text_at_any_time_has_an_ordered_period(before: str, cue: str, after: str, written_at: int) -> None:
    period = stated_period(f"{before} {cue} {after}", written_at)
    if period.from_ms is not None and period.until_ms is not None:
        assert period.from_ms < period.until_ms


NOVEMBER = to_ms(datetime(2026, 11, 25, 15, tzinfo=UTC))
"""A Wednesday."""


@pytest.mark.rule("17.5 validFrom, validUntil")
@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The office is closed until 31 March.", "2027-04-01"),
        ("The office is closed until March 31st.", "2027-04-01"),
        ("The office is closed until Friday, 27 November.", "2026-11-28"),
        ("The canteen is closed until Monday.", "2026-12-01"),
        ("Canteen closed until Monday", "2026-12-01"),
        ("The offer is open until 25 November.", "2026-11-26"),
        ("The offer is open until 24 November.", "2027-11-25"),
        ("Ana is on leave until 3 January.", "2027-01-04"),
        ("Ana, my manager, is on leave until the 3rd of January.", "2027-01-04"),
        ("The Wi-Fi password stays the same until May.", "2027-06-01"),
        ("The flat is rented until 29 February.", "2028-03-01"),
        ("The pool is open from June to August.", "2027-09-01"),
        ("The code freeze runs from 20 December to 6 January.", "2027-01-07"),
        ("The office and the canteen are closed until Friday.", "2026-11-28"),
        ("The voucher is valid until 31 March 2025.", "2025-04-01"),
        ("Ana lived there until March 2023.", "2023-04-01"),
        ("The build was broken until yesterday.", "2026-11-25"),
    ],
)
def test_an_end_without_a_year_is_the_next_one(text: str, end: str) -> None:
    assert stated_period(text, NOVEMBER) == Period(None, ms(end))


@pytest.mark.rule("17.5 validFrom, validUntil")
@pytest.mark.parametrize(
    "text",
    [
        "Employees have 30 days of vacation; five may be carried over until 31 March.",
        "Employees have 30 days of vacation, and five may be carried over until 31 March.",
        "Five vacation days may be carried over until 31 March.",
        "No calls from 12 to 13 until further notice; the canteen is closed until Monday.",
        "Invoices must be paid until 31 March.",
        "Tickets can be returned until 5 December.",
        "You have to register until Friday.",
        "Invoices must be paid until the end of the month.",
        "The office was closed until the end of the month.",
        "We walked through December snow.",
        "Call Bob. He is away until Friday.",
        "Bob lives in Oslo and works at Foo until March.",
        "Bob lives in Oslo, Ana teaches maths until Friday.",
        "Parking is free until Sunday, but the gate closes at ten.",
        "The rule which applies until March is strict.",
        "If it rains, the tour is off until Friday.",
        "Bob says the road is closed until Friday.",
        "The heating is off (until Friday, Ana said).",
        "The licence costs 40 euros: it is cheaper until December.",
        "Ana lived in Oslo from 2015 to 2018 and in Rome from 2018 to 2020.",
        "Ana moved to Oslo in 2023 and to Rome in 2025.",
        "The lift is out of order until Monday or until Friday.",
        "We postponed the release until 3 February.",
        "Ana lived there until March.",
        "Every summer the kiosk is shut until 9 September.",
        "The shop is open from Monday to Friday.",
    ],
)
def test_an_end_that_is_not_that_of_the_whole_text_is_left_alone(text: str) -> None:
    assert stated_period(text, NOVEMBER) == Period()


@given(
    st.sampled_from(
        ["The gate is closed until", "Ana was in Rome from May to", "It is so till", "Open from 3 May until"]
    ),
    st.integers(1, 31),
    st.sampled_from(["January", "Feb", "March", "may", "July", "December"]),
    st.integers(0, 4_000_000_000_000),
)
def test_an_end_without_a_year_is_never_before_the_text_was_written(
    before: str, day: int, month: str, written_at: int
) -> None:
    period = stated_period(f"{before} {day} {month}", written_at)
    assert period.until_ms is None or period.until_ms > written_at


@pytest.mark.parametrize(
    "text",
    [
        "The library is open until 9, not until Monday.",
        "The road is probably closed until Monday.",
        "The road is closed until Monday, maybe longer.",
        "The road is closed at least until Monday.",
    ],
)
def test_what_is_uncertain_names_no_end(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()
