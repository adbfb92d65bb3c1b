"""Erasures over HTTP (contract 17.6)."""

from uuid import UUID

from memctl.wire.erasure import ErasureKind, ErasureReply, ErasureStarted, ErasureState
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.domain.types import KeyScope
from memd.erasure import service
from memd.errors import InvalidIdentifier

room = Room("erasure")


def _path_id(prefix: str, text: str) -> UUID:
    """The row that a path names."""
    try:
        return decode(prefix, text)
    except MalformedIdentifierError:
        raise InvalidIdentifier("id") from None


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
    erasure_id = await service.erase_user(call.context, _path_id("usr", call.path["id"]))
    return ErasureStarted(erasure_id=encode("era", erasure_id))


@room.endpoint("GET", "/api/erasures/{id}", credits=1, scope=KeyScope.READ, reply=ErasureReply, errors=(404,))
async def erasure(call: Call[NoBody]) -> ErasureReply:
    """How far an erasure is, and what it has removed."""
    receipt = await service.show(call.context, _path_id("era", call.path["id"]))
    return ErasureReply(
        id=encode("era", receipt.id),
        kind=ErasureKind(receipt.kind),
        state=ErasureState(receipt.state),
        counts=receipt.counts,
        created_at=receipt.created_at,
        finished_at=receipt.finished_at,
    )
