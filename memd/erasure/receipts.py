"""Opening a receipt: the row and the job that works on it come with one transaction."""

from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog

from memd.context import Services
from memd.db.session import Deferral, SystemSession
from memd.domain.accounts.audit_chain import AuditEntry
from memd.domain.ids import encode, new_id
from memd.erasure import store
from memd.erasure.store import Receipt
from memd.jobs.enqueue import LATER_PRIORITY

log = structlog.get_logger()
JOB: Final = "erase"
USER: Final = "user"
"""The kind of a receipt for a whole user."""


class Request(NamedTuple):
    """Who asks for an erasure, and when (epoch ms)."""

    by: UUID
    at: int


async def open_receipt(
    session: SystemSession,
    request: Request,
    user_id: UUID,
    kind: str,
    *,
    target: dict[str, Any] | None = None,
    counts: dict[str, int] | None = None,
) -> Receipt:
    """Open the receipt of an erasure of rows of `user_id`, and defer its job."""
    receipt = Receipt(user_id, new_id(), request.by, kind, target, "queued", counts or {}, request.at, None)
    receipt = receipt._replace(lock=_lock(receipt))
    await store.add(session, receipt)
    session.defer(deferral(receipt))
    return receipt


def deferral(receipt: Receipt) -> Deferral:
    """The job of an erasure, or of all those that share its lock: one job waits and one runs at a time.

    However many erasures a caller asks for, those of others do not wait behind them.
    """
    if receipt.lock is None:
        return single(receipt)
    payload = {"user_id": str(_account(receipt) or receipt.user_id), "lock": receipt.lock}
    return Deferral(JOB, payload, queueing_lock=receipt.lock, lock=receipt.lock)


def single(receipt: Receipt, delay_ms: int = 0, *, retry: bool = False) -> Deferral:
    """The job of this erasure alone; a `retry` comes after those that have not failed."""
    payload = {"user_id": str(receipt.user_id), "erasure_id": str(receipt.id), "retry": retry}
    name = f"{JOB}:{receipt.id}"
    return Deferral(
        JOB,
        payload,
        queueing_lock=name,
        lock=receipt.lock or name,
        delay_ms=delay_ms,
        priority=LATER_PRIORITY if retry else 0,
    )


def _lock(receipt: Receipt) -> str | None:
    """The lock that erasures share which run one after the other; None for that of a whole account."""
    if receipt.kind != USER:
        return f"{JOB}:of:{receipt.user_id}"
    account = _account(receipt)
    return f"{JOB}:end-users:{account}" if account else None


def _account(receipt: Receipt) -> str | None:
    """The id of the account of an end user, None for other erasures."""
    return (receipt.target or {}).get("account")


async def close(services: Services, session: SystemSession, receipt: Receipt) -> None:
    """Close the receipt, drop what the erasure looked for, and record its end; nothing when it is closed already."""
    now = services.clock()
    if not await store.finish(session, receipt.id, now):
        return
    final = await store.find(session, receipt.id)
    erasure_id = encode("era", receipt.id)
    session.audit(
        AuditEntry(
            at=now,
            action=f"{receipt.kind}.erased",
            user_id=receipt.requested_by,
            target=encode("usr", receipt.user_id) if receipt.kind == "user" else None,
            after={"erasureId": erasure_id, "rows": final.counts if final else {}},
        )
    )
    log.info("erasure.done", erasureId=erasure_id, kind=receipt.kind)
