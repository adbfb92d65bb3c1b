"""Recall of memories next to a large knowledge base that the same key imported: what its chunks displace."""

import sys
from collections.abc import Iterator
from itertools import islice

import httpx

from memctl.evaluation import Question
from tests.bench import imports
from tests.bench.eval import priors
from tests.bench.eval.asking import Found, ask_all, recall
from tests.bench.eval.data import Sets, Text
from tests.bench.eval.holdings import Holding, import_chunks
from tests.bench.eval.measures import Result
from tests.bench.eval.workbench import MEMD, Workbench

MEMORIES, CHUNKS, WORDS, DEPTH = 1_000, 10_000, 14, 10
"""Memories at most, and chunks of this many words; the depth at which recall is measured."""
BASE = "Handbook"


def handbook(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Turns captured as memories in order; recall before and after the import of the knowledge base."""
    texts = list(islice((text for data in sets.conversations for text in _named(data.path, data.texts)), MEMORIES))
    known = {text.id for text in texts}
    questions = [
        Question(question.text, frozenset(f"{data.path} {turn}" for turn in question.evidence))
        for data in sets.conversations
        for question in data.questions
        if {f"{data.path} {turn}" for turn in question.evidence} <= known
    ]
    if not questions:
        return
    holding = bench.holdings.memories(f"first {MEMORIES}", texts)
    evidence = [frozenset(holding.same.get(each, each) for each in question.evidence) for question in questions]
    with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
        for name, stored in (("memories alone", 0), (f"memories beside {CHUNKS:,} chunks", CHUNKS)):
            if stored and not http.get("/api/knowledge-bases").json()["knowledgeBases"]:
                import_chunks(http, imports.chunks(CHUNKS, WORDS), BASE)
            found = _recalled(http, holding, questions)
            chunks = sum(row.startswith(BASE) for rows in found for row in rows[:DEPTH]) / len(found)
            sys.stderr.write(f"  {name}: {chunks:.2f} of the first {DEPTH} rows are chunks\n")
            yield Result(name, "conversations", "all", DEPTH, "original", evidence, {MEMD: found})


def _named(path: str, texts: list[Text]) -> Iterator[Text]:
    """The texts with ids that differ between conversations."""
    return (Text(f"{path} {text.id}", text.title, text.content) for text in texts)


def _recalled(http: httpx.Client, holding: Holding, questions: list[Question]) -> Found:
    """The names of the rows that each question finds; a chunk is named by its knowledge base."""
    return ask_all(
        lambda question: [
            holding.names.get(row["id"], f"{BASE} {row['id']}") for row in recall(http, question)["memories"]
        ],
        questions,
    )
