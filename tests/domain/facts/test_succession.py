"""Which of two statements about the same attribute is the current one (contract 17.5)."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from memd.domain.facts.facts import find_facts
from memd.domain.facts.succession import DatedStatement, current, is_backdated, replaces
from memd.domain.periods.validity import stated_period


def at(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def said(text: str, day: str) -> DatedStatement:
    """A sentence as it is stored: its period is that of its words, relative to the day on which it was recorded."""
    period = stated_period(text, at(day))
    (fact,) = find_facts(text) or [None]
    return DatedStatement(at(day), period.from_ms, period.until_ms, changed=fact is not None and fact.changed)


@pytest.mark.rule("17.5 which is newer")
@pytest.mark.parametrize(
    ("first", "second", "newer"),
    [
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann lives in Rome.", "2026-11-21"), "second"),
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann moved to Rome in March 2026.", "2026-11-21"), "second"),
        (("Ann moved to Rome in March 2026.", "2026-11-20"), ("Ann lives in Oslo.", "2026-11-21"), "second"),
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann moved to Rome in 2025.", "2026-11-21"), "second"),
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann has lived in Rome since 2020.", "2026-11-21"), "second"),
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann moved to Rome in 2015.", "2026-11-21"), "first"),
        (("Ann lives in Oslo.", "2026-11-20"), ("Ann lived in Rome until 2020.", "2026-11-21"), "first"),
        (("Ann lived in Rome until 2020.", "2026-11-20"), ("Ann lives in Oslo.", "2026-11-21"), "second"),
        (("Ann moved to Rome in 2025.", "2026-11-20"), ("Ann moved to Oslo in 2019.", "2026-11-21"), "first"),
        (("Ann moved to Oslo in 2019.", "2026-11-20"), ("Ann moved to Rome in 2025.", "2026-11-21"), "second"),
        (("Ann lives in Oslo.", "2021-05-01"), ("Ann moved to Rome in 2023.", "2026-11-21"), "second"),
    ],
)
def test_of_two_statements_one_is_newer(first: tuple[str, str], second: tuple[str, str], newer: str) -> None:
    assert replaces(said(*second), said(*first)) is (newer == "second")


def test_what_begins_after_the_later_record_is_newer_than_it() -> None:
    planned = DatedStatement(at("2026-11-20"), valid_from=at("2027-01-01"), changed=True)
    assert not replaces(DatedStatement(at("2026-11-21")), planned)
    assert replaces(DatedStatement(at("2027-02-01")), planned)


def test_only_the_order_of_recording_makes_a_backdated_statement_newer() -> None:
    undated, march = said("Ann lives in Oslo.", "2026-11-20"), said("Ann moved to Rome in March 2026.", "2026-11-21")
    assert is_backdated(march, undated)
    assert not is_backdated(undated, march)
    assert not is_backdated(march, said("Ann lives in Oslo.", "2026-02-01"))


def test_the_current_statement_does_not_depend_on_the_order_in_which_rows_are_found() -> None:
    statements = [
        said("Ann lives in Oslo.", "2026-11-20"),
        said("Ann moved to Rome in 2015.", "2026-11-21"),
        said("Ann moved to Kiel in March 2026.", "2026-11-22"),
    ]
    assert {current(order) for order in permutations(statements)} == {statements[2]}
    assert current([]) is None
