"""Whether the weights of message search were fitted to the questions they are measured on (needs the evaluation data).

For each conversation the weights are fitted to the other conversations alone, beginning with the published formula, and
then measured on it. What that loses against the weights that memd has is what their fit to these questions is worth.

`python -m tests.bench.leave_one_out` takes some minutes.
"""

import asyncio
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
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

FORMULA: Final = MessageWeights(near=0, session_coverage=0, speaker=0.1, question=0.025, time=0)
"""The published formula, before anything was measured here."""
OWN: Final = MessageWeights()
STEPS: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
FITTED: Final = (
    "near", "neighbour", "session", "session_coverage", "speaker", "question", "time", "phrase", "coverage",
)  # fmt: skip
LAPS: Final = 2
DEPTH: Final = 10
DEPTHS: Final = (5, 10, 20)
"""The fit looks at all of them: one alone moves by whole questions, and is soon fitted to chance."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the messages that the search ranked for it; the evidence by the service's ids."""

    query: MessageQuery
    pool: Sequence[PooledMessage]
    evidence: frozenset[UUID]

    def recall(self, weights: MessageWeights, depths: Sequence[int]) -> float:
        """Share of the evidence among the first rows, as the mean over the depths."""
        order = [row.id for row in rank_messages(self.pool, self.query, weights)]
        return fmean(len(self.evidence & set(order[:depth])) / len(self.evidence) for depth in depths)


def recall(asked: Sequence[Asked], weights: MessageWeights, depths: Sequence[int] = (DEPTH,)) -> float:
    """R@10 over the questions, or the mean over other depths."""
    return fmean(one.recall(weights, depths) for one in asked)


def fit(asked: Sequence[Asked]) -> MessageWeights:
    """The weights that do best on the questions, found one weight after the other, some laps long."""
    best, reached = FORMULA, recall(asked, FORMULA, DEPTHS)
    for _ in range(LAPS):
        before = reached
        for name in FITTED:
            for step in STEPS:
                tried = replace(best, **{name: step})
                found = recall(asked, tried, DEPTHS)
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


async def _pool_of(context: Context, channel: str, question: Question, ids: dict[str, UUID]) -> Asked:
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
    return [await _pool_of(context, dataset.name, question, ids) for question in dataset.questions]


async def ask(daemon: Daemon, datasets: Sequence[Dataset]) -> dict[str, list[Asked]]:
    """The questions of each conversation, asked once."""
    async with beside(daemon.data_dir, MiniLmEmbedder(daemon.data_dir, parallelism=2)) as services:
        return {dataset.name: await _questions(daemon, services, dataset) for dataset in datasets}


def table(asked: Mapping[str, Sequence[Asked]]) -> Iterator[str]:
    """One line for each conversation and one for all: R@10 with fitted weights, with memd's, with the formula's."""
    rest = {name: [one for other, all_of in asked.items() if other != name for one in all_of] for name in asked}
    with ProcessPoolExecutor() as pool:
        fitted = dict(zip(rest, pool.map(fit, rest.values()), strict=True))
    found: list[tuple[int, Sequence[float]]] = []
    for name, held_back in asked.items():
        found.append((len(held_back), [recall(held_back, each) for each in (fitted[name], OWN, FORMULA)]))
        yield _line(name, *found[-1])
    questions = sum(count for count, _ in found)
    yield _line("all", questions, [sum(n * row[at] for n, row in found) / questions for at in range(3)])
    yield from (f"{name}: {weights}" for name, weights in fitted.items())


def _line(name: str, questions: int, figures: Sequence[float]) -> str:
    return f"| {name} | {questions} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |"


def main() -> None:
    """Print the table."""
    folder = evaluation_folder()
    if folder is None:
        sys.exit("No question sets: name their folder in MEMD_EVAL_DIR.")
    datasets = read_datasets([Path(folder) / "locomo-dev"])
    with serving("minilm") as daemon:
        asked = asyncio.run(ask(daemon, datasets))
    head = "| left out | questions | fitted to the others | memd | formula alone |\n|---|---|---|---|---|"
    print("\n".join((head, *table(asked))))


if __name__ == "__main__":
    main()
