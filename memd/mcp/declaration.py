"""How a tool is declared: what contract 14 says of it, in one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memd.access.endpoint import Endpoint
from memd.mcp.schemas import Schema

Arguments = Mapping[str, Any]
Text = Callable[[Mapping[str, Any]], str]
Bind = Callable[[Endpoint, Arguments], Endpoint]
"""Ties an endpoint to what the arguments name, such as the knowledge base of its path."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument in words for a model; `schema` adds to the wire type's, or stands alone where the wire has none."""

    text: str
    schema: Schema = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One tool.

    `endpoint` is its name in the contract's index; `hints` the letters R, D, I of the contract's table; `preset` what
    is sent unless the argument is; `query` the argument that is sent as the endpoint's query; `text` writes content[0].
    A tool that recalls shows memories in their compact form unless `compact` is false, then `text_in_full` writes.
    """

    name: str
    title: str
    endpoint: str
    description: str
    arguments: Mapping[str, Argument]
    text: Text
    required: tuple[str, ...] = ()
    hints: str = ""
    preset: Mapping[str, Any] = field(default_factory=dict[str, Any])
    query: str | None = None
    bind: Bind | None = None
    text_in_full: Text | None = None


LEAST_WORDS: Final = 3
"""Characters that a topic, decision or action must have."""
