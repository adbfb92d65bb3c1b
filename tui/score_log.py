"""The scores that recalls of this session gave to memories; memd keeps none, so they last as long as memtui runs."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MEMORIES = 1_000
SCORES = 20


@dataclass(frozen=True, slots=True)
class Score:
    """The relevance of a memory for a query at a moment (epoch ms)."""

    at: int
    query: str
    relevance: float


class ScoreLog:
    """The last SCORES scores of the MEMORIES memories that were scored last."""

    def __init__(self) -> None:
        self._scores: OrderedDict[str, deque[Score]] = OrderedDict()

    def note(self, at: int, query: str, scored: Iterable[tuple[str, float]]) -> None:
        """Remember the result of a recall, memory id and relevance."""
        for memory_id, relevance in scored:
            self._scores.setdefault(memory_id, deque(maxlen=SCORES)).append(Score(at, query, relevance))
            self._scores.move_to_end(memory_id)
        while len(self._scores) > MEMORIES:
            self._scores.popitem(last=False)

    def of(self, memory_id: str) -> Sequence[Score]:
        """The scores of a memory, the oldest first."""
        return tuple(self._scores.get(memory_id, ()))
