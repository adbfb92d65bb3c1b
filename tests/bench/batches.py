"""Memories per second through `POST /api/mcp/capture-batch`, compared with what the embedder alone can do."""

from dataclasses import dataclass
from statistics import mean

from tests.bench import captures, imports
from tests.bench.latency import new_tenant
from tests.bench.lean import Lean, seconds
from tests.support.daemon import Daemon

ROWS = 500
"""Memories of a request: the most that the endpoint takes."""
REQUESTS = {imports.LONG_WORDS: 2, captures.WORDS: 6}
"""Requests by the words of a memory: some seconds of each."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Memories of `words` words per second over HTTP by one client, and `alone` by the embedder on both cores."""

    words: int
    rate: float
    alone: float

    @property
    def ratio(self) -> float:
        """The part of the rate of the embedder that is left over HTTP."""
        return self.rate / self.alone


def measure(daemon: Daemon, words: int) -> Batches:
    """Full batches of a user without limits; the embedder is measured before and after them."""
    client = Lean(daemon.url, new_tenant(daemon, f"batches {words}").key)
    count = ROWS * REQUESTS[words]
    texts = captures.memories(count, words)
    alone = [imports.embedder_rate(daemon, words)]
    took = seconds(lambda: _store(client, texts))
    alone.append(imports.embedder_rate(daemon, words))
    return Batches(words, count / took, mean(alone))


def _store(client: Lean, texts: list[captures.Text]) -> None:
    for start in range(0, len(texts), ROWS):
        reply = client.post("/api/mcp/capture-batch", {"memories": texts[start : start + ROWS]})
        refused = [row for row in reply["results"] if "id" not in row]
        if refused:
            raise RuntimeError(f"{len(refused)} rows were refused, the first: {refused[0]}")
