"""Resolving a conflict: one of two memories that contradict each other supersedes the other."""

from typing import Final
from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.types import HistoryAction
from memd.memories import visibility
from memd.memories.conflicts import store
from memd.memories.history.derived import archive_outdated_derived
from memd.memories.history.recording import Cause, record_versions
from memd.stats import service as stats

REASON: Final = "contradicted"
"""Kept in the audit log after an erasure, so it holds no words of the memories."""


async def resolve_by_superseding(
    session: WriteSession,
    context: Context,
    old_id: UUID,
    new_id: UUID,
    *,
    decided: bool = True,
    begins: int | None = None,
) -> bool:
    """Archive the old memory; its period ends where that of the first memory that contradicts it begins.

    Returns False, and changes nothing, unless both are active. What a person `decided` is known from now on; otherwise
    it is known since the new memory was learned. The new one begins as it says or when it was stored, or at `begins`
    (epoch ms) if that is earlier.
    """
    pair = await store.lock_pair(session, old_id, new_id)
    if pair is None or pair.old_archived or pair.new_archived:
        return False
    decided_at = context.now if decided else pair.learned
    cause = Cause(HistoryAction.SUPERSEDE, REASON, at=decided_at)
    await record_versions(session, context, [old_id, new_id], cause)
    ends = min(pair.ends, begins or pair.ends)
    begins = min(pair.begins, begins or pair.begins)
    await store.link(session, old_id, new_id, ends, begins, context.now)
    await visibility.sync_archived(session, [old_id, new_id])
    await archive_outdated_derived(session, context, [old_id], cause)
    await stats.move(session, context.now, active=-1, archived=1)
    await store.mark_superseded(session, old_id, new_id, context.now)
    meta = {"newMemoryId": encode("mem", new_id), "reason": REASON}
    await accounts.audit(session, context, "supersede", "memory", encode("mem", old_id), meta)
    return True
