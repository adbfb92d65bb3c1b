"""How long an agent waits for a hook: `memctl hooks run` as installed, beside an interpreter that does nothing."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tests.support.daemon import Daemon

RUNS: Final = 200
EVENTS: Final[Mapping[str, Mapping[str, str]]] = {
    "session-start": {"hook_event_name": "SessionStart", "source": "startup"},
    "prompt": {"hook_event_name": "UserPromptSubmit", "prompt": "What did we decide about the release?"},
    "turn-end": {"hook_event_name": "Stop", "last_assistant_message": "The release is on Tuesday."},
    "session-end": {"hook_event_name": "SessionEnd", "reason": "other"},
}


class Wait(NamedTuple):
    """Milliseconds of one kind of process."""

    what: str
    p50: float
    p95: float


def measure(daemon: Daemon) -> Iterator[Wait]:
    """`python -c pass`, then every event with memd running, then a prompt and the end of a turn without it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # deliveries in the background end later
        home = Path(folder)
        yield _timed("python -c pass", [sys.executable, "-c", "pass"], "", home, daemon)
        for event, fields in EVENTS.items():
            yield _timed(event, _hook(event, home), _document(fields), home, daemon)
        daemon.stop()
        for event in ("prompt", "turn-end"):
            yield _timed(f"{event}, memd away", _hook(event, home), _document(EVENTS[event]), home, daemon)


def _document(fields: Mapping[str, str]) -> str:
    return json.dumps({"session_id": "bench", "prompt_id": "p", "cwd": "/bench", **fields})


def _hook(event: str, home: Path) -> list[str]:
    program = str(Path(sys.executable).with_name("memctl"))
    return [program, "hooks", "run", event, "--client", "claude-code", "--state", str(home / "hooks")]


def _timed(what: str, command: Sequence[str], document: str, home: Path, daemon: Daemon) -> Wait:
    places = {"MEMD_DATA_DIR": str(daemon.data_dir), "MEMCTL_CONFIG": str(home / "none.toml")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **places}
    waits: list[float] = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, input=document, capture_output=True, text=True, env=environment, check=True)
        waits.append((time.perf_counter() - begun) * 1000)
    p50, p95 = np.percentile(waits, (50, 95))
    return Wait(what, float(p50), float(p95))
