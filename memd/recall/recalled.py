"""The results of a recall: what the lanes found, and the answer made of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memd.domain.ranking.rank_score import RankedRow
from memd.domain.ranking.selection import Dropped
from memd.domain.search.drop_reason import DropReason
from memd.domain.search.lanes import Lane
from memd.embed.service import QueryEmbedding
from memd.messages.search import MessagesFound
from memd.recall.chunk_lane import ChunksForRecall
from memd.recall.memory_lanes import MemoriesFound
from memd.recall.plan import RecallPlan, SearchContext


@dataclass(frozen=True, slots=True)
class Found:
    """The results of all lanes and their input; no messages where knowledge bases are named, or the request wants none."""

    prefetched: SearchContext
    embedded: QueryEmbedding
    memories: MemoriesFound
    chunks: ChunksForRecall
    messages: MessagesFound | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer: rows best first, other hits of the lanes, and diagnostics.

    `below_evidence` rows have less evidence than the request wants. `candidates` are all rows that were ranked, `dropped`
    those of them that are not in the answer; with debugging, also the rows that were hidden or filtered.
    `timings` are milliseconds by stage.
    """

    plan: RecallPlan
    found: Found
    candidates: Sequence[RankedRow]
    rows: Sequence[RankedRow]
    dropped: Sequence[Dropped]
    below_evidence: int
    rerank_weight: float | None = None
    timings: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def counts(self) -> dict[str, int]:
        """How many candidates each lane found; `context` are the neighbours of hits that no lane found."""
        lanes = (Lane.VECTOR, Lane.TEXT, Lane.RECENT, Lane.CONTEXT)
        memories = {lane.value: self.found.memories.counts.get(lane, 0) for lane in lanes}
        messages = len(self.found.messages.hits) if self.found.messages else 0
        return {**memories, Lane.KB.value: self.found.chunks.found, "messages": messages}

    @property
    def nothing_relevant(self) -> bool:
        """Whether no row of the answer has anything to do with the query, or there is none."""
        return all(row.weak for row in self.rows)

    @property
    def suppressions(self) -> dict[str, int]:
        """How many rows were left out, by reason."""
        reasons = Counter(row.reason.value for row in self.dropped)
        if withheld := sum(self.found.chunks.withheld.values()):
            reasons[DropReason.PEER_CHUNK.value] = withheld
        return dict(reasons)
