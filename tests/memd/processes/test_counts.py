"""How much of a machine a process, and one caller, uses."""

import pytest

from memd.processes import counts
from memd.settings import Settings


@pytest.mark.parametrize(("processors", "connections"), [(1, 4), (2, 4), (4, 8), (16, 32)])
def test_a_caller_gets_two_connections_of_the_bundled_postgres_per_processor(
    monkeypatch: pytest.MonkeyPatch, processors: int, connections: int
) -> None:
    monkeypatch.setattr(counts, "processors", lambda: processors)
    assert counts.caller_connections(Settings(database_url=None)) == connections


def test_the_processors_of_another_postgres_are_not_known() -> None:
    assert counts.caller_connections(Settings(database_url="postgresql://db.example/memd")) is None
