"""Extraction as background work: the job of a turn, and the sweep of the schedule."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from memd.accounts import service as accounts
from memd.accounts.every_user import JobResult, for_users
from memd.context import Context, Services
from memd.domain.extraction.conversation_windows import SETTLE_MS
from memd.extraction import service, store

USERS: Final = 20


async def extract_turn(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `extract_turn`: payload `turn_id`."""
    context = await accounts.job_context(services, user_id)
    if context is not None:
        await service.extract_turn(context, payload["turn_id"])


async def sweep(services: Services) -> JobResult:
    """The scheduled job `extraction`: a page of messages of each of the 20 users who have waited longest.

    When a user has more than that waiting, the next run follows soon.
    """
    before = services.clock() - SETTLE_MS
    async with services.database.system() as session:
        waiting = await store.users_waiting(session, before, USERS)
    result = await for_users(services, waiting, _read_page)
    async with services.database.system() as session:
        result.more = bool(await store.users_waiting(session, before, 1))
    return result


async def _read_page(context: Context) -> int:
    return (await service.extract_waiting(context)).messages
