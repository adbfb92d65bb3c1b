"""How much of real talk extraction keeps: the evidence of single-fact questions must be in some memory's sources."""

import json
import os
from pathlib import Path
from uuid import UUID, uuid5

import pytest

from memd.domain.conversation_windows import SourceMessage, conversation_windows
from memd.domain.extraction import extract
from memd.domain.types import MessageRole

EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[2] / ".." / "shared" / "eval")) / "locomo-dev"
SINGLE_FACT = 4
NAMESPACE = UUID(int=0)


def read(name):
    return [json.loads(line) for line in (EVAL / name).read_text(encoding="utf-8").splitlines()]


def source(row):
    return SourceMessage(
        id=uuid5(NAMESPACE, row["id"]),
        role=MessageRole(row["role"]),
        content=row["content"],
        timestamp=row["timestamp"],
        created_at=row["timestamp"],
        speaker=row["speaker"],
        channel="people",
        session_key=row["sessionKey"],
    )


@pytest.mark.eval
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
def test_nine_of_ten_facts_asked_for_are_in_a_memory():
    asked = kept = 0
    for questions in sorted(path.name for path in EVAL.glob("*.questions.jsonl")):
        messages = [source(row) for row in read(questions.replace("questions", "messages"))]
        windows = conversation_windows(messages, messages[-1].created_at + 3_600_000)
        covered = {
            window.messages[at].id for window in windows for memory in extract(window) for at in memory.source_indexes
        }
        evidence = [row["evidence"] for row in read(questions) if row["category"] == SINGLE_FACT]
        asked += len(evidence)
        kept += sum(any(uuid5(NAMESPACE, one) in covered for one in ids) for ids in evidence)
    assert asked > 200
    assert kept / asked >= 0.9
