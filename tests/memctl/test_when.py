"""Relative times."""

from datetime import UTC, datetime

import pytest

from memctl.when import bound, may_be_time

NOW = datetime(2026, 3, 5, 14, 30, tzinfo=UTC)


def at(text: str) -> str:
    return str(int(datetime.fromisoformat(text).timestamp() * 1000))


@pytest.mark.parametrize(
    ("typed", "end_of_day", "meant"),
    [
        ("7d", False, at("2026-02-26T14:30Z")),
        ("12H", False, at("2026-03-05T02:30Z")),
        ("15m", False, at("2026-03-05T14:15Z")),
        ("2w", True, at("2026-02-19T14:30Z")),
        ("2026-01-01", False, "2026-01-01"),
        ("1700000000000", False, "1700000000000"),
    ],
)
def test_what_is_typed_becomes_a_time(typed: str, end_of_day: bool, meant: str) -> None:
    assert bound(typed, NOW, end_of_day=end_of_day) == meant


def test_a_day_has_a_beginning_and_an_end() -> None:
    now = NOW.astimezone()
    first, last = (int(bound("yesterday", now, end_of_day=end)) for end in (False, True))
    assert last - first == 86_400_000 - 1
    assert int(bound("today", now, end_of_day=False)) == last + 1


@pytest.mark.parametrize("typed", ["7d", " Yesterday", "1700000000000", "-1", "2026-01-01", "2026-01-01T10:00:00Z"])
def test_what_may_be_a_time_is_left_to_the_daemon(typed: str) -> None:
    assert may_be_time(typed)


@pytest.mark.parametrize("typed", ["tomorrow", "7x", "3 days", "last week", "", "12/31/2026"])
def test_what_is_never_a_time(typed: str) -> None:
    assert not may_be_time(typed)
