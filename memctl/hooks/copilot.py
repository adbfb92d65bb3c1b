"""The answer of Copilot CLI, which the end of a turn does not name: it is in the transcript."""

import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from memctl.hooks.transcripts import read_transcript

WRITTEN_S: Final = 2.0
"""How long Copilot may take to write what has happened before the end of the turn."""
_LOOK_S: Final = 0.02
_TAIL_BYTES: Final = 1 << 18


def last_answer(path: Path, ended: str) -> str:
    """The agent's last message; empty when the user has spoken since. OSError, also unless the path is a file.

    Copilot starts the hook before it has written the answer, and after the answer it writes that it has started the
    hook, with the time of the event: `ended`, an ISO time.
    """
    mark = _mark(ended)
    latest = time.monotonic() + WRITTEN_S
    while mark not in _tail(path) and time.monotonic() < latest:
        time.sleep(_LOOK_S)
    last = next(reversed(read_transcript(path, None)), None)
    return last.content if last is not None and last.role == "assistant" else ""


def _mark(ended: str) -> bytes:
    """The time as the transcript has it; empty, which is in every text, without one."""
    with suppress(ValueError, OverflowError):
        return b'"timestamp":%d' % round(datetime.fromisoformat(ended).timestamp() * 1000)
    return b""


def _tail(path: Path) -> bytes:
    """The end of the transcript; empty when there is none yet. A pipe, which could be waited for without end, is none."""
    if not path.is_file():
        return b""
    with suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        return file.read(_TAIL_BYTES)
    return b""
