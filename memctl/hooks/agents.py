"""Coding agents that hooks can be installed for: their files, their names of the events, and the form of an entry."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memctl.hooks.events import Event

TIMEOUT_S: Final = 5
"""When an agent ends a hook that does not end by itself."""
OURS: Final = re.compile(r"\bmemctl\b.*\bhooks run\b")
"""The command of an entry of ours."""


@dataclass(frozen=True, slots=True)
class Agent:
    """A program: its settings files for a person and for a project, and its names of the events.

    `entry` makes the entry of a command. In most files an event holds groups with a list of entries each; where
    `has_groups` is false it holds the entries themselves. `head` are fields that a new file begins with.
    """

    title: str
    personal: Callable[[Path], Path]
    shared: Path
    events: Mapping[Event, str]
    entry: Callable[[str], dict[str, Any]]
    afterwards: str
    has_groups: bool = True
    head: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _folder(variable: str, home: Path, name: str) -> Path:
    return Path(named) if (named := os.environ.get(variable)) else home / name


def _command(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT_S}


AGENTS: Mapping[str, Agent] = {
    "claude-code": Agent(
        "Claude Code",
        lambda home: _folder("CLAUDE_CONFIG_DIR", home, ".claude") / "settings.json",
        Path(".claude/settings.json"),
        {
            Event.SESSION_START: "SessionStart",
            Event.PROMPT: "UserPromptSubmit",
            Event.TURN_END: "Stop",
            Event.COMPACTION: "PreCompact",
            Event.SESSION_END: "SessionEnd",
        },
        _command,
        "start a new session; /hooks lists them",
    ),
    "codex": Agent(
        "Codex",
        lambda home: _folder("CODEX_HOME", home, ".codex") / "hooks.json",
        Path(".codex/hooks.json"),
        {
            Event.SESSION_START: "SessionStart",
            Event.PROMPT: "UserPromptSubmit",
            Event.TURN_END: "Stop",
            Event.COMPACTION: "PreCompact",
            Event.SESSION_END: "SessionEnd",
        },
        _command,
        "start a session and trust them with /hooks, without which Codex runs none of them",
    ),
    "gemini-cli": Agent(
        "Gemini CLI",
        lambda home: _folder("GEMINI_CLI_HOME", home, "") / ".gemini" / "settings.json",
        Path(".gemini/settings.json"),
        {
            Event.SESSION_START: "SessionStart",
            Event.PROMPT: "BeforeAgent",
            Event.TURN_END: "AfterAgent",
            Event.COMPACTION: "PreCompress",
            Event.SESSION_END: "SessionEnd",
        },
        lambda command: {"name": "memd", "type": "command", "command": command, "timeout": TIMEOUT_S * 1000},
        "start a new session; /hooks lists them",
    ),
    "cursor": Agent(
        "Cursor",
        lambda home: home / ".cursor" / "hooks.json",
        Path(".cursor/hooks.json"),
        {
            Event.SESSION_START: "sessionStart",
            Event.PROMPT: "beforeSubmitPrompt",
            Event.TURN_END: "afterAgentResponse",
            Event.COMPACTION: "preCompact",
            Event.SESSION_END: "sessionEnd",
        },
        lambda command: {"command": command, "timeout": TIMEOUT_S},
        "look in the settings under Hooks; Cursor takes text at the start of a session only",
        has_groups=False,
        head={"version": 1},
    ),
}
