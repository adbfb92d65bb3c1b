"""How a tool is declared: what contract 14 says of it, in one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_type_hints

from memd.access.endpoint import Endpoint
from memd.errors import MemdError
from memd.mcp.content.base import Arguments, ToolContent
from memd.mcp.schemas import Schema

MakeContent = Callable[[Any, Arguments], ToolContent]
"""Makes a tool's answer of the endpoint's reply and the arguments that were sent; its return type is the output schema."""
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
    is sent unless the argument is; `query` the argument that is sent as the endpoint's query; `content` makes the
    answer. `accept` turns a refusal of the endpoint that is not a failure to a model into an answer. `unlisted`
    arguments are accepted and not shown to models: other names of listed ones, and what is rarely needed. Null is the
    same as absent, except for arguments in `cleared_by_null`, whose value it removes.
    """

    name: str
    title: str
    endpoint: str
    description: str
    arguments: Mapping[str, Argument]
    content: MakeContent
    required: tuple[str, ...] = ()
    hints: str = ""
    preset: Mapping[str, Any] = field(default_factory=dict[str, Any])
    query: str | None = None
    bind: Bind | None = None
    unlisted: tuple[str, ...] = ()
    cleared_by_null: tuple[str, ...] = ()
    accept: Callable[[MemdError], ToolContent | None] | None = None

    @property
    def shape(self) -> type[ToolContent]:
        """The type of the answer."""
        return get_type_hints(self.content)["return"]


MIN_WORDS: Final = 3
"""Characters that a topic, decision or action must have."""
