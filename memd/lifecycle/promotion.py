"""Promotion: an event that is recalled often, certain and strong gets a semantic copy (contract 13)."""

from typing import Final

from memd.context import Context
from memd.domain.lifecycle.consolidation import (
    PROMOTED_ACCESSES,
    PROMOTED_CONFIDENCE,
    PROMOTED_STORE,
    PROMOTED_STRENGTH,
    PromotionRow,
    is_promoted,
)
from memd.domain.types import Category, MemorySource
from memd.lifecycle import consolidation_store as store
from memd.lifecycle.consolidation_store import PromotionCandidate
from memd.lifecycle.similarity import candidate, neighbours_of
from memd.memories import service as memories
from memd.memories.deriving import Derived, apply_policy
from memd.stats import quotas

PAGE: Final = 50


async def promote(context: Context) -> int:
    """Check 50 events for promotion; returns how many were promoted."""
    async with context.database.owner(context.user_id) as session:
        rows = await store.promotable(
            session,
            accesses=PROMOTED_ACCESSES,
            confidence=PROMOTED_CONFIDENCE,
            strength=PROMOTED_STRENGTH,
            limit=PAGE,
        )
    if not rows:
        return 0
    made = 0
    for row in rows:
        made += await _promote(context, row)
    async with context.database.write(context.user_id) as session:
        await store.mark_consolidated(session, [row.id for row in rows], context.now)
    return made


async def _promote(context: Context, row: PromotionCandidate) -> int:
    """Write the copy unless something like it is known; one after the other, so that twins make one copy."""
    near = await neighbours_of(context, [candidate(row)], minimum=-1, limit=1, store=PROMOTED_STORE.value)
    proof = PromotionRow(
        id=row.id,
        access_count=row.access_count,
        confidence=row.confidence,
        strength=row.strength,
        nearest_semantic=near[0].cosine if near else None,
    )
    if not is_promoted(proof):
        return 0
    copies = await apply_policy(context, [_copy(row)])
    async with context.database.write(context.user_id) as session:
        alive = await store.lock_unchanged(session, [candidate(row)])
        free_memories = await quotas.free_memories(session, context.principal, lock=True)
        if not (copies and alive) or free_memories == 0:
            return 0
        memories.add(session, context, copies)
    return 1


def _copy(row: PromotionCandidate) -> Derived:
    return Derived(
        title=row.title,
        content=row.content,
        store=PROMOTED_STORE,
        category=Category(row.category),
        source=MemorySource.INFERENCE,
        channel=row.channel,
        project_id=row.project_id,
        strength=row.strength,
        confidence=row.confidence,
        arousal=row.arousal,
        tags=row.tags,
        session_key=row.session_key,
        source_message_ids=row.source_message_ids,
        source_memory_ids=[row.id],
        promoted_from=row.id,
    )
