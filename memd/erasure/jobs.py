"""The job `erase`: payload `erasure_id`, and what starts lost ones again. It may be killed at any point; the next run goes on where it stopped."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import structlog

from memd.accounts.every_user import JobResult
from memd.context import Services
from memd.erasure import store
from memd.erasure.messages import service as messages
from memd.erasure.receipts import USER, deferral
from memd.erasure.users import service as users

log = structlog.get_logger()
RETRY_MS: Final = 1_000


async def erase(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """Carry an erasure to its end, or run again shortly when other work of the user has to end first.

    One that fails is deferred once more behind the others of its user, which would wait for its tries; then errors are raised.
    """
    del user_id  # the receipt names the user
    async with services.database.system() as session:
        receipt = await store.find(session, UUID(payload["erasure_id"]))
    if receipt is None or receipt.state == "done":
        return
    retry = bool(payload.get("retry"))
    try:
        finished = await (users.run if receipt.kind == USER else messages.run)(services, receipt)
    except Exception:
        if retry:
            raise
        log.exception("erasure.failed", erasureId=payload["erasure_id"])
        finished, retry = False, True
    if not finished:
        async with services.database.system() as session:
            session.defer(deferral(receipt, RETRY_MS, retry=retry))


async def resume_all(services: Services) -> JobResult:
    """The scheduled job `erasure`: unfinished erasures whose job was lost or has failed get another; rows = how many."""
    async with services.database.system() as session:
        unfinished = await store.unfinished(session)
        for receipt in unfinished:
            session.defer(deferral(receipt))
    return JobResult(rows=len(unfinished))
