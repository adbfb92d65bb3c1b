"""The tool `forget` on ids that are not a memory's: it erases a message and archives a knowledge base.

Either is what another endpoint does: DELETE /api/messages/:id (contract 17.6) and DELETE /api/knowledge-bases/:id (8.3).
"""

from dataclasses import replace
from typing import Final
from uuid import UUID

from memctl.wire.erasure import EraseMessagesRequest, ErasureStarted
from memctl.wire.knowledge_bases import KnowledgeBaseArchived
from memd.access.endpoint import Call, Endpoint, NoBody
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.erasure import service
from memd.errors import BadRequest, InvalidIdentifier
from memd.knowledge_bases.archiving import service as archiving
from memd.mcp.declaration import Arguments

_ID: Final = "memoryId"
_MESSAGE, _BASE = "msg", "kb"


def of_any_id(endpoint: Endpoint, arguments: Arguments) -> Endpoint:
    """The endpoint that forgets a memory or chunk, or what does the same for the message or knowledge base of the id.

    A message cannot be archived, and a knowledge base is not deleted: `BadRequest` says so.
    """
    prefix, permanent = str(arguments[_ID]).partition("_")[0], arguments.get("permanent") is True
    if prefix == _MESSAGE:
        if not permanent:
            raise BadRequest("Field permanent must be true for a message: it can be erased, not archived")
        return _erasing(endpoint, _decoded(_MESSAGE, arguments))
    if prefix == _BASE:
        if permanent:
            raise BadRequest("Field permanent must be false for a knowledge base: empty_knowledge_base deletes chunks")
        return _archiving(endpoint, _decoded(_BASE, arguments))
    return endpoint


def _decoded(prefix: str, arguments: Arguments) -> UUID:
    try:
        return decode(prefix, str(arguments[_ID]))
    except MalformedIdentifierError:
        raise InvalidIdentifier(_ID) from None


def _erasing(endpoint: Endpoint, message_id: UUID) -> Endpoint:
    async def handler(call: Call[EraseMessagesRequest]) -> ErasureStarted:
        erasure_id = await service.erase_message(call.context, message_id, call.body)
        return ErasureStarted(erasure_id=encode("era", erasure_id))

    return replace(endpoint, body=EraseMessagesRequest, handler=handler)


def _archiving(endpoint: Endpoint, base_id: UUID) -> Endpoint:
    async def handler(call: Call[NoBody]) -> KnowledgeBaseArchived:
        progress = await archiving.archive(call.context, base_id)
        return KnowledgeBaseArchived(
            knowledge_base_id=encode(_BASE, base_id), archived_memory_count=progress.chunks, is_done=progress.done
        )

    return replace(endpoint, body=NoBody, handler=handler)
