"""Whether the weights of message search were fitted to the questions they are measured on (needs the evaluation data).

For each conversation the weights are learned from the other conversations alone and then measured on it. What that
loses against the weights that memd has is what their fit to these questions is worth. They are learned by maximum
likelihood: the ranks, seen as the logits of a choice among the candidates, shall choose the evidence.

`python -m tests.bench.leave_one_out` takes some minutes.
"""

import asyncio
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Final
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memctl.client import MemdClient
from memctl.evaluation import Dataset, Question, read_datasets
from memctl.evaluation_data import logged_messages, settle
from memctl.wire.messages import SearchMessagesRequest
from memd.access.authentication.authenticate import authenticate
from memd.context import Context, Services
from memd.domain.ids import decode, new_id
from memd.domain.ranking.messages import (
    DEFAULT_MESSAGE_WEIGHTS,
    MessageQuery,
    MessageWeights,
    PooledMessage,
    RankedMessage,
    rank_messages,
)
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.messages import search
from memd.messages.search_pages import search_messages
from memd.services import now_ms
from tests.bench.eval.workbench import evaluation_folder
from tests.bench.filling import beside
from tests.bench.serving import serving
from tests.support.daemon import Daemon

FORMULA: Final = MessageWeights(
    near=0, neighbour=0.5, answer=0, session=0.2, session_coverage=0, speaker=0.1, question=0.025, time=0, phrase=0.3
)
"""The published formula, before anything was measured here."""
OWN: Final = MessageWeights()
PARTS: Final = ("neighbour", "answer", "session", "session_coverage", "speaker", "question", "time")
"""The weights that are learned; no question of the sets is a phrase of a message."""
DEPTH: Final = 10
NEARS: Final = (0.6, 0.7, 0.8)
STEPS: Final = 800
RATE: Final = 0.03
Matrix = npt.NDArray[np.float64]


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

    def parts(self, near: float) -> tuple[Matrix, Matrix]:
        """For each candidate the rank without any part and what each part adds at weight 1; 1 where it is evidence."""
        bare = MessageWeights(near=near, **dict.fromkeys(PARTS, 0.0))
        tried = [self._ranks(bare), *(self._ranks(replace(bare, **{part: 1.0})) for part in PARTS)]
        columns = [tried[0], *(column - tried[0] for column in tried[1:])]
        ids = sorted(message.id for message in self.pool if message.candidate)
        return np.stack(columns, axis=1), np.array([float(each in self.evidence) for each in ids])

    def _ranks(self, weights: MessageWeights) -> Matrix:
        ranks = {row.id: row.rank for row in rank_messages(self.pool, self.query, weights)}
        return np.array([ranks[each] for each in sorted(ranks)])


def recall(asked: Sequence[Asked], weights: MessageWeights) -> float:
    """R@10 over the questions."""
    return fmean(one.recall(weights) for one in asked)


def fit(asked: Sequence[Asked]) -> MessageWeights:
    """The weights that are learned from the questions."""
    return min((_descend(asked, near) for near in NEARS), key=itemgetter(0))[1]


def _descend(asked: Sequence[Asked], near: float) -> tuple[float, MessageWeights]:
    """The remaining loss and the weights for one share of the neighbours' words.

    Descent by Adam on the mean of -log(share of the evidence in the softmax over the candidates); no part below 0.
    """
    sheets = [sheet for sheet in (one.parts(near) for one in asked) if sheet[1].any()]
    parts, held = (np.concatenate(each) for each in zip(*sheets, strict=True))
    sizes = [len(sheet[1]) for sheet in sheets]
    starts = np.cumsum([0, *sizes[:-1]])
    weights, mean, square = np.array([10.0, *[1.0] * len(PARTS)]), np.zeros(len(PARTS) + 1), np.zeros(len(PARTS) + 1)
    chosen = np.zeros(len(held))
    for step in range(1, STEPS + 1):
        logits = parts @ weights
        odds = np.exp(logits - np.repeat(np.maximum.reduceat(logits, starts), sizes))
        chosen = odds / np.repeat(np.add.reduceat(odds, starts), sizes)
        wanted = odds * held / np.repeat(np.add.reduceat(odds * held, starts), sizes)
        slope = parts.T @ (chosen - wanted) / len(sheets)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
        weights = np.maximum(weights, [1.0, *[0.0] * len(PARTS)])
    loss = -np.log(np.add.reduceat(chosen * held, starts)).mean()
    shares = dict(zip(PARTS, (weights[1:] / weights[0]).tolist(), strict=True))
    return float(loss), MessageWeights(near=near, **shares)


