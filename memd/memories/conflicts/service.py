"""The use cases of conflicts: listing them, deciding about one (contract 17.5)."""

from uuid import UUID

from memctl.wire.conflicts import ConflictDecision, ConflictsRequest, DecideRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.domain.ids import encode
from memd.errors import Conflict, NotFound
from memd.memories import service as memories
from memd.memories.conflicts import store
from memd.memories.conflicts.resolution import resolve_by_superseding
from memd.memories.conflicts.store import ConflictRow

__all__ = ["ConflictDecided", "ConflictRow", "decide", "page"]
_STATES = {ConflictDecision.KEEP_BOTH: "kept", ConflictDecision.REJECT: "rejected"}


class ConflictDecided(Conflict):
    """409: the conflict was decided about, or one of its memories is not active any more."""

    error = "Conflict already decided"


async def page(context: Context, request: ConflictsRequest, after: UUID | None) -> list[ConflictRow]:
    """Conflicts in a state, newest first; one more than asked for when there is a next page."""
    scope = context.scopes(request.channel, request.agent_id).memory
    async with context.database.read(context.user_id) as session:
        return await store.page(session, scope, request.state.value, after, request.limit + 1)


async def decide(context: Context, conflict_id: UUID, request: DecideRequest) -> None:
    """Supersede the old memory by the new one, keep both, or reject the conflict.

    `Forbidden` unless the channel of the request, if it names one, sees both memories.
    """
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.write(context.user_id) as session:
        row = await store.lock(session, conflict_id)
        if row is None:
            raise NotFound
        for memory_id in (row.old_id, row.new_id):
            await memories.lock_visible(session, scopes, memory_id, tested=request.channel is not None)
        if row.state != "open":
            raise ConflictDecided
        if request.decision is ConflictDecision.SUPERSEDE:
            if not await resolve_by_superseding(session, context, row.old_id, row.new_id):
                raise ConflictDecided
        else:
            await store.decide(session, conflict_id, _STATES[request.decision], context.now)
        meta = {"decision": request.decision.value}
        await accounts.audit(session, context, "conflict", "conflict", encode("conf", conflict_id), meta)
