"""Erasures over HTTP (contract 17.6)."""

from memctl.wire.erasure import (
    EraseMessagesRequest,
    EraseSessionRequest,
    ErasureKind,
    ErasureReply,
    ErasureStarted,
    ErasureState,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.request.body import check_text
from memd.access.request.path_ids import path_id
from memd.access.steps import parse_model
from memd.accounts.end_users.service import check_name
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.erasure import service

room = Room("erasure")


@room.endpoint(
    "DELETE",
    "/api/admin/users/{id}",
    credits=1,
    scope=KeyScope.ADMIN,
    reply=ErasureStarted,
    status=202,
    errors=(404, 409),
)
async def erase_user(call: Call[NoBody]) -> ErasureStarted:
    """Erase a user: the keys end at once, every row follows."""
    erasure_id = await service.erase_user(call.context, path_id("usr", call.path["id"]))
    return ErasureStarted(erasure_id=encode("era", erasure_id))


@room.endpoint(
    "DELETE",
    "/api/account/users/{external_id:path}",
    credits=1,
    scope=KeyScope.ACT_AS,
    alternative_scope=KeyScope.ADMIN,
    reply=ErasureStarted,
    status=202,
    errors=(404,),
)
async def erase_end_user(call: Call[NoBody]) -> ErasureStarted:
    """Erase an end user of the caller's application and everything that belongs to it."""
    name = check_name(call.path["external_id"], "Field externalId")
    return ErasureStarted(erasure_id=encode("era", await service.erase_end_user(call.context, name)))


@room.endpoint(
    "DELETE",
    "/api/messages/{id}",
    credits=1,
    scope=KeyScope.WRITE,
    reply=ErasureStarted,
    query=EraseMessagesRequest,
    status=202,
    errors=(404,),
)
async def erase_message(call: Call[NoBody]) -> ErasureStarted:
    """Erase a message that is visible from the channel (contract 10.4), and what was derived from it."""
    request = EraseMessagesRequest.from_query(call.query)
    erasure_id = await service.erase_message(call.context, path_id("msg", call.path["id"]), request)
    return ErasureStarted(erasure_id=encode("era", erasure_id))


@room.endpoint(
    "DELETE",
    "/api/sessions/{session_key:path}",
    credits=1,
    scope=KeyScope.WRITE,
    reply=ErasureStarted,
    query=EraseMessagesRequest,
    status=202,
)
async def erase_session(call: Call[NoBody]) -> ErasureStarted:
    """Erase the messages of a session that are visible from the channel, and what was derived from them."""
    key = call.path["session_key"]
    check_text("sessionKey", key)
    request = parse_model(EraseSessionRequest, {**call.query, "sessionKey": key}, {"source": "query"})
    return ErasureStarted(erasure_id=encode("era", await service.erase_session(call.context, request)))


@room.endpoint("GET", "/api/erasures/{id}", credits=1, scope=KeyScope.READ, reply=ErasureReply, errors=(404,))
async def erasure(call: Call[NoBody]) -> ErasureReply:
    """How far an erasure is, and what it has removed."""
    receipt = await service.show(call.context, path_id("era", call.path["id"]))
    return ErasureReply(
        id=encode("era", receipt.id),
        kind=ErasureKind(receipt.kind),
        state=ErasureState(receipt.state),
        counts=receipt.counts,
        created_at=receipt.created_at,
        finished_at=receipt.finished_at,
    )
