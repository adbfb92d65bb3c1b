"""Fixtures of the tests of memtui."""

from tests.support.terminal import terminal

__all__ = ["terminal"]
