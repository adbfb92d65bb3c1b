"""The question sets that are found in a folder, distinguished by the contents of their files, never by their names.

A folder of JSON lines with questions and messages is a set of conversations (one for each pair of files whose names
begin alike); one with questions and chunks is a set of passages. docs/evaluation.md describes the files.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from memctl.diagnostics import CommandError
from memctl.evaluation import Dataset, Question, read_datasets

CORRECTIONS = ".corrections.jsonl"
OBSERVATIONS = ".observations.jsonl"


@dataclass(frozen=True, slots=True)
class Text:
    """One text to be found: `id` is the name that questions use for it."""

    id: str
    title: str
    content: str

    @property
    def whole(self) -> str:
        """The texts that an index reads."""
        return f"{self.title}\n{self.content}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; `timestamp` is in ms since 1970."""

    id: str
    session: str
    timestamp: int
    speaker: str
    role: str
    content: str

    @property
    def date(self) -> str:
        """The day in the form in which memd reads it, e.g. `8 May 2023`."""
        return f"{datetime.fromtimestamp(self.timestamp / 1000, UTC):%-d %B %Y}"

    @property
    def as_text(self) -> Text:
        """The turn as a memory or chunk: who spoke when is its title."""
        return Text(self.id, f"{self.speaker}, {self.date}", self.content)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The history of one user and questions about it; `corrected` replaces the answer key where someone corrected it.

    `unanswerable` are questions with an empty list of evidence, `facts` what the authors of the set saw in
    its turns (`NAME.observations.jsonl`): facts in words, by the id of the turn.
    """

    folder: str
    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]
    corrected: Sequence[Question] | None = None
    unanswerable: Sequence[Question] = ()
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    @property
    def path(self) -> str:
        """A name that no other set has."""
        return f"{self.folder}/{self.name}"

    @property
    def texts(self) -> list[Text]:
        """The turns as memories."""
        return [turn.as_text for turn in self.turns]


@dataclass(frozen=True, slots=True)
class Passages:
    """Chunks of a knowledge base and questions about them; `corrected` as for conversations."""

    folder: str
    name: str
    chunks: Sequence[Mapping[str, Any]]
    questions: Sequence[Question]
    corrected: Sequence[Question] | None = None

    @property
    def path(self) -> str:
        """A name that no other set has."""
        return f"{self.folder}/{self.name}"

    @property
    def texts(self) -> list[Text]:
        """The chunks as texts."""
        return [Text(chunk["dedupeKey"], chunk["metadata"]["title"], chunk["content"]) for chunk in self.chunks]


@dataclass(frozen=True, slots=True)
class Sets:
    """Everything that was found."""

    conversations: Sequence[Conversation]
    passages: Sequence[Passages]


def discover(root: Path, only: Sequence[str] = ()) -> Sets:
    """The sets in `root` and the folders below it; with `only`, those whose name or folder matches one of the patterns."""
    conversations: list[Conversation] = []
    passages: list[Passages] = []
    for folder in sorted({file.parent for file in root.rglob("*.jsonl")}):
        for dataset in _datasets(folder):
            if only and not any(fnmatch(name, pattern) for name in (dataset.name, folder.name) for pattern in only):
                continue
            name, corrected = dataset.name, _corrected(folder, dataset)
            questions = [question for question in dataset.questions if question.evidence]
            rest = [question for question in dataset.questions if not question.evidence]
            if dataset.messages:
                turns = [_turn(row) for row in dataset.messages]
                facts = _facts(folder / f"{name}{OBSERVATIONS}")
                conversations.append(Conversation(folder.name, name, turns, questions, corrected, rest, facts))
            elif dataset.chunks:
                passages.append(Passages(folder.name, name, dataset.chunks, questions, corrected))
    return Sets(conversations, passages)


def _datasets(folder: Path) -> Iterator[Dataset]:
    files = [file for file in sorted(folder.glob("*.jsonl")) if not file.name.endswith((CORRECTIONS, OBSERVATIONS))]
    try:
        yield from read_datasets(files)
    except CommandError as error:
        sys.stderr.write(f"{folder.name}: left out ({error})\n")


def _turn(row: Mapping[str, Any]) -> Turn:
    return Turn(
        id=str(row["id"]),
        session=row["sessionKey"],
        timestamp=int(row["timestamp"]),
        speaker=row["speaker"],
        role=row["role"],
        content=row["content"],
    )


def _facts(file: Path) -> dict[str, Sequence[str]]:
    facts: defaultdict[str, list[str]] = defaultdict(list)
    for line in file.read_text("utf-8-sig").splitlines() if file.is_file() else []:
        row = json.loads(line)
        for turn in row["evidence"]:
            facts[str(turn)].append(row["fact"])
    return dict(facts)


def _corrected(folder: Path, dataset: Dataset) -> list[Question] | None:
    """The questions with their corrected evidence; one whose corrected evidence is empty has no answer and goes."""
    files = [folder / f"{stem}{CORRECTIONS}" for stem in (dataset.name, "questions")]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        return None
    lines = [json.loads(line) for line in file.read_text("utf-8-sig").splitlines() if line.strip()]
    corrected = {line["question"]: frozenset(map(str, line["evidence"])) for line in lines}
    questions = [
        Question(question.text, corrected.get(question.text, question.evidence), question.category)
        for question in dataset.questions
    ]
    return [question for question in questions if question.evidence]
