"""The MCP server that the official conformance suite expects, to be put behind memd's own wiring."""

import base64
from collections.abc import Mapping
from typing import Any, Final

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)
from mcp.types.jsonrpc import MISSING_REQUIRED_CLIENT_CAPABILITY

from tests.support import mcp_questions as questions

Wire = dict[str, Any]
_PIXEL: Final = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d494844520000000100000001080200000090"
        "7753de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
).decode()
_SILENCE: Final = base64.b64encode(
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00"
).decode()


def _text(text: str) -> Wire:
    return {"type": "text", "text": text}


def _resource(uri: str, kind: str, text: str) -> Wire:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


_IMAGE: Final = {"type": "image", "data": _PIXEL, "mimeType": "image/png"}
_CONTENTS: Final[Mapping[str, list[Wire]]] = {
    "test_simple_text": [_text("This is a simple text response for testing.")],
    "test_image_content": [_IMAGE],
    "test_audio_content": [{"type": "audio", "data": _SILENCE, "mimeType": "audio/wav"}],
    "test_embedded_resource": [
        _resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        _text("Multiple content types test:"),
        _IMAGE,
        _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "test_error_handling": [_text("This tool intentionally returns an error for testing")],
}


_HEADER_TOOL: Final = "test_x_mcp_header"
_PLAIN: Final[Wire] = {"type": "object", "properties": {}, "additionalProperties": False}
_TOOLS: Final[Mapping[str, Wire]] = {
    **dict.fromkeys((*_CONTENTS, *questions.TOOLS, "test_missing_capability"), _PLAIN),
    _HEADER_TOOL: {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    },
}
_PROMPTS: Final[Mapping[str, list[str]]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    **{name: [] for name in questions.PROMPTS},
}
_DONE: Final[Wire] = {"resultType": "complete"}


async def _call(context: ServerRequestContext[Any], params: CallToolRequestParams) -> Wire:
    name = params.name
    if name == "test_missing_capability":
        needed = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "The client does not declare sampling", needed)
    if name in questions.TOOLS:
        asked = questions.open_questions(context, params)
        return asked or _DONE | {"content": [_text("state-ok")], "isError": False}
    content = _CONTENTS.get(name, [_text(f"{name} was called")])
    return _DONE | {"content": content, "isError": name == "test_error_handling" or name not in _TOOLS}


async def _list_tools(_context: object, _params: object) -> Wire:
    return _DONE | {
        "tools": [{"name": name, "description": name, "inputSchema": schema} for name, schema in _TOOLS.items()]
    }


async def _list_prompts(_context: object, _params: object) -> Wire:
    prompts = [
        {
            "name": name,
            "description": name,
            "arguments": [{"name": argument, "required": True} for argument in arguments],
        }
        for name, arguments in _PROMPTS.items()
    ]
    return _DONE | {"prompts": prompts}


async def _get_prompt(context: ServerRequestContext[Any], params: GetPromptRequestParams) -> Wire:
    if params.name in questions.PROMPTS and (asked := questions.open_questions(context, params)):
        return asked
    sent = params.arguments or {}
    contents = {
        "test_simple_prompt": [_text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            _text(f"Prompt with arguments: arg1='{sent.get('arg1')}', arg2='{sent.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            _resource(str(sent.get("resourceUri")), "text/plain", "Embedded resource content for testing."),
            _text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [_IMAGE, _text("Please analyze the image above.")],
        **{name: [_text("A prompt with the context that was given.")] for name in questions.PROMPTS},
    }.get(params.name)
    if contents is None:
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
    return _DONE | {"messages": [{"role": "user", "content": content} for content in contents]}


async def _list_resources(_context: object, _params: object) -> Wire:
    uris = {"test://static-text": "text/plain", "test://static-binary": "image/png"}
    return _DONE | {"resources": [{"uri": uri, "name": uri, "mimeType": kind} for uri, kind in uris.items()]}


async def _list_templates(_context: object, _params: object) -> Wire:
    template = {"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}
    return _DONE | {"resourceTemplates": [template]}


async def _read(_context: object, params: ReadResourceRequestParams) -> Wire:
    uri = params.uri
    part = uri.removeprefix("test://template/").removesuffix("/data")
    contents: Mapping[str, Wire] = {
        "test://static-text": {
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        },
        "test://static-binary": {"mimeType": "image/png", "blob": _PIXEL},
        f"test://template/{part}/data": {
            "mimeType": "application/json",
            "text": f'{{"id":"{part}","templateTest":true,"data":"Data for ID: {part}"}}',
        },
    }
    if uri not in contents:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return _DONE | {"contents": [{"uri": uri, **contents[uri]}]}


async def _complete(_context: object, _params: object) -> Wire:
    return _DONE | {"completion": {"values": ["paris", "park", "party"], "total": 3, "hasMore": False}}


async def _nothing(_context: object, _params: object) -> Wire:
    return {}


def fixture_server() -> Server[Any]:
    """The server with everything that the suite's scenarios ask for, as far as plain JSON can carry it."""
    hint = CacheHint(ttl_ms=1000)
    listed = ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read")
    server: Server[Any] = Server(  # pyrefly: ignore[no-matching-overload] - the names of cached requests are literals
        "fixtures",
        version="1",
        cache_hints=dict.fromkeys((*listed, "server/discover"), hint),
        get_tool_input_schema=_TOOLS.get,
    )
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name))
    server.add_request_handler("tools/list", PaginatedRequestParams, _list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, _call)
    server.add_request_handler("prompts/list", PaginatedRequestParams, _list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, _get_prompt)
    server.add_request_handler("resources/list", PaginatedRequestParams, _list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, _list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, _read)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _nothing)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _nothing)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _nothing)
    server.add_request_handler("completion/complete", CompleteRequestParams, _complete)
    return server
