"""Identifiers: a fresh one, and the form on the wire, under one name in every layer (contract 1.2)."""

from time import time_ns
from typing import Final
from uuid import UUID

from uuid_utils.compat import uuid7

from memctl.wire.ids import MalformedIdentifierError, decode, encode, made_at

__all__ = ["MalformedIdentifierError", "decode", "encode", "made_at", "new_id"]

_AHEAD_MS: Final = 5 * 60_000
"""A smaller correction of the system clock leaves the order of ids as it is."""
_TIME_BITS: Final = 80
"""Below the time in a UUIDv7: its version, and what makes it unique and sorts those of one millisecond."""


def new_id() -> UUID:
    """A fresh UUIDv7; later calls sort after earlier ones, except when the system clock was set back."""
    made, now = uuid7(), time_ns() // 1_000_000
    if made_at(made) - now < _AHEAD_MS:
        return made
    # The library goes on from the latest time that it has seen: for as long as the clock was ahead.
    return UUID(int=now << _TIME_BITS | made.int & (1 << _TIME_BITS) - 1)
