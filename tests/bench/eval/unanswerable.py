"""Questions that nothing stored answers: how often recall says so, and what saying so costs where there is an answer.

The questions of one conversation are put to the memories of the next one and to its messages, and so are the questions of
every passage set in the language of conversations. Questions with an empty list of evidence are put to their own
conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import httpx
import numpy as np

from memctl.evaluation import Question
from tests.bench.eval import priors
from tests.bench.eval.asking import Reply, recall, search
from tests.bench.eval.data import Conversation, Sets
from tests.bench.eval.holdings import Holding
from tests.bench.eval.measures import Rate
from tests.bench.eval.workbench import Workbench

FEW = 3
"""An answer with at most this many rows that are not weak claims nothing."""
Ask = Callable[[str], Sequence[Reply]]
"""The rows that a question finds."""
ABSTAINS, EMPTY, KEPT = f"at most {FEW} rows not weak", "no row that is not weak", "evidence found that is not weak"


def unanswerable(bench: Workbench, sets: Sets) -> Iterator[Rate]:
    """Shares of questions, and of the evidence that is found, for every conversation."""
    for index, data in enumerate(sets.conversations):
        remembered = bench.holdings.memories(data.path, data.texts)
        with bench.holdings.client(remembered) as http, priors.unused(bench.connection, remembered):
            rows = partial(_memories, http)
            yield Rate("its own questions", data.folder, data.name, KEPT, _kept(rows, remembered, data))
            for name, questions in _foreign(bench, sets, index):
                yield from _abstained(rows, data, name, questions)
        logged = bench.holdings.messages(data.path, data.turns)
        with bench.holdings.client(logged) as http:
            rows = partial(_messages, http)
            yield Rate("its own questions to messages", data.folder, data.name, KEPT, _kept(rows, logged, data))
            for name, questions in _foreign(bench, sets, index):
                yield from _abstained(rows, data, f"{name} to messages", questions)


def _memories(http: httpx.Client, question: str) -> list[Reply]:
    return recall(http, question)["memories"]


def _messages(http: httpx.Client, question: str) -> list[Reply]:
    return search(http, question)["messages"]


def _foreign(bench: Workbench, sets: Sets, place: int) -> Iterator[tuple[str, Sequence[Question]]]:
    """The questions that a conversation does not answer, by where they are from."""
    talks, data = sets.conversations, sets.conversations[place]
    other = talks[(place + 1) % len(talks)]
    if other is not data:
        yield "questions of another conversation", other.questions
    if data.unanswerable:
        yield "unanswerable, its own", data.unanswerable
    for passages in sets.passages:
        if bench.language(passages.texts) == bench.language(data.texts):
            yield f"questions of {passages.folder}", passages.questions


def _abstained(ask: Ask, data: Conversation, name: str, questions: Sequence[Question]) -> Iterator[Rate]:
    strong = np.array([sum(not row.get("weak", False) for row in ask(question.text)) for question in questions])
    for what, most in ((ABSTAINS, FEW), (EMPTY, 0)):
        yield Rate(name, data.folder, data.name, what, (strong <= most).astype(np.float64))


def _kept(ask: Ask, holding: Holding, data: Conversation) -> np.ndarray:
    """For each piece of evidence that is found 1 where its row is not weak."""
    kept: list[bool] = []
    for question in data.questions:
        wanted = {holding.same.get(each, each) for each in question.evidence}
        kept += [not row.get("weak", False) for row in ask(question.text) if holding.names[row["id"]] in wanted]
    return np.array(kept, dtype=np.float64)
