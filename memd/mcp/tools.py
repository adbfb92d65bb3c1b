"""The tools of contract 14, each made of its declaration and the endpoint behind it, in the contract's order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mcp.types import Tool as ToolListing
from mcp.types import ToolAnnotations

from memd.access.endpoint import Endpoint
from memd.errors import BadRequest
from memd.mcp import graph_tools as graph
from memd.mcp import knowledge_tools as knowledge
from memd.mcp import memory_tools as memories
from memd.mcp import message_tools as messages
from memd.mcp import recall_tools as recalls
from memd.mcp.declaration import MIN_WORDS, Argument, Arguments, Declaration
from memd.mcp.schemas import Schema, argument_schemas, input_schema, output_schema

DECLARATIONS: Final = (
    recalls.RECALL,
    memories.CAPTURE,
    messages.SEARCH_MESSAGES,
    messages.RECENT_MESSAGES,
    messages.WAKE,
    messages.CHECKPOINT,
    memories.TRACE,
    memories.FORGET,
    memories.UPDATE,
    memories.SUPERSEDE,
    memories.STATS,
    memories.REFLECT,
    memories.TRIGGERS,
    memories.GET_MEMORY,
    knowledge.LIST_KNOWLEDGE_BASES,
    knowledge.CREATE_KNOWLEDGE_BASE,
    knowledge.IMPORT_KNOWLEDGE,
    knowledge.QUERY_KNOWLEDGE_BASE,
    knowledge.LIST_KNOWLEDGE_BASE_MEMORIES,
    knowledge.EMPTY_KNOWLEDGE_BASE,
    recalls.WHAT_DO_I_KNOW,
    recalls.WHY_DID_WE,
    recalls.PREFLIGHT,
    graph.WHO_OWNS,
    graph.EXPLAIN_CONNECTION,
    graph.DEPENDENCY_CHAIN,
    messages.LOG_TURN,
    recalls.CONTEXT,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that can be listed and called."""

    declaration: Declaration
    endpoint: Endpoint
    listing: ToolListing

    def request(self, arguments: Arguments) -> tuple[Endpoint, dict[str, Any], dict[str, Any]]:
        """The endpoint that does the work, the arguments without nulls that mean absent, and the body for the endpoint.

        `BadRequest` names an argument that is unknown, missing, too short or none of the listed values.
        """
        unknown = sorted(arguments.keys() - self.declaration.arguments.keys() - set(self.declaration.unlisted))
        if unknown:
            raise BadRequest(f"Unknown argument of {self.declaration.name}: {', '.join(unknown)}")
        cleared = self.declaration.cleared_by_null
        sent = {name: value for name, value in arguments.items() if value is not None or name in cleared}
        for name in self.declaration.required:
            if name not in sent:
                raise BadRequest(f"Missing required field: {name}")
        for name, argument in self.declaration.arguments.items():
            _check_listed(name, argument, sent)
        if self.declaration.query is not None:
            _check_words(self.declaration.query, sent[self.declaration.query])
        body = {**self.declaration.preset, **sent}
        if self.declaration.query is not None:
            body["query"] = body.pop(self.declaration.query)
        bind = self.declaration.bind
        return (bind(self.endpoint, sent) if bind else self.endpoint), sent, body


def _check_listed(name: str, argument: Argument, sent: Mapping[str, Any]) -> None:
    """Refuse a value that the endpoint takes and the tool does not list."""
    listed = argument.schema.get("enum")
    if listed and name in sent and sent[name] not in listed:
        raise BadRequest(f"Field {name} must be one of: {', '.join(listed)}")


def _check_words(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise BadRequest(f"Field {name} must be a string")
    if len(value.strip()) < MIN_WORDS:
        raise BadRequest(f"Field {name} must have at least {MIN_WORDS} characters")


def make_tools(endpoints: Iterable[Endpoint]) -> Mapping[str, Tool]:
    """Every tool by its name, around the endpoints of the application."""
    by_name = {endpoint.name: endpoint for endpoint in endpoints}
    return {declaration.name: _tool(declaration, by_name[declaration.endpoint]) for declaration in DECLARATIONS}


def _tool(declaration: Declaration, endpoint: Endpoint) -> Tool:
    fields = argument_schemas(endpoint.body)
    properties = {
        name: _property(argument, fields.get(name, {}), name in declaration.required)
        for name, argument in declaration.arguments.items()
    }
    listing = ToolListing(
        name=declaration.name,
        title=declaration.title,
        description=declaration.description,
        input_schema=input_schema(properties, declaration.required),
        output_schema=output_schema(declaration.shape),
        annotations=ToolAnnotations(
            read_only_hint="R" in declaration.hints,
            destructive_hint="D" in declaration.hints,
            idempotent_hint="I" in declaration.hints,
            open_world_hint=False,
        ),
    )
    return Tool(declaration, replace(endpoint, method="POST"), listing)


def _property(argument: Argument, field: Schema, required: bool) -> Schema:
    """The wire type's schema in the words of the tool; None in the argument's own schema takes a keyword out."""
    described = {**field, **argument.schema, "description": argument.text}
    described = {key: value for key, value in described.items() if value is not None}
    if required or described.get("default") == []:
        described.pop("default", None)
    return described
