"""A ChatGPT export with values of other types, where strings belong, leaves those parts out."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers.chatgpt import read_chatgpt
from memctl.importers.records import Message

ODD: list[Any] = [["x"], {"a": 1}, 7]


def conversation(current: Any = "b", **changed: Any) -> dict[str, Any]:
    """A conversation of two messages; the second one has other values."""
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["The mill is open."]}}
    return {
        "conversation_id": "c",
        "create_time": 1_700_000_000,
        "current_node": current,
        "mapping": {
            "a": {"message": {"id": "1", **message}, "parent": None},
            "b": {"message": {"id": "2", **message, **changed}, "parent": "a"},
        },
    }


def read(tmp_path: Path, document: dict[str, Any]) -> list[Any]:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([document]))
    return [each for each in read_chatgpt(path, "chatgpt") if isinstance(each, Message)]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_message_of_an_odd_kind_is_left_out(odd: Any, tmp_path: Path) -> None:
    assert len(read(tmp_path, conversation())) == 2
    assert len(read(tmp_path, conversation(content={"content_type": odd, "parts": ["x"]}))) == 1
    assert len(read(tmp_path, conversation(recipient=odd))) == 1


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_without_a_readable_current_node_the_newest_branch_is_taken(odd: Any, tmp_path: Path) -> None:
    assert len(read(tmp_path, conversation(current=odd))) == 2
    broken = conversation()
    broken["mapping"]["b"]["parent"] = odd
    assert len(read(tmp_path, broken)) == 1
