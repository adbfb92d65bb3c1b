"""The tool `forget` on the id of a message, which it erases as DELETE /api/messages/:id does (contract 17.6)."""

from dataclasses import replace
from typing import Final

from memctl.wire.erasure import EraseMessagesRequest, ErasureStarted
from memd.access.endpoint import Call, Endpoint
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.erasure import service
from memd.errors import BadRequest, InvalidIdentifier
from memd.mcp.declaration import Arguments

_ID: Final = "memoryId"
_MESSAGE: Final = "msg"


def of_memory_or_message(endpoint: Endpoint, arguments: Arguments) -> Endpoint:
    """The endpoint that forgets a memory; for the id of a message, the one that erases it.

    A message cannot be archived: without `permanent`, `BadRequest` says so.
    """
    named = arguments[_ID]
    if not isinstance(named, str) or not named.startswith(f"{_MESSAGE}_"):
        return endpoint
    try:
        message_id = decode(_MESSAGE, named)
    except MalformedIdentifierError:
        raise InvalidIdentifier(_ID) from None
    if arguments.get("permanent") is not True:
        raise BadRequest("Field permanent must be true for a message: it can be erased, not archived")

    async def handler(call: Call[EraseMessagesRequest]) -> ErasureStarted:
        erasure_id = await service.erase_message(call.context, message_id, call.body)
        return ErasureStarted(erasure_id=encode("era", erasure_id))

    return replace(endpoint, body=EraseMessagesRequest, handler=handler)
