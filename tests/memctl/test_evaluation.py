"""The measures of `memctl eval`: recall, hits, and abstaining at what has no answer."""

import json
from pathlib import Path

import pytest

from memctl.diagnostics import CommandError
from memctl.evaluation import Answer, Question, figures, read_datasets

KNOWN = Question("Where?", frozenset({"a", "b"}))
OTHER = Question("When?", frozenset({"c"}))
UNKNOWN = Question("Who on Mars?", frozenset())


def test_unanswerable_questions_count_for_abstention_alone() -> None:
    answers = [
        Answer(KNOWN, ["x", "a"], 1.0),
        Answer(OTHER, [], 1.0, abstained=True),
        Answer(UNKNOWN, ["x"], 1.0),
        Answer(UNKNOWN, [], 1.0, abstained=True),
        Answer(UNKNOWN, ["x"], 1.0, abstained=True),
    ]
    found = figures(answers, [2])
    assert (found.questions, found.recall[2], found.hit[2], found.mrr) == (2, 0.25, 0.5, 0.25)
    assert found.to_wire()["abstention"] == {"unanswerable": 3, "abstained": 3, "precision": 0.6667, "recall": 0.6667}


def test_who_never_abstains_has_no_precision() -> None:
    found = figures([Answer(UNKNOWN, ["x"], 1.0)], [5])
    assert found.to_wire()["abstention"] == {"unanswerable": 1, "abstained": 0, "precision": None, "recall": 0.0}
    assert (found.questions, found.recall[5], found.mrr) == (0, 0.0, 0.0)


def test_without_unanswerable_questions_nothing_is_said_of_abstention() -> None:
    assert "abstention" not in figures([Answer(KNOWN, ["a"], 1.0)], [1]).to_wire()


def test_an_empty_list_of_evidence_is_read_and_none_at_all_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"question": "Who?", "evidence": []}))
    assert read_datasets([file])[0].questions == [Question("Who?", frozenset())]
    file.write_text(json.dumps({"question": "Who?"}))
    with pytest.raises(CommandError, match="evidence"):
        read_datasets([file])
