"""Which knowledge base a tool call means: by id, or by name among the caller's own (contract 14, last line)."""

import asyncio
from dataclasses import replace
from typing import Any, Final
from uuid import UUID
from weakref import WeakValueDictionary

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from pydantic import BaseModel
from starlette.responses import Response

from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, KnowledgeBaseRow, ListKnowledgeBasesRequest
from memd.access.endpoint import Call, Endpoint
from memd.access.steps import parse_model
from memd.context import Context
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.errors import BadRequest, InvalidIdentifier, KnowledgeBaseNotFound
from memd.knowledge_bases import service
from memd.knowledge_bases.service import StoredBase
from memd.mcp.content.knowledge import CreatedBase
from memd.mcp.declaration import Arguments

_ID: Final = "knowledgeBaseId"
_NAME: Final = "knowledgeBaseName"
_MAX_NAME_LENGTH: Final = 200
_making: WeakValueDictionary[tuple[UUID, str], asyncio.Lock] = WeakValueDictionary()


def in_base(endpoint: Endpoint, arguments: Arguments) -> Endpoint:
    """The endpoint on the knowledge base of the arguments; `KnowledgeBaseNotFound` when no name fits."""
    return _bound(endpoint, arguments, creates=False)


def in_base_or_new(endpoint: Endpoint, arguments: Arguments) -> Endpoint:
    """The same, but a name that nothing has yet becomes a new knowledge base."""
    return _bound(endpoint, arguments, creates=True)


def in_confirmed_base(endpoint: Endpoint, arguments: Arguments) -> Endpoint:
    """The same for what cannot be undone: `confirm` must be true."""
    if arguments.get("confirm") is not True:
        raise BadRequest("Field confirm must be true")
    return _bound(endpoint, arguments, creates=False)


def with_same_name(endpoint: Endpoint, _arguments: Arguments) -> Endpoint:
    """The endpoint that makes a knowledge base, which then also says which others have its name."""

    async def handler(call: Call[CreateKnowledgeBaseRequest]) -> BaseModel | Response:
        matches = await _named(call.context, call.body.name.strip())
        reply = await endpoint.handler(call)
        if not isinstance(reply, KnowledgeBaseRow):
            return reply
        fields = {name: getattr(reply, name) for name in KnowledgeBaseRow.model_fields}
        return CreatedBase(**fields, same_name=[encode("kb", row.id) for row in matches])

    return replace(endpoint, handler=handler)


def _bound(endpoint: Endpoint, arguments: Arguments, *, creates: bool) -> Endpoint:
    named, name = arguments.get(_ID), arguments.get(_NAME)
    if named is None and name is None:
        raise BadRequest(f"Missing required field: {_ID} or {_NAME}")
    _check_form(named, name)

    async def handler(call: Call[Any]) -> BaseModel | Response:
        base_id = str(named) if named is not None else await _of_name(call.context, arguments, creates=creates)
        return await endpoint.handler(replace(call, path={"id": base_id}))

    return replace(endpoint, handler=handler)


def _check_form(named: Any, name: Any) -> None:
    if named is not None:
        try:
            decode("kb", str(named))
        except MalformedIdentifierError:
            raise InvalidIdentifier(_ID) from None
    elif not isinstance(name, str):
        raise BadRequest(f"Field {_NAME} must be a string")
    elif not name.strip():
        raise BadRequest(f"Missing required field: {_NAME}")
    elif len(name) > _MAX_NAME_LENGTH:
        raise BadRequest(f"Field {_NAME} exceeds maximum length of {_MAX_NAME_LENGTH} characters")


async def _of_name(context: Context, arguments: Arguments, *, creates: bool) -> str:
    """The id of the one that has the name, or of a new one; one call at a time may make the same name.

    `MCPError` (−32602) when several have it.
    """
    name = str(arguments[_NAME]).strip()
    lock = _making.setdefault((context.user_id, name.casefold()), asyncio.Lock())
    async with lock:
        matches = await _named(context, name)
        if not matches and creates:
            fields = {key: arguments[key] for key in ("description", "agentIds", "scope") if key in arguments}
            request = parse_model(CreateKnowledgeBaseRequest, {"name": name, **fields}, {})
            matches = [await service.create(context, request)]
    if not matches:
        raise KnowledgeBaseNotFound
    if len(matches) > 1:
        ids = ", ".join(encode("kb", row.id) for row in matches)
        text = f"Field {_NAME} must name one knowledge base; {len(matches)} are called {name}: {ids}"
        raise MCPError(INVALID_PARAMS, text)
    return encode("kb", matches[0].id)


async def _named(context: Context, name: str) -> list[StoredBase]:
    """The active knowledge bases that have a name, compared without case and surrounding white space."""
    rows = await service.list_bases(context, ListKnowledgeBasesRequest())
    return [row for row in rows if row.name.strip().casefold() == name.casefold()]
