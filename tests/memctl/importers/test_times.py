"""Times of foreign exports as epoch milliseconds."""

from typing import Any

import pytest

from memctl.importers.exports import epoch_ms


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1_700_000_000, 1_700_000_000_000),
        (1_700_000_000_000, 1_700_000_000_000),
        (1_700_000_000.25, 1_700_000_000_250),
        ("2023-11-14T22:13:20Z", 1_700_000_000_000),
        ("2023-11-14T22:13:20", 1_700_000_000_000),
        *((value, None) for value in (float("nan"), float("inf"), -float("inf"), True, None, "yesterday", [])),
    ],
)
def test_a_time_is_read_in_every_form_and_nothing_else(value: Any, expected: int | None) -> None:
    assert epoch_ms(value) == expected
