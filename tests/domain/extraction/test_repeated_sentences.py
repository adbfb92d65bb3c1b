"""Twice as many sentences cost twice as much, whatever a message repeats: no sentence has all the others read again."""

import sys
from types import FrameType
from uuid import UUID

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.types import MessageRole

USER, PROGRAM = MessageRole.USER, MessageRole.ASSISTANT


def said(*turns: tuple[MessageRole, str]) -> ConversationWindow:
    messages = (SourceMessage(UUID(int=n), role, text, n * 1000, n * 1000) for n, (role, text) in enumerate(turns))
    return ConversationWindow("c", None, tuple(messages))


def calls_of(window: ConversationWindow) -> int:
    """The Python functions that an extraction calls."""
    count = 0

    def called(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        extract(window)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("before", "role", "sentence"),
    [
        ("Hello. ", USER, "I live in Oslo. No, in Bergen. "),
        ("Hello. ", USER, "Please always use tabs. "),
        ("We decided to use Go. ", PROGRAM, "We decided to use Go. "),
        ("Der Termin ist am 1. Mai. ", USER, "Nein, am 2. Mai. "),
    ],
)
def test_twice_as_many_sentences_cost_twice_as_much(before: str, role: MessageRole, sentence: str) -> None:
    def window(count: int) -> ConversationWindow:
        return said((PROGRAM if role is USER else USER, before * count), (role, sentence * count))

    extract(window(1))
    one, two = (calls_of(window(count)) for count in (60, 120))
    assert two < 2.5 * one