@contextmanager
def _noted() -> Generator[list[tuple[Sequence[PooledMessage], MessageQuery]]]:
    """The pools that searches rank in the meantime; the search itself works as before."""
    pools: list[tuple[Sequence[PooledMessage], MessageQuery]] = []

    def rank(
        pool: Sequence[PooledMessage], query: MessageQuery, weights: MessageWeights = DEFAULT_MESSAGE_WEIGHTS
    ) -> list[RankedMessage]:
        pools.append((pool, query))
        return rank_messages(pool, query, weights)

    search.rank_messages = rank
    try:
        yield pools
    finally:
        search.rank_messages = rank_messages


async def _pool_of(context: Context, channel: str, question: Question, ids: dict[str, UUID]) -> Asked:
    with _noted() as pools:
        await search_messages(context, SearchMessagesRequest(query=question.text, channel=channel, limit=DEPTH))
    pool, query = pools[-1]
    return Asked(query, pool, frozenset(ids[name] for name in question.evidence))


async def _tell(daemon: Daemon, dataset: Dataset) -> dict[str, UUID]:
    """The conversation on a channel of its own; the service's ids by those of the data set."""
    client = MemdClient(daemon.url, daemon.key)
    async with logged_messages(client, dataset.messages, dataset.name, keep=True) as names:
        await settle(client, 300)
    return {name: decode("msg", message_id) for message_id, name in names.items()}


async def _questions(daemon: Daemon, services: Services, dataset: Dataset) -> list[Asked]:
    ids = await _tell(daemon, dataset)
    principal = await authenticate(services, f"Bearer {daemon.key}", "127.0.0.1")
    context = Context(services=services, principal=principal, request_id=new_id(), now=now_ms())
    return [await _pool_of(context, dataset.name, question, ids) for question in dataset.questions]


async def ask(daemon: Daemon, datasets: Sequence[Dataset]) -> dict[str, list[Asked]]:
    """The questions of each conversation, asked once."""
    async with beside(daemon.data_dir, MiniLmEmbedder(daemon.data_dir, parallelism=2)) as services:
        return {dataset.name: await _questions(daemon, services, dataset) for dataset in datasets}


def table(asked: Mapping[str, Sequence[Asked]]) -> Iterator[str]:
    """One line for each conversation and one for all: R@10 with fitted weights, with memd's, with the formula's."""
    rest = {name: [one for other, all_of in asked.items() if other != name for one in all_of] for name in asked}
    everything = [one for all_of in asked.values() for one in all_of]
    with ProcessPoolExecutor() as pool:
        *fits, of_all = pool.map(fit, [*rest.values(), everything])
    fitted = dict(zip(rest, fits, strict=True))
    found: list[tuple[int, Sequence[float]]] = []
    for name, held_back in asked.items():
        found.append((len(held_back), [recall(held_back, each) for each in (fitted[name], OWN, FORMULA)]))
        yield _line(name, *found[-1])
    questions = sum(count for count, _ in found)
    yield _line("all", questions, [sum(n * row[at] for n, row in found) / questions for at in range(3)])
    yield f"Learned from all and measured on all: {recall(everything, of_all):.3f}"
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
    head = "| left out | questions | learned from the others | memd | formula alone |\n|---|---|---|---|---|"
    print("\n".join((head, *table(asked))))


if __name__ == "__main__":
    main()
