"""Plugins of agents that call code instead of commands: a script of ours, and what makes OpenClaw load it."""

import json
import re
import shlex
from copy import deepcopy
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, cast

from memctl.hooks.settings_files import Commands, Json
from memctl.json_edit import UnknownSettingsError, parsed_object, rewritten

PLUGIN: Final = "memd"
"""The id of the plugin in OpenClaw."""
_HEAD: Final = "// Made by `memctl hooks install {0}`, and removed by `memctl hooks uninstall {0}`.\n"
_NO_COMMANDS: Final = "const COMMANDS = {};"
_COMMANDS: Final = re.compile(r"^const COMMANDS = (\{.*\});$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Script:
    """A JavaScript file that is ours as a whole; it runs `memctl hooks run` for the events of the agent."""

    agent: str

    def with_hooks(self, text: str, commands: Commands) -> str:
        """The script with these commands."""
        if text.strip():
            raise UnknownSettingsError("it is not a file that memctl has made")
        words = {event.value: shlex.split(command) for event, command in commands.items()}
        sources = [
            _source("runner").replace(_NO_COMMANDS, f"const COMMANDS = {json.dumps(words)};"),
            _source(self.agent),
        ]
        return _HEAD.format(self.agent) + "\n".join(sources)

    def without_hooks(self, text: str) -> str:
        """Nothing; the same text when the file is not ours."""
        return "" if self._is_ours(text) else text

    def holds_nothing(self, text: str) -> bool:
        """Whether the file is empty."""
        return not text.strip()

    def commands_in(self, text: str) -> dict[str, str]:
        """The commands of the script by event."""
        found = _COMMANDS.search(text)
        if found is None or not self._is_ours(text):
            return {}
        return {event: shlex.join(words) for event, words in cast("dict[str, list[str]]", json.loads(found[1])).items()}

    def _is_ours(self, text: str) -> bool:
        return text.startswith(_HEAD.format(self.agent))


@dataclass(frozen=True, slots=True)
class OpenClawManifest:
    """The description of the plugin that OpenClaw reads before the script."""

    def with_hooks(self, text: str, commands: Commands) -> str:
        """The manifest, which has no commands."""
        del commands
        if text.strip():
            raise UnknownSettingsError("it is not a file that memctl has made")
        manifest = {
            "id": PLUGIN,
            "name": "memd",
            "activation": {"onStartup": True},
            "configSchema": {"type": "object", "additionalProperties": False},
        }
        return rewritten("", manifest)

    def without_hooks(self, text: str) -> str:
        """Nothing; the same text when the manifest is that of another plugin."""
        return "" if text.strip() and parsed_object(text).get("id") == PLUGIN else text

    def holds_nothing(self, text: str) -> bool:
        """Whether the file is empty."""
        return not text.strip()

    def commands_in(self, text: str) -> dict[str, str]:
        """None."""
        del text
        return {}


@dataclass(frozen=True, slots=True)
class OpenClawSettings:
    """The settings of OpenClaw, which let the plugin see prompts and answers."""

    def with_hooks(self, text: str, commands: Commands) -> str:
        """The settings with the plugin enabled, and in the list of allowed plugins when there is one."""
        del commands
        document = self._without_ours(parsed_object(text))
        plugins = _object(document, "plugins")
        entries = _object(plugins, "entries")
        entries[PLUGIN] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
        if isinstance(plugins.get("allow"), list):
            plugins["allow"] = [*plugins["allow"], PLUGIN]
        return rewritten(text, document)

    def without_hooks(self, text: str) -> str:
        """The settings without the plugin; the same text when it is not there."""
        document = parsed_object(text)
        rest = self._without_ours(document)
        return text if rest == document else rewritten(text, rest)

    def holds_nothing(self, text: str) -> bool:
        """Whether the settings are empty."""
        return not parsed_object(text)

    def commands_in(self, text: str) -> dict[str, str]:
        """None."""
        del text
        return {}

    def _without_ours(self, document: Json) -> Json:
        """The settings without the plugin, and without the objects that held nothing else."""
        rest = deepcopy(document)
        plugins = rest.get("plugins")
        if not isinstance(plugins, dict):
            return rest
        fields = cast("dict[str, Any]", plugins)
        if isinstance(allowed := fields.get("allow"), list):
            fields["allow"] = [each for each in cast("list[Any]", allowed) if each != PLUGIN]
        entries = fields.get("entries")
        if isinstance(entries, dict) and cast("Json", entries).pop(PLUGIN, None) is not None and not entries:
            del fields["entries"]
            if not fields:
                del rest["plugins"]
        return rest


def _object(document: Json, name: str) -> Json:
    inner = document.setdefault(name, {})
    if not isinstance(inner, dict):
        raise UnknownSettingsError(f"{name} is not an object")
    return cast("Json", inner)


def _source(name: str) -> str:
    return resources.files("memctl.hooks").joinpath("plugins", f"{name}.js").read_text("utf-8")
