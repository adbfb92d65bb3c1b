"""Rows of context that a session has already: each is added to its conversation once, until that is compacted."""

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from memctl.hooks.state import write_private

KEEPS_CONTEXT: Final = {"claude-code", "codex", "copilot", "opencode"}
"""Agents that keep what was added to a prompt in the conversation; others forget it after the turn."""
_ID: Final = re.compile(r"\[(\w+_\w+)\]$")


def without_repeats(text: str, shown: Collection[str]) -> str:
    """A context without the rows in `shown`, and without the headings that are left alone; empty without any row."""
    notice, *blocks = text.split("\n\n")
    kept: list[str] = []
    for block in blocks:
        heading, *rows = block.split("\n")
        fresh = [row for row in rows if _name(heading, row) not in shown]
        if fresh:
            kept.append("\n".join([heading, *fresh]))
    return "\n\n".join([notice, *kept]) if kept else ""


def rows_of(text: str) -> list[str]:
    """The name of each row of a context: its heading and its id."""
    blocks = (block.split("\n") for block in text.split("\n\n")[1:])
    return [name for heading, *rows in blocks for row in rows if (name := _name(heading, row))]


def _name(heading: str, row: str) -> str:
    found = _ID.search(row)
    return f"{heading} {found[1]}" if found else ""


def shown_in(path: Path) -> list[str]:
    """The rows that the session of this file has; none when there is no such file."""
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text("utf-8").split("\n")
    return []


def remember_shown(path: Path, shown: Iterable[str]) -> None:
    """Keep the rows that the session has."""
    write_private(path, "\n".join(shown))


def forget_shown(path: Path) -> None:
    """The session has none of them any more."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
