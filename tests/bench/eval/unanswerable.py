"""Questions that nothing stored answers: how often recall says so, and what saying so costs where there is an answer.

The questions of one conversation are put to the memories of the next one, and so are the questions of every passage set
in the language of conversations. Questions with an empty list of evidence are put to their own conversation.
"""

from collections.abc import Iterator, Sequence

import httpx
import numpy as np

from memctl.evaluation import Question
from tests.bench.eval import priors
from tests.bench.eval.asking import recall
from tests.bench.eval.data import Conversation, Sets
from tests.bench.eval.holdings import Holding
from tests.bench.eval.measures import Rate
from tests.bench.eval.workbench import Workbench

FEW = 3
"""So many rows that are not weak count as an answer that claims nothing."""
ABSTAINS, EMPTY, KEPT = f"at most {FEW} rows not weak", "no row that is not weak", "evidence found that is not weak"


def unanswerable(bench: Workbench, sets: Sets) -> Iterator[Rate]:
    """Shares of questions, and of the evidence that is found, for every conversation."""
    talks = sets.conversations
    for place, data in enumerate(talks):
        holding = bench.holdings.memories(data.path, data.texts)
        with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
            yield Rate("its own questions", data.folder, data.name, KEPT, _kept(http, holding, data))
            other = talks[(place + 1) % len(talks)]
            if other is not data:
                yield from _abstained(http, data, "questions of another conversation", other.questions)
            if data.unanswerable:
                yield from _abstained(http, data, "unanswerable, its own", data.unanswerable)
            for passages in sets.passages:
                if bench.language(passages.texts) == bench.language(data.texts):
                    yield from _abstained(http, data, f"questions of {passages.folder}", passages.questions)


def _abstained(http: httpx.Client, data: Conversation, name: str, questions: Sequence[Question]) -> Iterator[Rate]:
    strong = np.array([_strong(http, question.text) for question in questions])
    for what, most in ((ABSTAINS, FEW), (EMPTY, 0)):
        yield Rate(name, data.folder, data.name, what, (strong <= most).astype(np.float64))


def _strong(http: httpx.Client, question: str) -> int:
    return sum(not row.get("weak", False) for row in recall(http, question)["memories"])


def _kept(http: httpx.Client, holding: Holding, data: Conversation) -> np.ndarray:
    """For each piece of evidence that recall returns 1 where its row is not weak."""
    kept: list[bool] = []
    for question in data.questions:
        wanted = {holding.same.get(each, each) for each in question.evidence}
        rows = recall(http, question.text)["memories"]
        kept += [not row.get("weak", False) for row in rows if holding.names[row["id"]] in wanted]
    return np.array(kept, dtype=np.float64)
