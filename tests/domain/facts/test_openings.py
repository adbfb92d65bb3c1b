"""A label or a time before the subject is no part of it, and the time names when it began (contract 17.5)."""

from datetime import UTC, datetime

import pytest

from memctl.wire.instants import to_ms
from memd.domain.facts.facts import find_facts
from memd.domain.periods.validity import stated_period

FRIDAY = to_ms(datetime(2026, 11, 27, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "opening",
    [
        "On Monday",
        "On 2026-11-25",
        "On 25 November 2026,",
        "In March",
        "In 2024,",
        "Yesterday",
        "Now",
        "Last week",
        "At the moment",
        "Remember that",
        "Correction:",
        "Update:",
        "Korrektur:",
    ],
)
@pytest.mark.parametrize(
    ("rest", "subject", "value"),
    [("Ana joined Acme.", "Ana", "Acme"), ("we switched from Stripe to Mollie.", "user", "Mollie")],
)
def test_a_fact_is_about_its_subject_whatever_stands_before_it(
    opening: str, rest: str, subject: str, value: str
) -> None:
    fact = find_facts(f"{opening} {rest}")[0]
    assert (fact.subject, fact.value) == (subject, value)


@pytest.mark.parametrize("text", ["As of 2026-12-01 Ana works at Acme.", "From Monday on Ana works at Acme."])
def test_what_is_to_come_names_nobody(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize("text", ["May lives in Oslo.", "April works at Acme."])
def test_a_name_that_is_a_month_is_a_subject(text: str) -> None:
    assert find_facts(text)[0].subject == text.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("In 2024 Ana moved to Rome.", "Ana moved to Rome in 2024."),
        ("On 2026-11-25 we switched from Stripe to Mollie.", "We switched from Stripe to Mollie on 2026-11-25."),
        ("On Monday, Ana joined Acme.", "Ana joined Acme on Monday."),
    ],
)
def test_a_beginning_is_the_same_before_the_subject_and_at_the_end(before: str, after: str) -> None:
    assert stated_period(before, FRIDAY) == stated_period(after, FRIDAY)
    assert stated_period(before, FRIDAY).from_ms is not None
