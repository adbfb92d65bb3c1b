"""JSON lines of other systems: the names that these give to fields, and what is said about rows without content."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memctl.importers.jsonl import read_jsonl
from memctl.importers.mem0 import read_mem0
from memctl.importers.pieces import Refusal
from memctl.importers.records import Memory, Message
from memctl.wire.instants import to_ms

MARCH = to_ms(datetime(2025, 3, 1, 10, tzinfo=UTC))


def record(folder: Path, row: dict[str, Any]) -> Any:
    file = folder / "rows.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    return next(read_jsonl(file, None))


def test_a_passage_of_letta(tmp_path: Path) -> None:
    row = {"id": "passage-1", "text": "Ann's cat is called Minka.", "created_at": "2025-03-01T10:00:00Z"}
    found = record(tmp_path, row)
    assert isinstance(found, Memory)
    assert (found.request.content, found.request.title) == (row["text"], row["text"])
    assert found.request.created_at == MARCH


def test_a_fact_of_zep(tmp_path: Path) -> None:
    row = {"fact": "Kendra works at Adidas.", "valid_at": "2025-03-01T10:00:00Z", "invalid_at": None, "uuid": "x"}
    found = record(tmp_path, row)
    assert isinstance(found, Memory)
    assert (found.request.content, found.request.valid_from) == (row["fact"], row["valid_at"])
    assert found.request.valid_until is None


def test_a_message_with_created_at(tmp_path: Path) -> None:
    found = record(tmp_path, {"role": "user", "content": "I moved.", "created_at": "2025-03-01T10:00:00Z"})
    assert isinstance(found, Message)
    assert found.request.timestamp == MARCH


def test_the_names_of_the_wire_win(tmp_path: Path) -> None:
    row = {"content": "Of the wire.", "text": "Of another.", "createdAt": MARCH, "created_at": "2020-01-01"}
    found = record(tmp_path, row)
    assert isinstance(found, Memory)
    assert (found.request.content, found.request.created_at) == ("Of the wire.", MARCH)


def test_metadata_keeps_its_names(tmp_path: Path) -> None:
    found = record(tmp_path, {"content": "A", "metadata": {"created_at": 1, "text": "b"}})
    assert isinstance(found, Memory)
    assert found.request.metadata == {"created_at": 1, "text": "b"}


@pytest.mark.parametrize("content", ["", " ", None])
def test_a_row_without_content_is_refused_for_that(tmp_path: Path, content: str | None) -> None:
    found = record(tmp_path, {"title": "Empty", "content": content})
    assert isinstance(found, Refusal)
    assert found.reason == "Missing required field: content"
    export = tmp_path / "mem0.json"
    export.write_text(json.dumps([{"id": "a", "memory": content}]), "utf-8")
    refused = next(read_mem0(export, None))
    assert isinstance(refused, Refusal)
    assert refused.reason == "Missing required field: content"


def test_a_memory_of_mem0_ends_when_it_expires(tmp_path: Path) -> None:
    export = tmp_path / "mem0.json"
    export.write_text(json.dumps([{"id": "a", "memory": "In Berlin.", "expiration_date": "2027-01-10"}]), "utf-8")
    found = next(read_mem0(export, None))
    assert isinstance(found, Memory)
    assert found.request.valid_until == "2027-01-10"
