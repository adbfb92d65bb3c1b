"""When a statement is true, read from its text (contract 17.5); written on Wednesday, 15 May 2024."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.time_window import to_ms
from memd.domain.validity import Period, stated_period

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
        ("Ana lived in Oslo from 2015 to 2018.", "2015-01-01", "2019-01-01"),
        ("The freeze is from March to June.", "2024-03-01", "2024-07-01"),
        ("The sale runs from November until February.", "2023-11-01", "2024-03-01"),
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
    st.sampled_from(["since", "until", "from", "from 2020 to", "moved in", ""]),
    st.text(max_size=60),
    st.integers(0, 4_000_000_000_000),
)
def test_any_text_at_any_time_has_an_ordered_period(before: str, cue: str, after: str, written_at: int) -> None:
    period = stated_period(f"{before} {cue} {after}", written_at)
    if period.from_ms is not None and period.until_ms is not None:
        assert period.from_ms < period.until_ms
