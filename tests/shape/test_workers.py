"""Files that one worker runs together exist, and any other file is a unit of its own."""

import pytest

from tests.support.rules import TESTS
from tests.support.workers import LATE_AND_LONG, TOGETHER, WAITING, places, unit_of


@pytest.mark.parametrize("path", [*TOGETHER, *LATE_AND_LONG, *WAITING])
def test_every_path_is_there(path: str) -> None:
    assert (TESTS.parent / path).exists()


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("tests/domain/chunks/test_chunking.py::test_one[a::b]", "tests/domain/chunks/test_chunking.py"),
        ("tests/e2e/test_mcp_clients.py::test_one", "node"),
        ("tests/packaging/test_wheels.py::test_one", "wheels"),
    ],
)
def test_a_file_is_a_unit_unless_it_shares_with_others(nodeid: str, unit: str) -> None:
    assert unit_of(nodeid) == unit


def test_waiting_files_stand_among_the_others_and_long_ones_first() -> None:
    units = [*(f"tests/domain/{n}.py" for n in range(10)), "tests/e2e/a.py", "tests/tui/b.py", LATE_AND_LONG[0]]
    place = dict(places(units))
    order = sorted(units, key=lambda unit: place[unit])
    assert order[0] == LATE_AND_LONG[0]
    assert [order.index(unit) for unit in ("tests/e2e/a.py", "tests/tui/b.py")] == [2, 7]
