"""Whose data export a file is: ChatGPT and Claude both call theirs conversations.json."""

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from memctl.diagnostics import CommandError, ExitCode
from memctl.importers.exports import listed


class Program(StrEnum):
    """A program that exports conversations; its value is the command that imports them."""

    CHATGPT = "chatgpt"
    CLAUDE = "claude"


_TITLES: Final = {Program.CHATGPT: "ChatGPT", Program.CLAUDE: "Claude"}
_FIELDS: Final = {
    Program.CHATGPT: frozenset({"mapping"}),
    Program.CLAUDE: frozenset({"chat_messages", "docs", "prompt_template", "conversations_memory", "project_memories"}),
}
"""Fields that only the entries of that program have, one of which each of its entries has."""


def entries_of(program: Program, document: Any, name: str, path: Path) -> list[dict[str, Any]]:
    """The entries of a document of an export, which may be empty.

    CommandError when it is not one of `program`, with the command to use when it looks like another's; `path` is what
    was to be imported.
    """
    wrong = f"a {_TITLES[program]} export: a list of conversations"
    entries = listed(document, name, wrong)
    if not entries or _looks_like(program, entries):
        return entries
    other = next((each for each in Program if _looks_like(each, entries)), None)
    if other is None:
        raise CommandError(f"{name} is not {wrong}", ExitCode.USAGE)
    raise CommandError(
        f"{name} is not a {_TITLES[program]} export, but looks like one of {_TITLES[other]}; "
        f"use: memctl import {other} {shlex.quote(str(path))}",
        ExitCode.USAGE,
    )


def _looks_like(program: Program, entries: list[dict[str, Any]]) -> bool:
    return any(_FIELDS[program] & entry.keys() for entry in entries)
