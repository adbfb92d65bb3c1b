"""Values of kinds that no importer expects end as a refusal or a default, never as a traceback, and the rest is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers.exports import epoch_ms
from memctl.importers.front_matter import BrokenFrontMatter, page_of
from memctl.importers.jsonl import read_jsonl
from memctl.importers.markdown_notes import read_markdown
from memctl.importers.memory_files import row_of_file
from memctl.importers.pieces import Refusal
from memctl.importers.records import Chunk, Memory
from memctl.wire.enums import Category

OUTSIDE_OF_FLOATS = "1" + ":1" * 400 + ".5"
"""A number of YAML to the base 60 that is larger than any float."""


@pytest.mark.parametrize("field", ["memd: [memory]", "memd: {kind: memory}", "category: [rule]", "category: {a: rule}"])
def test_a_note_whose_kind_or_category_is_no_text_is_a_fact(field: str, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(f"---\n{field}\n---\n\nThe mill is open.\n")
    (note,) = read_markdown(path, None)
    assert isinstance(note, Memory)
    assert note.request.category is Category.FACT


def test_a_number_larger_than_any_float_is_no_front_matter() -> None:
    text = f"---\nlength: {OUTSIDE_OF_FLOATS}\n---\nThe mill is open.\n"
    with pytest.raises(BrokenFrontMatter, match="type"):
        row_of_file(text, "note.md")
    assert page_of(text) == ("", "The mill is open.\n")


@pytest.mark.parametrize("moment", [float("inf"), float("nan"), -1e308])
def test_a_time_that_is_no_number_of_milliseconds_is_none(moment: float) -> None:
    assert epoch_ms(moment) is None


def test_a_time_after_all_calendars_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(f"---\ncreated: {'9' * 400}\n---\n\nThe mill is open.\n")
    (refusal,) = read_markdown(path, None)
    assert isinstance(refusal, Refusal)
    assert "createdAt" in refusal.reason


def deep(levels: int) -> Any:
    return json.loads('{"a":' * levels + "1" + "}" * levels)


def test_odd_lines_are_refused_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    message = {"role": "user", "content": "The mill is open."}
    rows = [
        {**message, "sessionKey": {"a": 1}},
        {**message, "sessionKey": ["a"]},
        {"content": "The mill is open.", "metadata": deep(900)},
        {"content": "The mill is open.", "knowledgeBaseId": "kb", "chunk": "mill.md", "title": "Mill"},
        {"content": "The mill is open."},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    mapping, listed, nested, chunk, memory = read_jsonl(path, None)
    reasons = [each.reason.partition(":")[0] for each in (mapping, listed, nested) if isinstance(each, Refusal)]
    assert reasons == ["sessionKey", "sessionKey", "nested too deeply"]
    assert (type(chunk), type(memory)) == (Chunk, Memory)


def test_a_knowledge_base_whose_metadata_is_no_object_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"knowledgeBase": {"id": "kb_1", "name": "Handbook", "metadata": "text"}}) + "\n")
    (found,) = read_jsonl(path, None)
    assert isinstance(found, Refusal)
    assert "metadata: must be an object" in found.reason
