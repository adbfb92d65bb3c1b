"""The query cache: 256 entries, five minutes, keyed by what the model distinguishes (contract 2.1.5)."""

import numpy as np
import pytest

from memd.embed.query_cache import QueryCache, normalised

VECTOR = np.ones(2, dtype=np.float32)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.rule("11.1.1")
@pytest.mark.parametrize(("seconds", "kept"), [(0, True), (299.9, True), (300, False), (1000, False)])
def test_an_entry_lives_five_minutes(seconds: float, kept: bool) -> None:
    clock = Clock()
    cache = QueryCache(clock)
    cache.put("tea", VECTOR)
    clock.now = seconds
    assert (cache.get("tea") is VECTOR) == kept


def test_reading_does_not_lengthen_a_life() -> None:
    clock = Clock()
    cache = QueryCache(clock)
    cache.put("tea", VECTOR)
    clock.now = 200
    assert cache.get("tea") is not None
    clock.now = 301
    assert cache.get("tea") is None


@pytest.mark.rule("11.1.1")
def test_the_least_recently_used_of_more_than_256_leaves() -> None:
    cache = QueryCache(Clock())
    for i in range(256):
        cache.put(str(i), VECTOR)
    assert cache.get("0") is not None
    cache.put("one more", VECTOR)
    assert cache.get("1") is None
    assert all(cache.get(key) is not None for key in ("0", "2", "255", "one more"))


@pytest.mark.parametrize(
    ("left", "right", "uncased", "cased"),
    [
        ("green tea", "  green \n\t tea ", True, True),
        ("caf\u00e9", "cafe\u0301", True, True),
        ("Green TEA", "green tea", True, False),
        ("green tea", "greentea", False, False),
        ("green tea", "tea green", False, False),
        ("green tea", "green tea?", False, False),
    ],
)
def test_queries_are_equal_when_the_model_cannot_tell_them_apart(
    left: str, right: str, uncased: bool, cased: bool
) -> None:
    assert (normalised(left, cased=False) == normalised(right, cased=False)) == uncased
    assert (normalised(left, cased=True) == normalised(right, cased=True)) == cased
