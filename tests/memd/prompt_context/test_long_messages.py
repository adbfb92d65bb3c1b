"""Long messages in a context: read no further than their line needs, and not on the event loop."""

import threading

import pytest

from memd.prompt_context import service
from tests.support.service import TestUser
from tests.support.talk import talk
from tests.support.wire import post


async def test_lines_of_long_messages_are_made_beside_the_event_loop(
    wordy: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A context of 94 KB messages stopped all requests for two seconds."""
    loop, read = threading.current_thread(), list[int]()
    shorten = service.recall_text

    def noted(text: str) -> str:
        assert threading.current_thread() is not loop
        read.append(len(text))
        return shorten(text)

    monkeypatch.setattr(service, "recall_text", noted)
    await talk(wordy, *(f"{number} {'The mill by the river turns. ' * 3_000}" for number in range(3)))
    packed = await post(wordy, "context", {"query": "mill river", "tokenBudget": 1_000})
    assert len(read) == 3
    assert max(read) <= 4_000
    assert packed["text"].count("The mill by the river turns.") > 20
