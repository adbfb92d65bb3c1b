"""The job `erase`, and what starts lost ones again. It may be killed at any point; the next run goes on where it stopped.

Its payload is `lock`, for all erasures that wait for each other, or `erasure_id`, for one.
"""

import time
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import structlog

from memd.accounts.every_user import JobResult
from memd.context import Services
from memd.erasure import store
from memd.erasure.messages import service as messages
from memd.erasure.receipts import USER, deferral, single
from memd.erasure.store import Receipt
from memd.erasure.users import service as users

log = structlog.get_logger()
RETRY_MS: Final = 1_000
RUN_S: Final = 5
"""How long one job carries out erasures; the next one goes on, behind those of other users."""


async def erase(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """Carry erasures to their end, the oldest first, or one of them."""
    del user_id  # the receipts name the user
    if "erasure_id" in payload:
        async with services.database.system() as session:
            receipt = await store.find(session, UUID(payload["erasure_id"]))
        if receipt is not None and receipt.state != "done":
            await _carry_out(services, receipt, retry=bool(payload.get("retry")))
    else:
        await _erase_waiting(services, payload["lock"])


async def _erase_waiting(services: Services, lock: str) -> None:
    """Carry out those that share a lock, but those that are retried."""
    ends = time.monotonic() + RUN_S
    receipt = await _oldest_waiting(services, lock)
    while receipt is not None:
        await _carry_out(services, receipt)
        receipt = await _oldest_waiting(services, lock)
        if receipt is not None and time.monotonic() > ends:
            async with services.database.system() as session:
                session.defer(deferral(receipt))
            break


async def _oldest_waiting(services: Services, lock: str) -> Receipt | None:
    async with services.database.system() as session:
        return await store.oldest_waiting(session, lock)


async def _carry_out(services: Services, receipt: Receipt, *, retry: bool = False) -> None:
    """Carry out an erasure; it gets a job of its own shortly when it fails, or other work of the user has to end first.

    So the others do not wait for its tries. A `retry` that fails raises its error.
    """
    try:
        if await (users.run if receipt.kind == USER else messages.run)(services, receipt):
            return
    except Exception:
        if retry:
            raise
        log.exception("erasure.failed", erasureId=str(receipt.id))
        retry = True
    async with services.database.system() as session:
        await store.set_retried(session, receipt.id)
        session.defer(single(receipt, RETRY_MS, retry=retry))


async def resume_all(services: Services) -> JobResult:
    """The scheduled job `erasure`: unfinished erasures whose job was lost or has failed get another; rows = how many."""
    async with services.database.system() as session:
        unfinished = await store.unfinished(session)
        await store.clear_retried(session)
        for receipt in {receipt.lock or receipt.id: receipt for receipt in unfinished}.values():
            session.defer(deferral(receipt))
    return JobResult(rows=len(unfinished))
