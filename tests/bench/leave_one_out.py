"""Whether the weights of message search were fitted to the questions they are measured on (needs the evaluation data).

For each conversation the weights are fitted to the other conversations alone, from weights that know nothing, and then
measured on it. What that loses against the weights that memd has is what their fit to these questions is worth.

`python -m tests.bench.leave_one_out` takes about ten minutes.
"""

import asyncio
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Final
from uuid import UUID

from memctl.client import MemdClient
from memctl.evaluation import Dataset, Question, read_datasets
from memctl.evaluation_data import log_messages, settle
from memctl.wire.messages import SearchMessagesRequest
from memd.access.authenticate import authenticate
from memd.app import now_ms
from memd.context import Context, Services
from memd.domain.ids import decode, new_id
from memd.domain.message_ranking import MessageQuery, MessageWeights, PooledMessage, RankedMessage, rank_messages
from memd.embed.minilm import MiniLmEmbedder
from memd.messages import search
from tests.bench.filling import beside
from tests.bench.quality import evaluation_folder
from tests.bench.serving import serving
from tests.support.daemon import Daemon

IGNORANT: Final = MessageWeights(
    near=0, neighbour=0, session=0, session_coverage=0, speaker=0, question=0, time=0, phrase=0
)
STEPS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
FITTED: Final = (
    "near", "neighbour", "session", "session_coverage", "speaker", "question", "time", "phrase", "coverage",
)  # fmt: skip
LAPS: Final = 3
DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the messages that the search ranked for it; the evidence by the service's ids."""

    query: MessageQuery
    pool: Sequence[PooledMessage]
    evidence: frozenset[UUID]

    def recall(self, weights: MessageWeights) -> float:
        """Share of the evidence among the first ten."""
        first = {row.id for row in rank_messages(self.pool, self.query, weights)[:DEPTH]}
        return len(self.evidence & first) / len(self.evidence)


def recall(asked: Sequence[Asked], weights: MessageWeights) -> float:
    """R@10 over the questions."""
    return fmean(one.recall(weights) for one in asked)


def fit(asked: Sequence[Asked]) -> MessageWeights:
    """The weights that do best on the questions, found one weight after the other, some laps long."""
    best, reached = IGNORANT, recall(asked, IGNORANT)
    for _ in range(LAPS):
        before = reached
        for name in FITTED:
            for step in STEPS:
                tried = replace(best, **{name: step})
                found = recall(asked, tried)
                if found > reached:
                    best, reached = tried, found
        if reached == before:
            break
    return best


@contextmanager
def _noted() -> Generator[list[tuple[Sequence[PooledMessage], MessageQuery]]]:
    """The pools that searches rank in the meantime; the search itself goes on as ever."""
    pools: list[tuple[Sequence[PooledMessage], MessageQuery]] = []

    def rank(pool: Sequence[PooledMessage], query: MessageQuery, weights: MessageWeights) -> list[RankedMessage]:
        pools.append((pool, query))
        return rank_messages(pool, query, weights)

    search.rank_messages = rank
    try:
        yield pools
    finally:
        search.rank_messages = rank_messages


async def _ask(context: Context, channel: str, question: Question, ids: dict[str, UUID]) -> Asked:
    with _noted() as pools:
        await search.search_messages(context, SearchMessagesRequest(query=question.text, channel=channel, limit=DEPTH))
    pool, query = pools[-1]
    return Asked(query, pool, frozenset(ids[name] for name in question.evidence))


async def _tell(daemon: Daemon, dataset: Dataset) -> dict[str, UUID]:
    """The conversation on a channel of its own; the service's ids by those of the data set."""
    client = MemdClient(daemon.url, daemon.key)
    names = await log_messages(client, dataset.messages, dataset.name)
    await settle(client, 300)
    return {name: decode("msg", message_id) for message_id, name in names.items()}


async def _questions(daemon: Daemon, services: Services, dataset: Dataset) -> list[Asked]:
    ids = await _tell(daemon, dataset)
    principal = await authenticate(services, f"Bearer {daemon.key}")
    context = Context(services=services, principal=principal, request_id=new_id(), now=now_ms())
    return [await _ask(context, dataset.name, question, ids) for question in dataset.questions]


async def measure(daemon: Daemon, datasets: Sequence[Dataset]) -> Iterator[str]:
    """One line for each conversation and one for all: R@10 with fitted weights, and with memd's own."""
    async with beside(daemon.data_dir, MiniLmEmbedder(daemon.data_dir, parallelism=2)) as services:
        asked = {dataset.name: await _questions(daemon, services, dataset) for dataset in datasets}
    own = MessageWeights()
    fitted: list[float] = []
    kept: list[float] = []
    lines: list[str] = []
    for name, held_back in asked.items():
        weights = fit([one for other, rest in asked.items() if other != name for one in rest])
        fitted += [one.recall(weights) for one in held_back]
        kept += [one.recall(own) for one in held_back]
        lines.append(f"| {name} | {len(held_back)} | {recall(held_back, weights):.3f} | {recall(held_back, own):.3f} |")
        lines.append(f"<!-- {weights} -->")
    return iter([*lines, f"| all | {len(fitted)} | {fmean(fitted):.3f} | {fmean(kept):.3f} |"])


def main() -> None:
    """Print the table."""
    folder = evaluation_folder()
    if folder is None:
        sys.exit("No question sets: name their folder in MEMD_EVAL_DIR.")
    datasets = read_datasets([Path(folder) / "locomo-dev"])
    with serving("minilm") as daemon:
        lines = asyncio.run(measure(daemon, datasets))
    head = "| left out | questions | R@10, weights fitted to the others | R@10, weights of memd |\n|---|---|---|---|"
    print("\n".join((head, *lines)))


if __name__ == "__main__":
    main()
