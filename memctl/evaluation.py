"""Measures of retrieval, and the data sets that they are taken on.

A data set is a file of questions with the ids of the rows that answer them, and maybe the rows themselves: messages
({id, sessionKey, timestamp, speaker, role, content}) or chunks as for an import. All files are JSON lines. A question with
an empty list of evidence has no answer in the data: the right response is to abstain.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any, cast

from memctl.diagnostics import CommandError, ExitCode

Lines = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the rows that answer it (none: it is unanswerable), and maybe its category."""

    text: str
    evidence: frozenset[str]
    category: str | None = None


@dataclass(slots=True)
class Dataset:
    """Questions and the rows that they are about; without rows, what the server holds already is asked."""

    name: str
    questions: list[Question] = field(default_factory=list[Question])
    messages: Lines = field(default_factory=Lines)
    chunks: Lines = field(default_factory=Lines)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: the ids in order of rank, and the time it took in milliseconds.

    `abstained`: nothing came back, or the server says that none of it is relevant.
    """

    question: Question
    found: Sequence[str]
    milliseconds: float
    abstained: bool = False

    def recall_at(self, k: int) -> float:
        """The share of the evidence among the first k results; the question must be answerable."""
        return len(self.question.evidence & set(self.found[:k])) / len(self.question.evidence)

    @property
    def reciprocal_rank(self) -> float:
        """One over the rank of the first evidence; 0 when none was found."""
        ranks = (rank for rank, each in enumerate(self.found, 1) if each in self.question.evidence)
        return 1 / next(ranks, float("inf"))


@dataclass(frozen=True, slots=True)
class Abstention:
    """How well the server abstains; `right` counts the unanswerable questions to which it gave no answer."""

    unanswerable: int
    abstained: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of unanswerable questions among those at which it abstained; None when it never did."""
        return self.right / self.abstained if self.abstained else None

    @property
    def recall(self) -> float:
        """The share of the unanswerable questions at which it abstained."""
        return self.right / self.unanswerable

    def to_wire(self) -> dict[str, Any]:
        """The JSON object."""
        precision = None if self.precision is None else round(self.precision, 4)
        counts = {"unanswerable": self.unanswerable, "abstained": self.abstained}
        return {**counts, "precision": precision, "recall": round(self.recall, 4)}


@dataclass(frozen=True, slots=True)
class Figures:
    """The measures over some answers; recall, hit and MRR over the answerable `questions`, times in milliseconds."""

    questions: int
    recall: Mapping[int, float]
    hit: Mapping[int, float]
    mrr: float
    p50: float
    p95: float
    abstention: Abstention | None = None

    def to_wire(self) -> dict[str, Any]:
        """The JSON object."""
        wire: dict[str, Any] = {
            "questions": self.questions,
            "recall": {str(k): round(value, 4) for k, value in self.recall.items()},
            "hit": {str(k): round(value, 4) for k, value in self.hit.items()},
            "mrr": round(self.mrr, 4),
            "latencyMs": {"p50": round(self.p50, 2), "p95": round(self.p95, 2)},
        }
        return wire if self.abstention is None else {**wire, "abstention": self.abstention.to_wire()}


def figures(answers: Sequence[Answer], ks: Sequence[int]) -> Figures:
    """The measures over at least one answer, each averaged over the questions; 0 where no question is answerable."""
    times = [answer.milliseconds for answer in answers]
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    answerable = [answer for answer in answers if answer.question.evidence]
    return Figures(
        questions=len(answerable),
        recall={k: _mean([answer.recall_at(k) for answer in answerable]) for k in ks},
        hit={k: _mean([answer.recall_at(k) > 0 for answer in answerable]) for k in ks},
        mrr=_mean([answer.reciprocal_rank for answer in answerable]),
        p50=cuts[9],
        p95=cuts[18],
        abstention=_abstention(answers),
    )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _abstention(answers: Sequence[Answer]) -> Abstention | None:
    """None when every question is answerable."""
    unanswerable = [answer for answer in answers if not answer.question.evidence]
    if not unanswerable:
        return None
    abstained = sum(answer.abstained for answer in answers)
    return Abstention(len(unanswerable), abstained, sum(answer.abstained for answer in unanswerable))


def read_datasets(paths: Iterable[Path]) -> list[Dataset]:
    """The data sets of files and folders; CommandError when a file is none of the kinds, or nothing is asked."""
    files = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    read = [(path, _lines(path)) for path in files]
    asked = [(path, lines) for path, lines in read if "question" in lines[0]]
    given = [(path, lines) for path, lines in read if "question" not in lines[0]]
    if not asked:
        raise CommandError("no file holds questions: lines with `question` and `evidence`", ExitCode.USAGE)
    return [_dataset(path, lines, given) for path, lines in asked]


def _lines(path: Path) -> Lines:
    try:
        read: list[Any] = [json.loads(line) for line in path.read_text("utf-8-sig").split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}", ExitCode.USAGE) from error
    if not read or not all(isinstance(line, dict) for line in read):
        raise CommandError(f"{path} does not contain one JSON object per line", ExitCode.USAGE)
    return cast("Lines", read)


def _dataset(path: Path, lines: Lines, given: Sequence[tuple[Path, Lines]]) -> Dataset:
    """The questions with their rows: from the file with the same prefix, else the only rows file of the folder."""
    same_folder = [each for each in given if each[0].parent == path.parent]
    alike = [each for each in same_folder if _stem(each[0]) == _stem(path)]
    chosen = alike or (same_folder if len(same_folder) == 1 else [])
    rows = chosen[0][1] if chosen else Lines()
    name = _stem(path) if alike else path.resolve().parent.name
    dataset = Dataset(name, list(_questions(path, lines)))
    if rows and "role" in rows[0]:
        dataset.messages = rows
    else:
        dataset.chunks = rows
    return dataset


def _stem(path: Path) -> str:
    return path.name.split(".")[0]


def _questions(path: Path, lines: Lines) -> Iterator[Question]:
    for number, line in enumerate(lines, 1):
        evidence = line.get("evidence")
        if not isinstance(line.get("question"), str) or not isinstance(evidence, list):
            raise CommandError(f"{path}:{number} needs `question` and a list `evidence`", ExitCode.USAGE)
        category = line.get("category")
        ids = frozenset(str(each) for each in cast("list[Any]", evidence))
        yield Question(line["question"], ids, None if category is None else str(category))
