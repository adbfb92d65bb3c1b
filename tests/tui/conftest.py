"""Fixtures of the tests of memtui."""

from pathlib import Path

import pytest

from tests.support.terminal import terminal

__all__ = ["terminal"]


@pytest.fixture(autouse=True)
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which memtui keeps its state between runs: empty at first."""
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"
