"""Fresh identifiers (contract 1.2): UUIDv7, in the order of the clock."""

from itertools import count
from time import time_ns
from uuid import UUID

import pytest

from memd.domain import ids
from memd.domain.ids import made_at, new_id

DAY_MS = 86_400_000


def now_ms() -> int:
    return time_ns() // 1_000_000


def test_an_id_is_a_uuid_of_version_7_of_its_moment() -> None:
    before = now_ms()
    made = new_id()
    assert made.version == 7
    assert before <= made_at(made) <= now_ms()


def test_ids_follow_a_clock_that_was_set_back_and_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    first = new_id().int + (DAY_MS << 80) >> 62 << 62
    counted = count(first)  # as the library does that has seen a later time: it counts on from there
    monkeypatch.setattr(ids, "uuid7", lambda: UUID(int=next(counted)))
    before = now_ms()
    made = [new_id() for _ in range(10_000)]
    assert before <= made_at(made[0]) <= made_at(made[-1]) <= now_ms()
    assert made == sorted(set(made))
    assert {one.version for one in made} == {7}
