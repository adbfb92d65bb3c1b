"""How long the stages of one request take, for its debug output."""

import time


class Stopwatch:
    """Milliseconds by stage; each stage ends with its lap."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._started = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        now = time.perf_counter()
        self.laps[stage] = round((now - self._started) * 1000, 3)
        self._started = now
