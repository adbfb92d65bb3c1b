"""The audit log over HTTP (contract 17.6)."""

import json
from uuid import UUID

from memctl.wire.audit import AuditActor, AuditedAction, AuditReply, AuditRequest
from memctl.wire.enums import Order
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import Values, read_position
from memd.access.request.values import requested_window
from memd.audit import service
from memd.audit.service import Filter
from memd.domain.accounts.audit_chain import ChainedEntry
from memd.domain.cursors import encode_cursor
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.domain.types import KeyScope
from memd.errors import InvalidIdentifier

room = Room("audit")


@room.endpoint("GET", "/api/admin/audit", credits=1, scope=KeyScope.ADMIN, body=AuditRequest, reply=AuditReply)
async def audit_log(call: Call[AuditRequest]) -> AuditReply:
    """The audited actions, newest first unless asked otherwise."""
    body = call.body
    listing = f"audit:{body.order}"
    rows = await service.page(
        call.context,
        _filter(body),
        read_position(listing, body.cursor, _number),
        body.limit,
        newest=body.order is Order.NEWEST,
    )
    page, more = rows[: body.limit], len(rows) > body.limit
    return AuditReply(
        entries=[_action(entry) for entry in page],
        continue_cursor=encode_cursor(listing, [page[-1].seq]) if more else "",
        is_done=not more,
    )


def _filter(body: AuditRequest) -> Filter:
    window = requested_window(body)
    user_id, key_id = _actor(body.actor) if body.actor else (None, None)
    return Filter(user_id, key_id, body.action, window.from_ms, window.to_ms)


def _actor(text: str) -> tuple[UUID | None, UUID | None]:
    """The user or the key that an id names."""
    try:
        return (None, decode("key", text)) if text.startswith("key_") else (decode("usr", text), None)
    except MalformedIdentifierError:
        raise InvalidIdentifier("actor") from None


def _number(values: Values) -> int:
    (value,) = values
    seq = int(value)
    if not 0 <= seq < 1 << 63:
        raise ValueError(value)
    return seq


def _action(entry: ChainedEntry) -> AuditedAction:
    actor = AuditActor(
        user_id=_wire_id("usr", entry.user_id), key_id=_wire_id("key", entry.key_id), address=entry.address
    )
    return AuditedAction(
        seq=entry.seq,
        at=entry.at,
        actor=actor,
        action=entry.action,
        target=entry.target,
        outcome=entry.outcome,
        before=json.loads(entry.before) if entry.before else None,
        after=json.loads(entry.after) if entry.after else None,
        request_id=_wire_id("req", entry.request_id),
        previous_hash=entry.previous_hash.hex(),
        hash=entry.hash.hex(),
    )


def _wire_id(prefix: str, value: UUID | None) -> str | None:
    return None if value is None else encode(prefix, value)
