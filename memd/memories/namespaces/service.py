"""Listing and searching the memories of a namespace (contract 17.2); neither counts as an access."""

from dataclasses import dataclass

from memctl.wire.keyed_memories import MemorySearchRequest
from memctl.wire.recall import RecallRequest
from memd.access.requested import requested_moment, requested_where
from memd.context import Context
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Namespace
from memd.memories.history.withheld import withheld_at
from memd.memories.namespaces import store
from memd.memories.namespaces.store import NamespaceRow
from memd.recall.service import recall_up_to


@dataclass(frozen=True, slots=True)
class Match:
    """A memory of the answer; its relevance (0 to 1), and whether it is weak, if there was a query."""

    row: NamespaceRow
    relevance: float | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The memories of one page, and whether there is another; `moment` is the time that was asked about."""

    matches: list[Match]
    has_more: bool
    moment: Moment


async def search(context: Context, request: MemorySearchRequest) -> Page:
    """The memories of a namespace that pass the filter: most relevant first, or last changed first without a query."""
    if request.query is None:
        return await _listed(context, request)
    return await _ranked(context, request, request.query)


async def _listed(context: Context, request: MemorySearchRequest) -> Page:
    scope = context.scopes(request.channel, request.agent_id).memory
    where, namespace = requested_where(request.where), Namespace(request.namespace)
    moment = requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        rows = await store.page(
            session, scope, namespace, where, moment, limit=request.limit + 1, offset=request.offset
        )
    page = rows[: request.limit]
    hidden = await withheld_at(context, [row.id for row in page], moment.known_at)
    return Page([Match(row) for row in page if row.id not in hidden], len(rows) > request.limit, moment)


async def _ranked(context: Context, request: MemorySearchRequest, query: str) -> Page:
    """As recall ranks the memories of the namespace, near duplicates included.

    A request that names no time gets active memories whenever they are true.
    """
    end = request.offset + request.limit
    moment = requested_moment(request, context.now)
    recall_request = RecallRequest(
        query=query,
        namespace=request.namespace,
        where=request.where,
        channel=request.channel,
        agent_id=request.agent_id,
        collapse_near_duplicates=False,
        valid_at=request.valid_at,
        known_at=request.known_at,
        as_of=request.as_of,
        include_ended=request.include_ended or not moment.is_historical,
    )
    recalled = await recall_up_to(context, recall_request, end + 1)
    ranked = {row.candidate.id: row for row in recalled.rows if not row.candidate.is_chunk}
    ids = list(ranked)[request.offset : end]
    scope = context.scopes(request.channel, request.agent_id).memory
    async with context.database.read(context.user_id) as session:
        found = {row.id: row for row in await store.rows(session, scope, ids, moment)}
    matches = [Match(found[each], ranked[each].relevance, ranked[each].weak) for each in ids if each in found]
    return Page(matches, len(ranked) > end, moment)
