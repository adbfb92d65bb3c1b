"""Coding agents that hooks can be installed for: their files, their names of the events, and the form of an entry."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memctl.hooks.events import Event
from memctl.hooks.plugin_files import OpenClawManifest, OpenClawSettings, Script
from memctl.hooks.settings_files import Form, JsonHooks

TIMEOUT_S: Final = 5
"""When an agent ends a hook that does not end by itself."""


@dataclass(frozen=True, slots=True)
class HookFile:
    """A file of an agent for a person, and for a project when the agent has one there."""

    personal: Callable[[Path], Path]
    shared: Path | None
    form: Form


@dataclass(frozen=True, slots=True)
class Agent:
    """A program and the files that its hooks need, in the order in which they are written."""

    title: str
    files: tuple[HookFile, ...]
    afterwards: str

    def form_of(self, path: Path) -> Form:
        """The form of one of the files, which all have other names."""
        return next(file.form for file in self.files if file.personal(Path()).name == path.name)


def _folder(variable: str, home: Path, name: str) -> Path:
    return Path(named) if (named := os.environ.get(variable)) else home / name


def _openclaw(home: Path) -> Path:
    return _folder("OPENCLAW_STATE_DIR", home, ".openclaw")


def _openclaw_settings(home: Path) -> Path:
    named = os.environ.get("OPENCLAW_CONFIG_PATH")
    return Path(named) if named and home != Path() else _openclaw(home) / "openclaw.json"


def _command(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT_S}


_CLAUDE_EVENTS: Final = {
    Event.SESSION_START: "SessionStart",
    Event.PROMPT: "UserPromptSubmit",
    Event.TURN_END: "Stop",
    Event.COMPACTION: "PreCompact",
    Event.SESSION_END: "SessionEnd",
}
_GEMINI_EVENTS: Final = {
    **_CLAUDE_EVENTS,
    Event.PROMPT: "BeforeAgent",
    Event.TURN_END: "AfterAgent",
    Event.COMPACTION: "PreCompress",
}
_CURSOR_EVENTS: Final = {
    Event.SESSION_START: "sessionStart",
    Event.PROMPT: "beforeSubmitPrompt",
    Event.TURN_END: "afterAgentResponse",
    Event.COMPACTION: "preCompact",
    Event.SESSION_END: "sessionEnd",
}

AGENTS: Mapping[str, Agent] = {
    "claude-code": Agent(
        "Claude Code",
        (
            HookFile(
                lambda home: _folder("CLAUDE_CONFIG_DIR", home, ".claude") / "settings.json",
                Path(".claude/settings.json"),
                JsonHooks(_CLAUDE_EVENTS, _command),
            ),
        ),
        "start a new session; /hooks lists them",
    ),
    "codex": Agent(
        "Codex",
        (
            HookFile(
                lambda home: _folder("CODEX_HOME", home, ".codex") / "hooks.json",
                Path(".codex/hooks.json"),
                JsonHooks(_CLAUDE_EVENTS, _command),
            ),
        ),
        "start a session and trust them with /hooks, without which Codex runs none of them",
    ),
    "gemini-cli": Agent(
        "Gemini CLI",
        (
            HookFile(
                lambda home: _folder("GEMINI_CLI_HOME", home, "") / ".gemini" / "settings.json",
                Path(".gemini/settings.json"),
                JsonHooks(
                    _GEMINI_EVENTS, lambda command: {"name": "memd", **_command(command), "timeout": TIMEOUT_S * 1000}
                ),
            ),
        ),
        "start a new session; /hooks lists them",
    ),
    "cursor": Agent(
        "Cursor",
        (
            HookFile(
                lambda home: home / ".cursor" / "hooks.json",
                Path(".cursor/hooks.json"),
                JsonHooks(
                    _CURSOR_EVENTS,
                    lambda command: {"command": command, "timeout": TIMEOUT_S},
                    has_groups=False,
                    head={"version": 1},
                ),
            ),
        ),
        "look in the settings under Hooks; Cursor takes text at the start of a session only",
    ),
    "copilot": Agent(
        "Copilot CLI",
        (
            HookFile(
                lambda home: _folder("COPILOT_HOME", home, ".copilot") / "hooks" / "memd.json",
                Path(".github/hooks/memd.json"),
                JsonHooks(_CLAUDE_EVENTS, _command, has_groups=False, head={"version": 1}),
            ),
        ),
        "start a new session",
    ),
    "openclaw": Agent(
        "OpenClaw",
        (
            HookFile(lambda home: _openclaw(home) / "extensions/memd/index.js", None, Script("openclaw")),
            HookFile(lambda home: _openclaw(home) / "extensions/memd/openclaw.plugin.json", None, OpenClawManifest()),
            HookFile(_openclaw_settings, None, OpenClawSettings()),
        ),
        "restart the gateway; `openclaw plugins inspect memd --runtime` shows them",
    ),
    "opencode": Agent(
        "opencode",
        (
            HookFile(
                lambda home: _folder("XDG_CONFIG_HOME", home, ".config") / "opencode/plugins/memd.js",
                Path(".opencode/plugins/memd.js"),
                Script("opencode"),
            ),
        ),
        "start a new session",
    ),
}
