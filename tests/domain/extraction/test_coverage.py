"""How much of real talk extraction keeps, measured by the facts that the authors of the data saw in its turns."""

import json
import os
from pathlib import Path
from uuid import UUID, uuid5

import pytest

from memd.domain.extraction.conversation_windows import SourceMessage, conversation_windows
from memd.domain.extraction.extract import extract
from memd.domain.types import MessageRole

EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[3] / ".." / "shared" / "eval")) / "locomo-dev"
NAMESPACE = UUID(int=0)


def read(name):
    return [json.loads(line) for line in (EVAL / name).read_text(encoding="utf-8").splitlines()]


def source(row, name):
    return SourceMessage(
        id=uuid5(NAMESPACE, f"{name} {row['id']}"),
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
def test_memories_are_facts_short_and_most_facts_are_among_them():
    on_fact = made = kept = said = 0
    facts: set[UUID] = set()
    covered: set[UUID] = set()
    for name in sorted(path.name for path in EVAL.glob("*.observations.jsonl")):
        rows = read(name.replace("observations", "messages"))
        messages = [source(row, name) for row in rows]
        own = {uuid5(NAMESPACE, f"{name} {turn}") for fact in read(name) for turn in fact["evidence"]}
        for window in conversation_windows(messages):
            for memory in extract(window):
                sources = {window.messages[at].id for at in memory.source_indexes}
                made, on_fact, kept = made + 1, on_fact + bool(sources & own), kept + len(memory.content)
                covered |= sources
        facts |= own
        said += sum(len(row["content"]) for row in rows)
    assert on_fact / made >= 0.82
    assert len(facts & covered) / len(facts) >= 0.6
    assert kept / said <= 0.3
