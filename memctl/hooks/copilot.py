"""The answer of Copilot CLI, which the end of a turn does not name: it is in the transcript."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from memctl.hooks.transcripts import read_transcript

WRITTEN_S: Final = 2.0
"""How long Copilot may take to write what has happened before the end of the turn."""
_LOOK_S: Final = 0.02
_TAIL_BYTES: Final = 1 << 18
_END, _PROMPT = b'"hookType":"agentStop"', b'"type":"user.message"'


def last_answer(path: Path) -> str:
    """The agent's last message; empty when the user has spoken since. OSError, also unless the path is a file.

    Copilot starts the hook before it has written the answer, and writes the start of the hook after it.
    """
    latest = time.monotonic() + WRITTEN_S
    while not _holds_end_of_turn(path) and time.monotonic() < latest:
        time.sleep(_LOOK_S)
    last = next(reversed(read_transcript(path, None)), None)
    return last.content if last is not None and last.role == "assistant" else ""


def _holds_end_of_turn(path: Path) -> bool:
    """Whether the turn of the last prompt has ended in the transcript."""
    tail = b""
    with suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        tail = file.read(_TAIL_BYTES)
    return tail.rfind(_END) > tail.rfind(_PROMPT)
