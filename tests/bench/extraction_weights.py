"""Learns the weights by which extraction scores what people say (needs the evaluation data).

An example is a sentence in its place. It is worth keeping when it has a quarter of the content words of a fact that the
authors of the data saw in its message, or when it is the longest sentence of a message that a question asks for. The
model is a logistic regression with a ridge, fitted by Newton's method; its weights are rounded to twentieths.

`python -m tests.bench.extraction_weights` writes memd/domain/distilling/weights.py. `--left-out` scores each
conversation with weights learned from the others, as the thresholds of extraction were chosen, and writes nothing.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

import numpy as np

from memd.domain import distilling
from memd.domain.distilling.features import Features, content_words
from memd.domain.extraction import statements
from memd.domain.extraction.conversation_windows import (
    ConversationWindow,
    SourceMessage,
    conversation_windows,
)
from memd.domain.extraction.extract import extract
from memd.domain.types import MessageRole
from tests.bench.eval.data import Conversation, discover
from tests.bench.eval.workbench import evaluation_folder

RIDGE: Final = 30.0
SHARE: Final = 0.25
STEPS: Final = 30
GRAIN: Final = 20
TABLE: Final = Path(distilling.__file__).with_name("weights.py")
HEAD: Final = '''"""What each feature of a sentence counts: made by `python -m tests.bench.extraction_weights`, not by hand.

The sum, with `BIAS`, is the logarithm of the odds that the sentence tells a fact. What is not in the table counts
nothing.
"""

from collections.abc import Mapping
from typing import Final

'''


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence's features, and whether it is worth keeping."""

    features: Features
    kept: bool


def examples(data: Conversation) -> Iterator[Example]:
    """The sentences of a conversation in windows of twelve messages, as extraction reads them."""
    questions = {turn for question in data.questions for turn in question.evidence}
    for window, names in windows(data):
        for position, message in enumerate(window.messages):
            turn = names[message.id]
            said = list(statements.sentences_of(window, position))
            longest = max((len(sentence) for _, sentence, _ in said), default=0)
            facts = [content_words(fact) for fact in data.facts.get(turn, ())]
            speakers = {word for one in window.messages for word in content_words(one.speaker or "")}
            for _, sentence, found in said:
                told = any(share(content_words(sentence), fact - speakers) >= SHARE for fact in facts)
                yield Example(found, told or (turn in questions and len(sentence) == longest))


def learn(found: Sequence[Example]) -> tuple[dict[str, float], float]:
    """The weights, without those that round to nothing, and the bias."""
    names = sorted({name for example in found for name in example.features})
    rows = np.array([[*(example.features.get(name, 0.0) for name in names), 1.0] for example in found])
    kept = np.array([float(example.kept) for example in found])
    ridge = np.diag([*[RIDGE] * len(names), 0.0])
    weights = np.zeros(len(names) + 1)
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (odds - kept) + ridge @ weights
        weights -= np.linalg.solve((rows.T * (odds * (1 - odds))) @ rows + ridge, slope)
    table = {name: round(float(weight) * GRAIN) / GRAIN for name, weight in zip(names, weights, strict=False)}
    return {name: weight for name, weight in table.items() if weight}, round(float(weights[-1]), 2)


def share(sentence: frozenset[str], fact: frozenset[str]) -> float:
    """The share of the words of a fact that a sentence has."""
    return len(sentence & fact) / max(1, len(fact))


def windows(data: Conversation) -> Iterator[tuple[ConversationWindow, Mapping[UUID, str]]]:
    """The windows of a conversation with the turns of their messages."""
    names = {uuid4(): turn for turn in data.turns}
    messages = [
        SourceMessage(
            id=message_id,
            role=MessageRole(turn.role),
            content=turn.content,
            timestamp=turn.timestamp,
            created_at=turn.timestamp,
            speaker=turn.speaker,
            session_key=turn.session,
        )
        for message_id, turn in names.items()
    ]
    for window in conversation_windows(messages):
        yield window, {message_id: turn.id for message_id, turn in names.items()}


def _left_out(talks: Sequence[Conversation]) -> Iterator[str]:
    """For each conversation what extraction is worth with weights learned from the others."""
    for data in talks:
        table, bias = learn([example for other in talks if other is not data for example in examples(other)])
        statements.__dict__.update(WEIGHTS=table, BIAS=bias)
        made = [
            ({names[window.messages[at].id] for at in one.source_indexes}, one.content)
            for window, names in windows(data)
            for one in extract(window)
        ]
        used = {turn for turns, _ in made for turn in turns}
        characters = sum(len(turn.content) for turn in data.turns)
        yield (
            f"{data.name}: {len(made)} memories, {np.mean([bool(data.facts.keys() & turns) for turns, _ in made]):.3f} on a"
            f" turn with a fact; {len(used & data.facts.keys()) / len(data.facts):.3f} of these turns in a memory; text"
            f" {sum(len(content) for _, content in made) / characters:.3f} of the transcript"
        )


def main(given: Sequence[str]) -> int:
    """Learn, and write the table or print what was found; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.extraction_weights", description=__doc__)
    parser.add_argument("--left-out", action="store_true")
    arguments = parser.parse_args(given)
    folder = evaluation_folder()
    talks = [data for data in discover(folder).conversations if data.facts] if folder else []
    if not talks:
        sys.stderr.write("No conversations with observations: name their folder in MEMD_EVAL_DIR.\n")
        return 2
    if arguments.left_out:
        sys.stdout.writelines(f"{line}\n" for line in _left_out(talks))
        return 0
    table, bias = learn([example for data in talks for example in examples(data)])
    lines = [f'    "{name}": {weight:.2f},\n' for name, weight in sorted(table.items())]
    TABLE.write_text(f"{HEAD}BIAS: Final = {bias}\nWEIGHTS: Final[Mapping[str, float]] = {{\n{''.join(lines)}}}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
