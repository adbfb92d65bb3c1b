"""Superseding a memory by one that exists already, because the two contradict each other."""

from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.types import HistoryAction
from memd.memories.conflicts import store
from memd.memories.history.recording import record_versions
from memd.memories.removal import follow_archived
from memd.stats import service as stats


async def supersede_existing(context: Context, old_id: UUID, new_id: UUID, attribute: str) -> bool:
    """Archive the old memory, ended where the new one begins; whether both were active."""
    async with context.database.write(context.user_id) as session:
        return await supersede_in(session, context, old_id, new_id, attribute)


async def supersede_in(session: WriteSession, context: Context, old_id: UUID, new_id: UUID, attribute: str) -> bool:
    """As `supersede_existing`, in the caller's transaction; known since the new memory was learned."""
    pair = await store.lock_pair(session, old_id, new_id)
    if pair is None or pair.old_archived or pair.new_archived:
        return False
    reason = f"contradicted: {attribute}"
    await record_versions(session, context, [old_id, new_id], HistoryAction.SUPERSEDE, reason, at=pair.learned)
    await store.link(session, old_id, new_id, pair.begins, context.now)
    await follow_archived(session, [old_id, new_id], context.services.settings.text_search_config)
    await stats.move(session, context.now, active=-1, archived=1)
    await store.settle(session, old_id, new_id, context.now)
    meta = {"newMemoryId": encode("mem", new_id), "reason": reason}
    await accounts.audit(session, context, "supersede", "memory", encode("mem", old_id), meta)
    return True
