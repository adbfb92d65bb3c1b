"""Which tools an address of /mcp lists, and under which names: `?tools=core`, `?names=crystal` (contract 17.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcp.types import ListToolsResult
from mcp.types import Tool as ToolListing

from memd.errors import BadRequest
from memd.mcp.tools import Tool

_WHERE: Final = ("channel", "agentId")
_CORE: Final[Mapping[str, tuple[str, ...]]] = {
    "recall": ("query", "limit", "mode", "categories", "tags", "fromMs", "toMs", *_WHERE),
    "capture": ("title", "content", "store", "category", "tags", "validFrom", "validUntil", *_WHERE),
    "search_messages": ("query", "limit", "offset", "fromMs", "toMs", *_WHERE),
    "wake": ("sessionKey", *_WHERE),
    "context": ("query", "tokenBudget", *_WHERE),
    "forget": ("memoryId", "permanent", "channel"),
    "update": ("memoryId", "title", "content", "category", "tags", "agentId"),
    "log_turn": ("sessionKey", "channel", "turnId", "assistantMessage", "userMessage", "agentId"),
}
"""The core tools, each with the arguments that it lists; it accepts its other arguments too."""
_CRYSTAL_PREFIX: Final = "crystal_"
_CRYSTAL_NAMES: Final = {"capture": "crystal_remember"}
_CHOICES: Final = {"tools": ("all", "core"), "names": ("plain", "crystal")}
Choice = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Toolset:
    """The tools of one address by the name that they are called by there, and the list of them."""

    tools: Mapping[str, Tool]
    listed: ListToolsResult


def toolset_choice(query: Mapping[str, str]) -> Choice:
    """The values of `tools` and `names` in a query, with their defaults; `BadRequest` for another value."""
    chosen = {name: query.get(name, allowed[0]) for name, allowed in _CHOICES.items()}
    for name, allowed in _CHOICES.items():
        if chosen[name] not in allowed:
            raise BadRequest(f"Field {name} must be one of: {', '.join(allowed)}")
    return chosen["tools"], chosen["names"]


def make_toolsets(tools: Mapping[str, Tool]) -> Mapping[Choice, Toolset]:
    """The tool set of each choice."""
    return {(size, names): _toolset(tools, size, names) for size in _CHOICES["tools"] for names in _CHOICES["names"]}


def _toolset(tools: Mapping[str, Tool], size: str, names: str) -> Toolset:
    core = size == "core"
    kept = [tools[name] for name in _CORE] if core else list(tools.values())
    named = {_name(tool, names): tool for tool in kept}
    listings = [_listing(tool, name, core=core) for name, tool in named.items()]
    return Toolset(named, ListToolsResult(tools=listings))


def _listing(tool: Tool, name: str, *, core: bool) -> ToolListing:
    changes: dict[str, Any] = {"name": name}
    if core:
        schema = tool.listing.input_schema
        listed = _CORE[tool.declaration.name]
        properties = {key: value for key, value in schema["properties"].items() if key in listed}
        changes["input_schema"] = {**schema, "properties": properties}
    return tool.listing.model_copy(update=changes)


def _name(tool: Tool, names: str) -> str:
    name = tool.declaration.name
    return name if names == "plain" else _CRYSTAL_NAMES.get(name, _CRYSTAL_PREFIX + name)
