"""Marks in the messages of a ChatGPT export: what an answer says about a hostile page costs neither time nor memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers import chatgpt
from memctl.importers.chatgpt import read_chatgpt
from memctl.importers.records import Message
from tests.support.regex_steps import counting_steps

SHORT, TIMES = 60, 4


def read(tmp_path: Path, text: str, references: list[dict[str, str]]) -> str:
    """The content that an answer with these references is imported with."""
    answer = {
        "author": {"role": "assistant"},
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {"content_references": references},
    }
    mapping: dict[str, Any] = {"n": {"message": answer, "parent": None}}
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([{"id": "c", "current_node": "n", "mapping": mapping}]))
    (record,) = read_chatgpt(export, "chatgpt")
    assert isinstance(record, Message)
    return record.request.content


@pytest.mark.parametrize("piece", ["【†a", "\t【†", "【a", "\ue200a", " \ue200"])
def test_marks_without_an_end_cost_no_more_than_their_share(
    piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first, 2,000 times, took 2.5 seconds, and eight times that for each doubling."""
    steps = counting_steps(monkeypatch, chatgpt)
    counts: list[int] = []
    for length in (SHORT, TIMES * SHORT):
        before = steps.count
        read(tmp_path, f"It rains. {piece * length}", [])
        counts.append(steps.count - before)
    assert counts[1] < 2 * TIMES * counts[0]


def test_a_reference_is_not_replaced_in_the_replacement_of_another(tmp_path: Path) -> None:
    """Thirty references to one mark, each shown as two of it, made a text of a billion."""
    mark = "\ue200cite\ue202turn0\ue201"
    assert read(tmp_path, f"It rains.{mark}", [{"matched_text": mark, "alt": mark * 2}] * 60) == "It rains."


def test_the_name_of_an_entity_that_is_nested_too_deeply_is_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, f"It rains.\ue200entity\ue202{'[' * 100_000}\ue201", []) == "It rains."
