"""The job `erase`, and what restarts lost ones. It may be killed at any point; the next run continues where it stopped.

Its payload is `lock`, for all erasures that share it, or `erasure_id`, for one.
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
from memd.errors import Unauthorized
from memd.jobs.enqueue import ATTEMPTS

log = structlog.get_logger()
RETRY_MS: Final = 1_000
RUN_S: Final = 5
"""How long one job carries out erasures; the next one continues, queued behind those of other users."""


async def erase(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """Carry erasures to their end, the oldest first, or one of them."""
    del user_id  # the receipts name the user
    if "erasure_id" in payload:
        async with services.database.system() as session:
            receipt = await store.find(session, UUID(payload["erasure_id"]))
        if receipt is not None and receipt.state != "done":
            await _carry_out(services, receipt, retry=bool(payload.get("retry")))
    else:
        await _carry_out_all(services, payload["lock"], after_failure=bool(payload.get(ATTEMPTS)))


async def _carry_out_all(services: Services, lock: str, *, after_failure: bool) -> None:
    """Carry out the erasures that share a lock, except those being retried.

    When an earlier attempt failed, or its process died, the oldest may be the reason: it gets a job of its own.
    """
    ends = time.monotonic() + RUN_S
    receipt = await _oldest_waiting(services, lock)
    if receipt is not None and after_failure:
        await _retry(services, receipt, after_failure=True)
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

    This way its retries do not hold up the others. A `retry` that fails raises its error.
    """
    try:
        finished = await (users.run if receipt.kind == USER else messages.run)(services, receipt)
    except Unauthorized:  # the user is being erased, which closes this receipt, too
        async with services.database.system() as session:
            await store.set_retried(session, receipt.id)
    except Exception:
        if retry:
            raise
        log.exception("erasure.failed", erasureId=str(receipt.id))
        await _retry(services, receipt, after_failure=True)
    else:
        if not finished:
            await _retry(services, receipt, after_failure=retry)


async def _retry(services: Services, receipt: Receipt, *, after_failure: bool) -> None:
    async with services.database.system() as session:
        await store.set_retried(session, receipt.id)
        session.defer(single(receipt, RETRY_MS, retry=after_failure))


async def resume_all(services: Services) -> JobResult:
    """The scheduled job `erasure`: unfinished erasures whose job was lost or has failed get another; rows = how many."""
    async with services.database.system() as session:
        unfinished = await store.unfinished(session)
        await store.clear_retried(session)
        for receipt in {receipt.lock or receipt.id: receipt for receipt in unfinished}.values():
            session.defer(deferral(receipt))
    return JobResult(rows=len(unfinished))
