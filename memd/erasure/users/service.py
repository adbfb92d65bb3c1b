"""Erasing a user: the keys end at once, and a job removes every row in pages that can be resumed after any kill.

With the user of an application its end users are erased, each by a separate job.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias
from uuid import UUID

from psycopg import AsyncConnection

from memd.accounts import service as accounts
from memd.accounts.end_users import service as end_users
from memd.audit.recording import record
from memd.context import Context, Services
from memd.db.session import SystemSession
from memd.domain.ids import encode
from memd.embed.vector_index import drop_vector_indexes
from memd.erasure import store as receipt_store
from memd.erasure.receipts import JOB, USER, Request, close, deferral, open_receipt, single
from memd.erasure.store import Receipt
from memd.erasure.users import store

PAGE: Final = 1_000
END_USERS: Final = 100
"""End users whose erasure begins with one transaction."""
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
                session.defer(single(known))
            return known
        await store.remove_sign_ins(session, user_id)
        receipt = await _remove_account(session, Request(context.user_id, context.now), user_id)
        _record(session, context, receipt)
    return receipt


async def begin_end_user(context: Context, name: str) -> Receipt:
    """As `begin`, for the end user that the caller calls so; `NotFound` when there is none."""
    async with context.database.system() as session:
        user_id = await end_users.lock(session, context, name)
        receipt = await _remove_account(session, Request(context.user_id, context.now), user_id)
        _record(session, context, receipt)
    return receipt


def _record(session: SystemSession, context: Context, receipt: Receipt) -> None:
    target = encode("usr", receipt.user_id)
    record(session, context, "user.delete", target, after={"erasureId": encode("era", receipt.id)})


async def _remove_account(
    session: SystemSession, request: Request, user_id: UUID, *, with_account: bool = False
) -> Receipt:
    """Delete the row of a locked user and open the receipt.

    That of an end user names the account until its end, and whether it is erased together with the account.
    """
    account_id = await store.remove_account(session, user_id)
    target = {"account": str(account_id), "withAccount": with_account} if account_id else None
    return await open_receipt(session, request, user_id, USER, target=target, counts={ACCOUNT: 1})


async def run(services: Services, receipt: Receipt) -> bool:
    """Remove every row of the user; False when a job of the user still runs, so that this has to be called again.

    It begins the erasure of all end users, too. The last one of them calls this again.
    """
    await _wait_for_writers(services, receipt)
    while await _begin_end_users(services, receipt):
        pass
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
    async with services.database.system() as session:
        if await store.is_erasing_end_users(session, receipt.user_id):
            return True
    if not (receipt.target or {}).get("withAccount"):  # else once, after all end users of the account
        await _analyze(services)
    await _close(services, receipt)
    return True


async def _analyze(services: Services) -> None:
    async with await AsyncConnection.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        await store.analyze(owner, await _tables(services))


async def _begin_end_users(services: Services, receipt: Receipt) -> int:
    """Begin the erasure of some end users of an erased account, which gets no more of them; returns how many."""
    request = Request(receipt.requested_by, services.clock())
    async with services.database.system() as session:
        user_ids = await end_users.lock_some(session, receipt.user_id, END_USERS)
        for user_id in user_ids:
            await _remove_account(session, request, user_id, with_account=True)
    return len(user_ids)


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
    """The statement that removes a page from a table."""
    if table == NOTES:
        return lambda session: store.remove_notes(session, user_id, PAGE)
    return lambda session: store.remove_page(session, table, user_id, PAGE)


async def _pages(services: Services, receipt: Receipt, table: str, step: Step) -> int:
    """Repeat a step, each in a transaction together with its count, until it removes less than a page."""
    total = 0
    while True:
        async with services.database.system() as session:
            removed = await step(session)
            if removed:
                await receipt_store.count(session, receipt.id, {table: removed})
        total += removed
        if removed < PAGE:
            return total


async def _close(services: Services, receipt: Receipt) -> None:
    async with services.database.system() as session:
        await receipt_store.finish_others(session, receipt.user_id, services.clock())
        account_id = (receipt.target or {}).get("account")
        account = await receipt_store.lock_of_user(session, UUID(account_id)) if account_id else None
        await close(services, session, receipt)
        if account is None or account.state == "done":
            return
        if not await store.is_erasing_end_users(session, account.user_id):
            session.defer(deferral(account))
