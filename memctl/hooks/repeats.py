"""Rows of context that a session has already: each is added to its conversation once, until that is compacted.

A row that says something else than before, as that of a memory which was edited, is another row; so is its short form.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from memctl.hooks.events import digest
from memctl.hooks.state import write_private

KEEPS_CONTEXT: Final = {"claude-code", "codex", "copilot", "opencode"}
"""Agents that keep what was added to a prompt in the conversation; others forget it after the turn."""


def without_repeats(text: str, shown: Collection[str]) -> str:
    """A context without the rows in `shown`, and without the headings that are left alone; empty without any row."""
    notice, *blocks = text.split("\n\n")
    kept: list[str] = []
    for block in blocks:
        heading, *rows = block.split("\n")
        fresh = [row for row in rows if digest(heading, row) not in shown]
        if fresh:
            kept.append("\n".join([heading, *fresh]))
    return "\n\n".join([notice, *kept]) if kept else ""


def rows_of(text: str) -> list[str]:
    """The digest of each row of a context, under its heading."""
    blocks = (block.split("\n") for block in text.split("\n\n")[1:])
    return [digest(heading, row) for heading, *rows in blocks for row in rows]


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
