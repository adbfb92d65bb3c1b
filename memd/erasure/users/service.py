"""Erasing a user: the keys end at once, and a job removes every row in pages that can be resumed after any kill."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Final, TypeAlias
from uuid import UUID

from psycopg import AsyncConnection

from memd.accounts import service as accounts
from memd.audit.acts import record
from memd.context import Context, Services
from memd.db.session import SystemSession
from memd.domain.ids import encode
from memd.embed.vector_index import drop_vector_indexes
from memd.erasure import store as receipt_store
from memd.erasure.receipts import JOB, close, deferral, open_receipt
from memd.erasure.store import Receipt
from memd.erasure.users import store

KIND: Final = "user"
PAGE: Final = 1_000
LOOKS, LOOK_S = 50, 0.2
"""How often and how far apart (seconds) a run looks whether the last running job of the user has ended."""
NOTES, QUEUE, ACCOUNT = "audit_row", "procrastinate_jobs", "app_user"
Step: TypeAlias = Callable[[SystemSession], Awaitable[int]]


async def begin(context: Context, user_id: UUID) -> Receipt | None:
    """Delete the account and open the receipt, in one transaction; None when there is no such user.

    `LastAdminKey` when no administrator would be left. A second request gets the receipt of the first.
    """
    async with context.database.system() as session:
        if not await accounts.may_remove(session, user_id, context.now):
            known = await receipt_store.find_of_user(session, user_id)
            if known is not None and known.state != "done":
                session.defer(deferral(known))
            return known
        await store.remove_sign_ins(session, user_id)
        removed = await store.remove_account(session, user_id)
        receipt = await open_receipt(session, context, user_id, KIND, counts={ACCOUNT: removed})
        target = encode("usr", user_id)
        record(session, context, "user.delete", target, after={"erasureId": encode("era", receipt.id)})
    return receipt


async def run(services: Services, receipt: Receipt) -> bool:
    """Remove every row of the user; False when a job of the user still runs, so that this has to be called again."""
    await _wait_for_writers(services, receipt)
    await drop_vector_indexes(services, receipt.user_id)
    for _ in range(LOOKS):
        while await _sweep(services, receipt):
            pass
        async with services.database.system() as session:
            if not await store.has_jobs(session, receipt.user_id, JOB):
                break
        await asyncio.sleep(LOOK_S)
    else:
        return False
    async with await AsyncConnection.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        await store.analyze(owner, await _tables(services))
    await _close(services, receipt)
    return True


async def _wait_for_writers(services: Services, receipt: Receipt) -> None:
    async with services.database.system() as session:
        await store.wait_for_writers(session, receipt.user_id)


async def _tables(services: Services) -> list[str]:
    async with services.database.system() as session:
        return [*await store.tables_of_users(session), NOTES, ACCOUNT]


async def _sweep(services: Services, receipt: Receipt) -> int:
    """One round over the queue and all tables; how many rows were removed."""
    user_id = receipt.user_id
    removed = await _pages(services, receipt, QUEUE, lambda session: store.remove_jobs(session, user_id, JOB))
    for table in await _tables(services):
        removed += await _pages(services, receipt, table, _step(table, user_id))
    return removed


def _step(table: str, user_id: UUID) -> Step:
    """What removes a page from a table."""
    if table == NOTES:
        return lambda session: store.remove_notes(session, user_id, PAGE)
    return lambda session: store.remove_page(session, table, user_id, PAGE)


async def _pages(services: Services, receipt: Receipt, table: str, step: Step) -> int:
    """Repeat a step, each in a transaction together with its count, until it removes less than a page.

    Requests go before the second page and those after it.
    """
    total = 0
    while True:
        piece = services.rate_limiter.low_priority() if total else nullcontext()
        async with piece, services.database.system() as session:
            removed = await step(session)
            if removed:
                await receipt_store.count(session, receipt.id, {table: removed})
        total += removed
        if removed < PAGE:
            return total


async def _close(services: Services, receipt: Receipt) -> None:
    async with services.database.system() as session:
        await receipt_store.finish_others(session, receipt.user_id, services.clock())
        await close(services, session, receipt)
