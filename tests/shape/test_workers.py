"""What one worker runs together is there, and any other file is a unit of its own."""

import pytest

from tests.support.rules import TESTS
from tests.support.workers import LATE_AND_LONG, TOGETHER, unit_of


@pytest.mark.parametrize("path", [*TOGETHER, *LATE_AND_LONG])
def test_every_path_is_there(path: str) -> None:
    assert (TESTS.parent / path).exists()


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("tests/domain/test_chunking.py::test_one[a::b]", "tests/domain/test_chunking.py"),
        ("tests/e2e/test_mcp_clients.py::test_one", "node"),
        ("tests/packaging/test_wheels.py::test_one", "wheels"),
    ],
)
def test_a_file_is_a_unit_unless_it_shares_with_others(nodeid: str, unit: str) -> None:
    assert unit_of(nodeid) == unit
