"""Files of agents that hold hooks: JSON settings, whose entries are ours or not, and scripts of ours."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast

from memctl.hooks.events import Event
from memctl.json_edit import UnknownSettingsError, parsed_object, rewritten

Json = dict[str, Any]
Commands = Mapping[Event, str]
OURS: Final = re.compile(r"\bmemctl\b.*\bhooks run\b")
"""The command of an entry of ours."""


class Form(Protocol):
    """How hooks are written into a file of an agent; all methods raise `UnknownSettingsError` for another file."""

    def with_hooks(self, text: str, commands: Commands) -> str:
        """The file with the commands, in place of earlier ones of ours."""
        ...

    def without_hooks(self, text: str) -> str:
        """The file without anything of ours; the same text when it has nothing of ours."""
        ...

    def holds_nothing(self, text: str) -> bool:
        """Whether the file holds no more than a new file does."""
        ...

    def commands_in(self, text: str) -> Mapping[str, str]:
        """The commands of ours in the file, by the agent's name of the event."""
        ...


@dataclass(frozen=True, slots=True)
class JsonHooks:
    """JSON settings with a list of hooks for each event.

    `events` are the agent's names. `entry` makes the entry of a command. In most files an event holds groups with a list
    of entries each; where `has_groups` is false it holds the entries themselves. `head` are fields that a new file begins
    with.
    """

    events: Mapping[Event, str]
    entry: Callable[[str], Json]
    has_groups: bool = True
    head: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def with_hooks(self, text: str, commands: Commands) -> str:
        """The settings with an entry for each event, in place of earlier ones of ours."""
        document = self._without_ours(_read(text))
        if not document:
            document.update(self.head)
        hooks = document.setdefault("hooks", {})
        for event, name in self.events.items():
            entry = self.entry(commands[event])
            hooks.setdefault(name, []).append({"hooks": [entry]} if self.has_groups else entry)
        return rewritten(text, document)

    def without_hooks(self, text: str) -> str:
        """The settings without entries of ours; the same text when it has none."""
        document = _read(text)
        if not any(_is_ours(entry) for _, entry in self._entries(document)):
            return text
        return rewritten(text, self._without_ours(document))

    def holds_nothing(self, text: str) -> bool:
        """Whether the settings hold no more than those of a new file."""
        return all(self.head.get(name) == value for name, value in _read(text).items())

    def commands_in(self, text: str) -> dict[str, str]:
        """The commands of ours in the settings, by the agent's name of the event."""
        return {name: str(entry["command"]) for name, entry in self._entries(_read(text)) if _is_ours(entry)}

    def _entries(self, document: Json) -> list[tuple[str, Json]]:
        """Every entry with the name of its event."""
        found: list[tuple[str, Json]] = []
        for name, rows in cast("dict[str, list[Any]]", document.get("hooks", {})).items():
            for row in _objects(rows):
                found += [(name, entry) for entry in (_objects(row.get("hooks")) if self.has_groups else [row])]
        return found

    def _without_ours(self, document: Json) -> Json:
        """The settings without our entries, and without the groups and events that held nothing else."""
        hooks: Json = {}
        for name, rows in cast("dict[str, list[Any]]", document.get("hooks", {})).items():
            kept = [rest for row in rows if (rest := self._rest(row)) is not None]
            if kept or not rows:
                hooks[name] = kept
        others = {name: value for name, value in document.items() if name != "hooks"}
        if not hooks and document.get("hooks"):
            return others
        return {name: hooks if name == "hooks" else value for name, value in document.items()}

    def _rest(self, row: Any) -> Any:
        """A row of an event without our entries; None when it held nothing else."""
        if not isinstance(row, dict):
            return row
        fields = cast("Json", row)
        if not self.has_groups:
            return None if _is_ours(fields) else fields
        entries = cast("list[Any]", fields.get("hooks")) if isinstance(fields.get("hooks"), list) else []
        kept: list[Any] = [each for each in entries if not isinstance(each, dict) or not _is_ours(cast("Json", each))]
        if len(kept) == len(entries):
            return fields
        return {**fields, "hooks": kept} if kept else None


def _read(text: str) -> Json:
    document = parsed_object(text)
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(rows, list) for rows in cast("Json", hooks).values()):
        raise UnknownSettingsError("it does not hold an object with lists of hooks by event")
    return document


def _is_ours(entry: Json) -> bool:
    return OURS.search(str(entry.get("command", ""))) is not None


def _objects(value: Any) -> list[Json]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]
