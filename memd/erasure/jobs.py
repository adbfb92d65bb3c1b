"""The job `erase`: payload `erasure_id`. It may be killed at any point; the next run goes on where it stopped."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from memd.context import Services
from memd.erasure import store
from memd.erasure.receipts import deferral
from memd.erasure.users import service as users

RETRY_MS: Final = 1_000


async def erase(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """Carry an erasure to its end, or run again shortly when other work of the user has to end first."""
    del user_id  # the receipt names the user
    async with services.database.system() as session:
        receipt = await store.find(session, UUID(payload["erasure_id"]))
    if receipt is None or receipt.state == "done":
        return
    if not await users.run(services, receipt):
        async with services.database.system() as session:
            session.defer(deferral(receipt, RETRY_MS))
