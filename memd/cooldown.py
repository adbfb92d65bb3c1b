"""A pause in calls to an optional service that has failed several times in a row; work goes on without it meanwhile.

A service that every search needs has a circuit breaker with a probe instead: `memd/embed/providers/circuit_breaker.py`.
"""

import time
from collections.abc import Callable
from typing import Final

FAILURES: Final = 3


class Cooldown:
    """Active for `seconds` after FAILURES consecutive failures; then the count starts again."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._seconds = seconds
        self._clock = clock
        self._failures = 0
        self._until = 0.0

    @property
    def is_active(self) -> bool:
        """Whether calls are to be left out."""
        return self._clock() < self._until

    def record_success(self) -> None:
        """A call was answered."""
        self._failures = 0

    def record_failure(self) -> bool:
        """A call failed; returns whether the cooldown begins."""
        self._failures += 1
        begins = self._failures >= FAILURES
        if begins:
            self._failures, self._until = 0, self._clock() + self._seconds
        return begins
