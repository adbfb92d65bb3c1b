"""Wire types of the audit log (contract 17.6)."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from memctl.wire.base import WireModel, absent
from memctl.wire.enums import Order
from memctl.wire.fields import Cursor, Limit, ScopeText
from memctl.wire.time_window import TimeWindowFields

Actor = Annotated[
    ScopeText,
    WithJsonSchema({"type": "string", "pattern": "^((usr|key)_[0-7][0-9a-hjkmnp-tv-z]{25}|\\s*)$"}, mode="validation"),
]


class AuditRequest(TimeWindowFields):
    """GET /api/admin/audit; `actor` is a user or key id, `action` ends in a dot for a whole group such as `key.`."""

    actor: Actor = None
    action: ScopeText = None
    order: Order = Order.NEWEST
    limit: Annotated[int, Limit(1, 200)] = 100
    cursor: Cursor | None = None


class AuditActor(WireModel):
    """Who acted and from where; everything is null for what memd did by itself."""

    user_id: str | None = None
    key_id: str | None = None
    address: str | None = None


class AuditedAction(WireModel):
    """One entry of the hash chain; `before` and `after` hold settings and counts, never contents."""

    seq: int
    at: int
    actor: AuditActor
    action: str
    target: str | None = None
    outcome: str
    before: dict[str, Any] | None = absent()
    after: dict[str, Any] | None = absent()
    request_id: str | None = absent()
    previous_hash: str
    hash: str


class AuditReply(WireModel):
    """One page of the audit log."""

    entries: list[AuditedAction]
    continue_cursor: str
    is_done: bool
