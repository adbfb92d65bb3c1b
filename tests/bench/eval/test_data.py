"""Question sets are found by what their files hold (docs/evaluation.md)."""

import json
from pathlib import Path

import pytest

from tests.bench.eval.data import discover

TURNS = [
    {
        "id": f"D1:{number}",
        "sessionKey": "s1",
        "timestamp": 1_683_554_160_000,
        "speaker": "Caroline",
        "role": "user",
        "content": f"Sentence {number}.",
    }
    for number in (1, 2)
]
CHUNKS = [{"content": "Панда", "dedupeKey": "P#0", "metadata": {"title": "Zoo"}}]


def write(path: Path, *lines: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "talks" / "a-1.messages.jsonl", *TURNS)
    write(tmp_path / "talks" / "a-1.observations.jsonl", {"speaker": "Caroline", "fact": "…", "evidence": ["D1:1"]})
    write(
        tmp_path / "talks" / "a-1.questions.jsonl",
        {"question": "Who?", "category": 1, "evidence": ["D1:1"]},
        {"question": "When?", "category": 2, "evidence": ["D1:1"]},
        {"question": "What of Mars?", "evidence": []},
    )
    write(tmp_path / "any-name" / "chunks.jsonl", *CHUNKS)
    write(tmp_path / "any-name" / "questions.jsonl", {"question": "Кто?", "evidence": ["P#0"]})
    (tmp_path / "README.md").write_text("about the data")
    return tmp_path


def test_folders_are_distinguished_by_their_lines(root: Path) -> None:
    found = discover(root)
    (talk,) = found.conversations
    (passages,) = found.passages
    assert (talk.path, passages.path) == ("talks/a-1", "any-name/any-name")
    assert [turn.id for turn in talk.turns] == ["D1:1", "D1:2"]
    assert talk.texts[0].title == "Caroline, 8 May 2023"
    assert passages.texts[0].whole == "Zoo\nПанда"


def test_questions_without_evidence_are_kept_apart(root: Path) -> None:
    (talk,) = discover(root).conversations
    assert [question.text for question in talk.questions] == ["Who?", "When?"]
    assert [question.text for question in talk.unanswerable] == ["What of Mars?"]


@pytest.mark.parametrize(("pattern", "talks", "passages"), [("a-*", 1, 0), ("any-*", 0, 1), ("x", 0, 0)])
def test_patterns_choose_by_name_or_folder(root: Path, pattern: str, talks: int, passages: int) -> None:
    found = discover(root, [pattern])
    assert (len(found.conversations), len(found.passages)) == (talks, passages)


def test_corrections_replace_the_evidence_and_take_questions_out(root: Path) -> None:
    write(
        root / "talks" / "a-1.corrections.jsonl",
        {"question": "Who?", "evidence": ["D1:2"]},
        {"question": "When?", "evidence": []},
    )
    (talk,) = discover(root).conversations
    assert talk.corrected is not None
    assert [(question.text, question.evidence) for question in talk.corrected] == [("Who?", {"D1:2"})]
    assert len(talk.questions) == 2


def test_without_corrections_there_is_one_answer_key(root: Path) -> None:
    assert all(each.corrected is None for each in [*discover(root).conversations, *discover(root).passages])


def test_a_folder_without_questions_is_left_out_aloud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "half" / "chunks.jsonl", *CHUNKS)
    found = discover(tmp_path)
    assert not found.conversations
    assert not found.passages
    assert "half" in capsys.readouterr().err
