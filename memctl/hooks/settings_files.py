"""Hooks in the JSON settings of an agent: entries of ours are added and removed, everything else stays."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from memctl.hooks.agents import OURS, Agent
from memctl.hooks.events import Event

Json = dict[str, Any]


class UnknownSettingsError(Exception):
    """The file cannot be read as settings of the agent; the text says why."""


def with_hooks(text: str, agent: Agent, commands: Mapping[Event, str]) -> str:
    """The settings with an entry for each event, in place of earlier ones of ours."""
    document = _without_ours(_read(text), agent)
    if not document:
        document.update(agent.head)
    hooks = document.setdefault("hooks", {})
    for event, name in agent.events.items():
        entry = agent.entry(commands[event])
        hooks.setdefault(name, []).append({"hooks": [entry]} if agent.has_groups else entry)
    return _written(document, text)


def without_hooks(text: str, agent: Agent) -> str:
    """The settings without entries of ours; the same text when it has none."""
    document = _read(text)
    if not any(_is_ours(entry) for _, entry in _entries(document, agent)):
        return text
    return _written(_without_ours(document, agent), text)


def holds_nothing(text: str, agent: Agent) -> bool:
    """Whether nothing is in the settings but what a new file begins with."""
    return all(agent.head.get(name) == value for name, value in _read(text).items())


def commands_in(text: str, agent: Agent) -> dict[str, str]:
    """The commands of ours in the settings, by the agent's name of the event."""
    return {name: str(entry["command"]) for name, entry in _entries(_read(text), agent) if _is_ours(entry)}


def _read(text: str) -> Json:
    try:
        read: Any = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise UnknownSettingsError(f"it is not plain JSON ({error})") from error
    hooks = cast("Json", read).get("hooks", {}) if isinstance(read, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(rows, list) for rows in cast("Json", hooks).values()):
        raise UnknownSettingsError("it does not hold an object with lists of hooks by event")
    return cast("Json", read)


def _entries(document: Json, agent: Agent) -> list[tuple[str, Json]]:
    """Every entry with the name of its event."""
    found: list[tuple[str, Json]] = []
    for name, rows in cast("dict[str, list[Any]]", document.get("hooks", {})).items():
        for row in _objects(rows):
            found += [(name, entry) for entry in (_objects(row.get("hooks")) if agent.has_groups else [row])]
    return found


def _without_ours(document: Json, agent: Agent) -> Json:
    """The settings without our entries, and without the groups and events that held nothing else."""
    hooks: Json = {}
    for name, rows in cast("dict[str, list[Any]]", document.get("hooks", {})).items():
        kept = [rest for row in rows if (rest := _rest(row, agent)) is not None]
        if kept or not rows:
            hooks[name] = kept
    others = {name: value for name, value in document.items() if name != "hooks"}
    if not hooks and document.get("hooks"):
        return others
    return {name: hooks if name == "hooks" else value for name, value in document.items()}


def _rest(row: Any, agent: Agent) -> Any:
    """A row of an event without our entries; None when it held nothing else."""
    if not isinstance(row, dict):
        return row
    fields = cast("Json", row)
    if not agent.has_groups:
        return None if _is_ours(fields) else fields
    entries = cast("list[Any]", fields.get("hooks")) if isinstance(fields.get("hooks"), list) else []
    kept: list[Any] = [entry for entry in entries if not isinstance(entry, dict) or not _is_ours(cast("Json", entry))]
    if len(kept) == len(entries):
        return fields
    return {**fields, "hooks": kept} if kept else None


def _is_ours(entry: Json) -> bool:
    return OURS.search(str(entry.get("command", ""))) is not None


def _objects(value: Any) -> list[Json]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def _written(document: Json, before: str) -> str:
    """The document as text, indented as the file was."""
    indent = re.search(r"^([ \t]+)\"", before, re.MULTILINE)
    end = "" if before and not before.endswith("\n") else "\n"
    return json.dumps(document, ensure_ascii=False, indent=indent[1] if indent else 2) + end
