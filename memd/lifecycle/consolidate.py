"""The job `consolidate`: similar sensory memories become one event, and events that are often recalled become knowledge (contract 13)."""

from collections.abc import Sequence
from dataclasses import replace

from memd.accounts import service as accounts
from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.domain.lifecycle.consolidation import (
    CLUSTERED,
    CONSOLIDATE_AGE_MS,
    CONSOLIDATE_LOOKUPS,
    CONSOLIDATE_NEIGHBOURS,
    CONSOLIDATED_CATEGORY,
    CONSOLIDATED_STORE,
    Candidate,
    clusters,
    consolidate,
    due_for_consolidation,
)
from memd.domain.types import HistoryAction, MemorySource, Store
from memd.lifecycle import consolidation_store as store
from memd.lifecycle import similarity_store
from memd.lifecycle.promotion import promote
from memd.lifecycle.retention_store import archive_rows
from memd.lifecycle.similarity import candidate, neighbours_of
from memd.memories import service as memories
from memd.memories.deriving import Derived, apply_policy
from memd.memories.history.recording import Cause, record_versions
from memd.memories.new import SOURCES_MAX
from memd.stats import service as stats


async def consolidate_all(services: Services) -> JobResult:
    """Consolidate and promote for users with candidates; rows = memories made."""
    return await for_found_users(services, similarity_store.users_with_candidates, consolidate_and_promote)


async def consolidate_and_promote(context: Context) -> int:
    """One page of sensory memories, then one of events; how many memories were made."""
    return await consolidate_sensory(context) + await promote(context)


async def consolidate_sensory(context: Context) -> int:
    """Consolidate the 50 oldest sensory memories; returns how many events were made of their clusters."""
    before = context.now - CONSOLIDATE_AGE_MS
    async with context.database.owner(context.user_id) as session:
        rows = await similarity_store.sensory_memories(session, before, CONSOLIDATE_LOOKUPS)
    due = due_for_consolidation([candidate(row, row.consolidated_at) for row in rows], context.now)
    if not due:
        return 0
    near = await neighbours_of(
        context, due, minimum=CLUSTERED, limit=CONSOLIDATE_NEIGHBOURS, store=Store.SENSORY.value, before=before
    )
    made = 0
    for cluster in clusters(due, near, context.now):
        made += await _merge(context, cluster)
    async with context.database.write(context.user_id) as session:
        await store.mark_consolidated(session, [row.id for row in due], context.now)
    return made


async def _merge(context: Context, cluster: Sequence[Candidate]) -> int:
    """Write the event of a cluster and archive its sources; nothing when one of them has gone or changed."""
    event = consolidate([replace(one, created_at=context.zone.local(one.created_at)) for one in cluster])
    derived = Derived(
        title=event.title,
        content=event.content,
        store=CONSOLIDATED_STORE,
        category=CONSOLIDATED_CATEGORY,
        source=MemorySource.INFERENCE,
        channel=event.channel,
        project_id=event.project_id,
        strength=event.strength,
        confidence=event.confidence,
        tags=event.tags,
        source_memory_ids=list(event.source_ids),
    )
    rows = await apply_policy(context, [derived])
    if not rows:
        return 0
    async with context.database.write(context.user_id) as session:
        sources = await store.lock_unchanged(session, cluster)
        if len(sources) < len(event.source_ids):
            return 0
        messages = dict.fromkeys(one for row in sources for one in row.source_message_ids)
        rows[0].source_message_ids = list(messages)[:SOURCES_MAX]
        memories.add(session, context, rows)
        await store.mark_consolidated(session, event.source_ids, context.now)
        await record_versions(session, context, event.source_ids, Cause(HistoryAction.ARCHIVE, "consolidate"))
        await archive_rows(session, dict.fromkeys(event.source_ids), context.now)
        await stats.move(session, context.now, active=-len(sources), archived=len(sources))
        await accounts.audit(session, context, "consolidate", meta={"sources": len(sources)})
    return 1
