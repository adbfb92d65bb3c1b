"""Opening a receipt: the row and the job that works on it come with one transaction."""

from typing import Any, Final
from uuid import UUID

from memd.context import Context
from memd.db.session import Deferral, SystemSession
from memd.domain.ids import new_id
from memd.erasure import store
from memd.erasure.store import Receipt

JOB: Final = "erase"


async def open_receipt(
    session: SystemSession,
    context: Context,
    user_id: UUID,
    kind: str,
    *,
    target: dict[str, Any] | None = None,
    counts: dict[str, int] | None = None,
) -> Receipt:
    """Open the receipt of an erasure of rows of `user_id` that the context's caller asks for, and defer its job."""
    receipt = Receipt(user_id, new_id(), context.user_id, kind, target, "queued", counts or {}, context.now, None)
    await store.add(session, receipt)
    session.defer(deferral(receipt))
    return receipt


def deferral(receipt: Receipt, delay_ms: int = 0) -> Deferral:
    """The job of an erasure: one waits and one runs at a time."""
    payload = {"user_id": str(receipt.user_id), "erasure_id": str(receipt.id)}
    name = f"{JOB}:{receipt.id}"
    return Deferral(JOB, payload, once=name, alone=name, delay_ms=delay_ms)
