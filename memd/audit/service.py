"""The use cases of the audit log: reading it, and letting its oldest entries expire."""

from typing import Final

from memd.accounts.every_user import JobResult
from memd.audit import store
from memd.audit.recording import record
from memd.audit.store import Filter
from memd.context import Context, Services
from memd.domain.accounts.audit_chain import ChainedEntry
from memd.domain.dates.time_window import DAY_MS

EXPIRE_PAGE: Final = 5_000


async def page(context: Context, filters: Filter, after: int | None, limit: int, *, newest: bool) -> list[ChainedEntry]:
    """Up to `limit` + 1 entries behind a sequence number. Reading the log from its beginning is an audited action."""
    async with context.database.system() as session:
        if after is None:
            record(session, context, "audit.read")
        return await store.page(session, filters, after, limit + 1, newest=newest)


async def expire(services: Services) -> JobResult:
    """Remove entries that are older than the settings keep, in pages; rows = entries removed."""
    result = JobResult()
    days = services.settings.audit_retention_days
    while days:
        now = services.clock()
        async with services.database.system() as session:
            removed = await store.expire(session, now, now - days * DAY_MS, EXPIRE_PAGE)
        result.rows += removed
        if removed < EXPIRE_PAGE:
            break
    return result
