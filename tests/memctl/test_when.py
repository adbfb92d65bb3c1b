"""Relative times."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import click
import pytest

from memctl.options import INSTANT, WHEN, When
from memctl.when import bound, epoch_ms, may_be_time

NOW = datetime(2026, 3, 5, 14, 30, tzinfo=UTC)


def at(text: str) -> str:
    return str(int(datetime.fromisoformat(text).timestamp() * 1000))


@pytest.mark.parametrize(
    ("typed", "at_end", "meant"),
    [
        ("7d", False, at("2026-02-26T14:30Z")),
        ("12H", False, at("2026-03-05T02:30Z")),
        ("15m", False, at("2026-03-05T14:15Z")),
        ("2w", True, at("2026-02-19T14:30Z")),
        ("2026-01-01", False, "2026-01-01"),
        ("last week", False, at("2026-02-23T00:00Z")),
        ("last week", True, at("2026-03-01T23:59:59.999Z")),
        ("This month", False, at("2026-03-01T00:00Z")),
        ("last-month", True, at("2026-02-28T23:59:59.999Z")),
        ("last year", False, at("2025-01-01T00:00Z")),
        ("last year", True, at("2025-12-31T23:59:59.999Z")),
        ("february", True, at("2026-02-28T23:59:59.999Z")),
        ("Apr", False, at("2025-04-01T00:00Z")),
        ("last march", False, at("2025-03-01T00:00Z")),
        ("march 2024", True, at("2024-03-31T23:59:59.999Z")),
        ("1700000000000", False, "1700000000000"),
        ("tomorrow", False, at("2026-03-06T00:00Z")),
        ("tomorrow", True, at("2026-03-06T23:59:59.999Z")),
        ("next week", False, at("2026-03-09T00:00Z")),
        ("next week", True, at("2026-03-15T23:59:59.999Z")),
        ("next month", True, at("2026-04-30T23:59:59.999Z")),
        ("next-year", False, at("2027-01-01T00:00Z")),
        ("in 3 days", False, at("2026-03-08T00:00Z")),
        ("In 1 day", True, at("2026-03-06T23:59:59.999Z")),
        ("+7d", True, at("2026-03-12T23:59:59.999Z")),
        ("+2w", False, at("2026-03-19T00:00Z")),
        ("+12h", True, at("2026-03-06T02:30Z")),
        ("in 5 minutes", False, at("2026-03-05T14:35Z")),
        ("31.12.2026", True, "2026-12-31"),
        ("1.2.2026", False, "2026-02-01"),
        ("2026-12", True, at("2026-12-31T23:59:59.999Z")),
        ("2024", False, at("2024-01-01T00:00Z")),
        ("2024", True, at("2024-12-31T23:59:59.999Z")),
    ],
)
def test_what_is_typed_becomes_a_time(typed: str, at_end: bool, meant: str) -> None:
    assert bound(typed, NOW, at_end=at_end) == meant


def test_a_day_has_a_beginning_and_an_end() -> None:
    now = NOW.astimezone()
    first, last = (int(bound("yesterday", now, at_end=end)) for end in (False, True))
    assert last - first == 86_400_000 - 1
    assert int(bound("today", now, at_end=False)) == last + 1


def test_a_day_has_the_offset_of_its_season(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert int(When().convert("july 2026", None, None)) == int(at("2026-07-01T00:00+02:00"))
        assert int(When().convert("december 2025", None, None)) == int(at("2025-12-01T00:00+01:00"))
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.fixture
def _in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.rule("7.0 value")
@pytest.mark.usefixtures("_in_new_york")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-05-01", "2026-05-01T00:00Z"),
        ("2026-05-01T09:30:00", "2026-05-01T09:30Z"),
        ("2026-05-01T09:30:00+02:00", "2026-05-01T07:30Z"),
        ("1777593600000", "2026-05-01T00:00Z"),
    ],
)
def test_a_date_is_utc_wherever_memctl_reads_it_itself(typed: str, meant: str) -> None:
    assert INSTANT.convert(typed, None, None) == int(at(meant))


@pytest.mark.usefixtures("_in_new_york")
def test_the_end_of_a_date_is_that_of_the_day_in_utc() -> None:
    assert (
        epoch_ms("1772668800", at_end=True)
        == epoch_ms("2026-03-05", at_end=False)
        == epoch_ms("20260305", at_end=False)
    )
    assert epoch_ms("2026-05-01", at_end=True) == int(at("2026-05-01T23:59:59.999Z"))


@pytest.mark.parametrize("typed", ["7d", " Yesterday", "1700000000000", "-1", "2026-01-01", "2026-01-01T10:00:00Z"])
def test_what_may_be_a_time_is_left_to_the_daemon(typed: str) -> None:
    assert may_be_time(typed)


@pytest.mark.parametrize("typed", ["5", "30", "2500", "1234567"])
@pytest.mark.parametrize("option", ["--since", "--valid-from"])
def test_a_small_number_is_no_time_of_1970(typed: str, option: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a time; use"):
        WHEN.convert(typed, click.Option([option]), None)


@pytest.mark.parametrize("typed", ["tomorrow", "next week", "in 3 days", "+7d"])
@pytest.mark.parametrize("option", ["--since", "--until", "--as-of", "--known-at", "--created-at"])
def test_what_has_been_is_never_ahead(typed: str, option: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a time; use"):
        WHEN.convert(typed, click.Option([option]), None)


@pytest.mark.parametrize("option", ["--valid-from", "--valid-until", "--valid-at"])
def test_periods_and_questions_about_them_may_be_ahead(option: str) -> None:
    assert WHEN.convert("tomorrow", click.Option([option]), None).isdecimal()


@pytest.mark.parametrize("option", ["--valid-from", "--valid-until"])
def test_a_length_is_no_side_of_a_period(option: str) -> None:
    with pytest.raises(click.BadParameter) as refusal:
        WHEN.convert("7d", click.Option([option]), None)
    text = "'7d' is 7d ago in other options; here, type `+7d` for 7d from now, or a date"
    assert refusal.value.message == text
    assert int(WHEN.convert("7d", click.Option(["--valid-at"]), None)) < time.time() * 1000


@pytest.mark.parametrize(
    "typed", ["7x", "in 3 months", "+7y", "32.12.26", "3 days", "last score", "marching", "", "12/31/2026"]
)
def test_what_is_never_a_time(typed: str) -> None:
    assert not may_be_time(typed)
