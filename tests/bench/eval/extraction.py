"""Memories that extraction makes of conversations: are they facts, are the facts among them, and do they answer questions?

Facts are the observations of the data set's authors, by the turn that they saw them in. A memory stands on the messages
that it names as its sources.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import psycopg

from memd.domain.ids import decode
from tests.bench.eval import priors
from tests.bench.eval.asking import recall
from tests.bench.eval.data import Conversation, Sets
from tests.bench.eval.holdings import Holding
from tests.bench.eval.measures import Rate, Values
from tests.bench.eval.workbench import Workbench

SINGLE_FACT = "4"
DEPTHS = (5, 12)
SETTLED_MS = 200_000
POLL_S = 0.2
_UNREAD = "SELECT count(*) FROM message WHERE extracted_at IS NULL AND extraction_skipped_reason IS NULL"
_MADE = """
SELECT id, content, source_message_ids FROM memory
WHERE user_id = %s AND source = 'conversation' ORDER BY created_at, id
"""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A memory with the ids of the turns that it was made from."""

    content: str
    turns: Sequence[str]


def extraction(bench: Workbench, sets: Sets) -> Iterator[Rate]:
    """Each conversation with observations logged as messages, read by the job, and asked for its single facts."""
    for data in sets.conversations:
        if data.facts:
            holding = bench.holdings.extracted(data.path, data.turns, lambda: _read_all(bench))
            made = _extracted(bench.connection, holding)
            for what, values in (*_quality(data, list(made.values())), *_answers(bench, holding, data, made)):
                yield Rate("extraction", data.folder, data.name, what, values)


def _read_all(bench: Workbench) -> None:
    """Have the job read every message, as if it had been logged some minutes ago."""
    bench.connection.execute("UPDATE message SET created_at = created_at - %s", [SETTLED_MS])
    while bench.connection.execute(_UNREAD).fetchone() != (0,):
        bench.holdings.run_job("extraction")
        time.sleep(POLL_S)


def _extracted(connection: psycopg.Connection, holding: Holding) -> Mapping[UUID, Extracted]:
    names = {decode("msg", message): turn for message, turn in holding.names.items()}
    rows = connection.execute(_MADE, [decode("usr", holding.user)]).fetchall()
    return {memory: Extracted(content, [names[one] for one in sources]) for memory, content, sources in rows}


def _quality(data: Conversation, made: Sequence[Extracted]) -> Iterator[tuple[str, Values]]:
    used = {turn for one in made for turn in one.turns}
    characters = sum(len(turn.content) for turn in data.turns)
    kept = sum(len(one.content) for one in made)
    yield "memories that stand on a turn with a fact", _values(bool(data.facts.keys() & set(one.turns)) for one in made)
    yield "memories whose first turn has a fact", _values(one.turns[0] in data.facts for one in made)
    yield "source turns that have a fact", _values(turn in data.facts for turn in sorted(used))
    yield "turns with a fact that a memory stands on", _values(turn in used for turn in sorted(data.facts))
    yield "characters of the memories, of the transcript's", _values(index < kept for index in range(characters))
    yield "memories of at most 240 characters", _values(len(one.content) <= 240 for one in made)


def _answers(
    bench: Workbench, holding: Holding, data: Conversation, made: Mapping[UUID, Extracted]
) -> Iterator[tuple[str, Values]]:
    questions = [question for question in data.questions if question.category == SINGLE_FACT]
    used = {turn for one in made.values() for turn in one.turns}
    yield "single-fact questions with evidence in a memory", _values(bool(one.evidence & used) for one in questions)
    with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
        replies = [recall(http, one.text, limit=max(DEPTHS))["memories"] for one in questions]
    found = [[set(made[decode("mem", row["id"])].turns) for row in rows] for rows in replies]
    for depth in DEPTHS:
        yield (
            f"single-fact questions with evidence in the first {depth} memories",
            _values(
                bool(one.evidence & set().union(*rows[:depth])) for one, rows in zip(questions, found, strict=True)
            ),
        )


def _values(truths: Iterator[bool]) -> Values:
    return np.fromiter(truths, dtype=np.float64)
