"""Listing and searching the memories of a namespace (contract 17.2); neither counts as an access."""

from dataclasses import dataclass

from memctl.wire.keyed_memories import MemorySearchRequest
from memctl.wire.recall import RecallRequest
from memd.access.requested import requested_where
from memd.context import Context
from memd.domain.metadata_filter import Namespace
from memd.memories.namespaces import store
from memd.memories.namespaces.store import NamespaceRow
from memd.recall.service import recall_at_length


@dataclass(frozen=True, slots=True)
class Match:
    """A memory of the answer; its relevance (0 to 1), and whether it is weak, if there was a query."""

    row: NamespaceRow
    relevance: float | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The memories of one page, and whether there is another."""

    matches: list[Match]
    has_more: bool


async def search(context: Context, request: MemorySearchRequest) -> Page:
    """The memories of a namespace that pass the filter: most relevant first, or last changed first without a query."""
    query = (request.query or "").strip()
    return await _ranked(context, request, query) if query else await _listed(context, request)


async def _listed(context: Context, request: MemorySearchRequest) -> Page:
    scope = context.scopes(request.channel, request.agent_id).memory
    where, namespace = requested_where(request.where), Namespace(request.namespace)
    async with context.database.read(context.user_id) as session:
        rows = await store.page(session, scope, namespace, where, request.limit + 1, request.offset)
    return Page([Match(row) for row in rows[: request.limit]], len(rows) > request.limit)


async def _ranked(context: Context, request: MemorySearchRequest, query: str) -> Page:
    """As recall ranks the memories of the namespace, near duplicates and what is no longer so included."""
    end = request.offset + request.limit
    wanted = RecallRequest(
        query=query,
        namespace=request.namespace,
        where=request.where,
        channel=request.channel,
        agent_id=request.agent_id,
        collapse_near_duplicates=False,
        include_ended=True,
    )
    recalled = await recall_at_length(context, wanted, end + 1)
    ranked = {row.candidate.id: row for row in recalled.rows if not row.candidate.is_chunk}
    ids = list(ranked)[request.offset : end]
    scope = context.scopes(request.channel, request.agent_id).memory
    async with context.database.read(context.user_id) as session:
        found = {row.id: row for row in await store.rows(session, scope, ids)}
    matches = [Match(found[each], ranked[each].relevance, ranked[each].weak) for each in ids if each in found]
    return Page(matches, len(ranked) > end)
