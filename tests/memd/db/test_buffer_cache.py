"""The default size of the buffer cache follows the memory that the process may use."""

from pathlib import Path

import pytest

from memd.db.embedded.buffer_cache import MAX_MB, MIN_MB, shared_buffers, usable_memory_mb

GB = 2**30


def test_limit_of_a_container_counts_when_it_is_lower(tmp_path: Path) -> None:
    """A container of half a gigabyte on a large machine has half a gigabyte."""
    machine = usable_memory_mb(())
    small, large, none = tmp_path / "small", tmp_path / "large", tmp_path / "none"
    small.write_text(f"{GB // 2}\n")
    large.write_text(f"{2**63 - 4096}\n")  # what version 1 of cgroups writes for no limit
    none.write_text("max\n")
    assert usable_memory_mb((tmp_path / "missing", small)) == 512
    assert usable_memory_mb((large, none)) == machine


@pytest.mark.parametrize(
    ("memory_mb", "expected"), [(512, MIN_MB), (8 * 1024, 1024), (24 * 1024, 3072), (256 * 1024, MAX_MB)]
)
def test_an_eighth_within_bounds(monkeypatch: pytest.MonkeyPatch, memory_mb: int, expected: int) -> None:
    """Between 128 MB and 4 GB."""
    monkeypatch.setattr("memd.db.embedded.buffer_cache.usable_memory_mb", lambda: memory_mb)
    assert shared_buffers() == f"{expected}MB"
