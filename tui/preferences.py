"""The preferences that memtui keeps between its runs: the theme."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from memctl.settings import state_dir


def _file() -> Path:
    return state_dir() / "memtui.json"


def chosen_theme() -> str | None:
    """The theme of the last run; None when none was chosen, or the file cannot be read."""
    try:
        found: Any = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return None
    match found:
        case {"theme": str(theme)}:
            return theme
        case _:
            return None


def remember_theme(name: str) -> None:
    """Store the theme; a disk that refuses it is no reason to stop."""
    with suppress(OSError):
        _file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _file().write_text(json.dumps({"theme": name}) + "\n", "utf-8")
