"""One tool call: the same steps as the endpoint's own request, and the answer made lean for a model (contract 17.4, 14.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import structlog
from mcp.shared.exceptions import MCPError
from pydantic_core import to_json

from memd.access.steps import Caller, Sent, budget, in_time, perform
from memd.errors import BadRequest, BodyTooLarge, InternalError, MemdError
from memd.mcp.answers import Answer
from memd.mcp.declaration import Arguments
from memd.mcp.tools import Tool
from memd.mcp.toolsets import Choice
from memd.tracing.spans import span

log = structlog.get_logger()
_NEXT: Final = ("existingMemoryId", "supersededByMemoryId")
"""The fields of an error that name the memory to go on with."""


@dataclass(slots=True)
class Post:
    """One POST to /mcp: who sent it, which tool set its address names, and how large it was.

    `refusal` is why no tool may run, found before it was known whether one is called; `arguments` are those that did not
    pass through the SDK; `answer` is what the tool gave; `headers` are added to the reply.
    """

    caller: Caller
    toolset: Choice
    size: int = 0
    refusal: MemdError | None = None
    arguments: Arguments | None = None
    answer: Answer | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


async def call_tool(tools: Mapping[str, Tool], post: Post, name: str, arguments: Arguments) -> Answer:
    """The answer to a call; a failure has the error body of HTTP. `MCPError` is for the SDK: an error of the protocol."""
    try:
        return await _called(tools, post, name, arguments)
    except MCPError:
        raise
    except MemdError as error:
        return _failed(post, error)
    except Exception:
        log.exception("mcp.tool_failed", tool=name)
        return _failed(post, InternalError(post.caller.envelope.wire_id))


async def _called(tools: Mapping[str, Tool], post: Post, name: str, arguments: Arguments) -> Answer:
    if post.refusal is not None:
        raise post.refusal
    if name not in tools:
        raise BadRequest(f"Unknown tool: {name}")
    tool = tools[name]
    caller, settings = post.caller, post.caller.services.settings
    if post.size > settings.http_max_body_bytes and not tool.endpoint.bulk:
        await caller.debit(1)
        raise BodyTooLarge(settings.http_max_body_bytes)
    caller.permit(tool.endpoint.scope)
    endpoint, sent, body = tool.request(arguments)
    declaration = tool.declaration
    try:
        async with in_time(endpoint.name, budget(endpoint, caller.services)):
            with span(f"tool {name}"):
                reply = await perform(endpoint, caller, Sent(raw=body, path={}, query={}, size=post.size))
        content = declaration.content(reply, sent)
    except MemdError as error:
        accepted = declaration.accept(error) if declaration.accept else None
        if accepted is None:
            raise
        content = accepted
    text, structured = content.rendered()
    return Answer((text,), structured, failed=False)


def _failed(post: Post, error: MemdError) -> Answer:
    """The error in the contract's words; the memory to go on with, where it names one, is a second text."""
    post.headers.update(error.headers)
    body = error.body()
    details = body.get("details")
    text = f"Error: {body['error']}: {details}" if details else f"Error: {body['error']}"
    next_texts = (f"{name}: {body[name]}" for name in _NEXT if name in body)
    return Answer((text, *next_texts), to_json(body | {"status": error.status}), failed=True)
