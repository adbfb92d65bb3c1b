"""The scheduled job `associate`: links between like memories of one channel and project (contract 13)."""

from typing import Final

from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.domain.lifecycle.consolidation import ASSOCIATE_AGAIN_MS, ASSOCIATE_SAMPLE, LINKED, due_for_association, links
from memd.lifecycle import association_store as store
from memd.lifecycle import similarity_store
from memd.lifecycle.similarity import candidate, neighbours_of

NEIGHBOURS: Final = 8


async def associate_all(services: Services) -> JobResult:
    """Link like memories of users with memories that are due; rows = links written."""
    before = services.clock() - ASSOCIATE_AGAIN_MS
    return await for_found_users(
        services, lambda session: similarity_store.users_associable(session, before), associate
    )


async def associate(context: Context) -> int:
    """Compare at most 100 memories that were not compared within seven days; returns how many links were written."""
    before = context.now - ASSOCIATE_AGAIN_MS
    async with context.database.owner(context.user_id) as session:
        rows = await similarity_store.associable(session, before, ASSOCIATE_SAMPLE)
        sample = due_for_association([candidate(row, row.associated_at) for row in rows], context.now)
        ids = [one.id for one in sample]
        linked = await store.linked_at(session, ids)
    if not sample:
        return 0
    near = await neighbours_of(context, sample, minimum=LINKED, limit=NEIGHBOURS)
    made = links(near, linked, context.now)
    async with context.database.write(context.user_id) as session:
        await store.mark_associated(session, ids, context.now)  # first: memories are locked before links
        await store.put_links(session, made, context.now)
    return len(made)
