"""Questions to the graph: who owns something, how two things are connected, what something depends on (contract 6.12).

Every answer is made of edges that a memory visible to the request proves; an unknown entity gives an empty answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memctl.wire.graph import DependencyChainRequest, ExplainConnectionRequest, WhoOwnsRequest
from memd.access.request.values import requested_moment
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.graph import paths as graph_paths
from memd.domain.graph.entities import slug
from memd.domain.graph.paths import OWNERSHIP, Chain, Edge, Ownership, Path
from memd.domain.periods.validity import Moment
from memd.domain.types import RelationType
from memd.domain.visibility.scoping import VisibleScopes
from memd.graph import name_store, store
from memd.graph.store import EvidenceScope, Node, Proof
from memd.knowledge_bases.service import visible_chunks
from memd.memories.history.withheld import withheld_at

MAX_EDGES: Final = 1000
_ARTICLE: Final = re.compile(r"^(?:the|an?|our|my|your)\s+", re.IGNORECASE)
_DEPENDENCY: Final = (RelationType.DEPENDS_ON, RelationType.LEADS_TO)


@dataclass(frozen=True, slots=True)
class Named:
    """The references of an answer: its nodes, the titles of its proofs, and the first 12.

    Nodes and titles are by id, those that still exist; `memories` are whole rows.
    """

    nodes: Mapping[UUID, Node]
    titles: Mapping[UUID, str]
    memories: Sequence[Proof]


async def who_owns(context: Context, request: WhoOwnsRequest) -> tuple[list[Ownership], Named]:
    """The owners of an entity and those it is assigned to, the most certain first."""
    scopes, moment = context.scopes(request.channel, request.agent_id), requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        scope = await _scope(session, scopes, moment)
        owned = await _find(session, request.entity)
        edges = await store.edges(session, scope, owned, limit=MAX_EDGES, types=OWNERSHIP)
        ends = {node for edge in edges for node in (edge.subject, edge.object)}
        full_names = await name_store.full_names(session, scope, sorted(ends))
    found = graph_paths.owners(edges, owned, request.limit, full_names)
    proofs = (owner.evidence for owner in found)
    known = await _known(context, scope, [owner.owner for owner in found], proofs)
    return [owner for owner in found if owner.owner in known.nodes], known


async def explain_connection(context: Context, request: ExplainConnectionRequest) -> tuple[list[Path], Named]:
    """At most five paths between two entities: direct edges, then those over one node between."""
    scopes, moment = context.scopes(request.channel, request.agent_id), requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        scope = await _scope(session, scopes, moment)
        sources = await _find(session, request.entity_a)
        targets = await _find(session, request.entity_b)
        edges = {
            edge.id: edge
            for ends in (sources, targets)
            for edge in await store.edges(session, scope, ends, limit=MAX_EDGES)
        }
    paths = graph_paths.connections(list(edges.values()), sources, targets)
    hops = [hop for path in paths for hop in path.hops]
    ends = [node for hop in hops for node in (hop.start, hop.end)]
    known = await _known(context, scope, ends, (hop.edge.evidence for hop in hops))
    return [path for path in paths if all({hop.start, hop.end} <= known.nodes.keys() for hop in path.hops)], known


async def dependency_chain(context: Context, request: DependencyChainRequest) -> tuple[Chain, Named]:
    """The dependencies of an entity, step by step."""
    scopes, moment = context.scopes(request.channel, request.agent_id), requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        scope = await _scope(session, scopes, moment)
        start = await _find(session, request.entity)
        edges = await _reachable(session, scope, start, request.max_depth)
    chain = graph_paths.dependency_chain(edges, start, request.max_depth)
    ends = [node for link in chain.links for node in (link.dependent, link.dependency)]
    known = await _known(context, scope, ends, (link.edge.evidence for link in chain.links))
    links = tuple(link for link in chain.links if {link.dependent, link.dependency} <= known.nodes.keys())
    return replace(chain, links=links), known


async def _scope(session: ReadSession, scopes: VisibleScopes, moment: Moment) -> EvidenceScope:
    return EvidenceScope(scopes, moment, await visible_chunks(session, scopes))


async def _find(session: ReadSession, name: str) -> list[UUID]:
    """The nodes that a name means, with or without its article; when there is none, those that have it in theirs."""
    name_slug = slug(_ARTICLE.sub("", name.strip()))
    if not name_slug:
        return []
    return await store.find_nodes(session, [name_slug, slug(name)]) or await store.find_nodes_with(session, name_slug)


async def _reachable(session: ReadSession, scope: EvidenceScope, start: Iterable[UUID], max_depth: int) -> list[Edge]:
    """The dependency edges within `max_depth` steps of the start, in either direction of their relation."""
    edges: dict[UUID, Edge] = {}
    reached, frontier = set(start), list(start)
    for _ in range(max_depth):
        if not frontier:
            break
        found = await store.edges(session, scope, frontier, limit=MAX_EDGES, types=_DEPENDENCY)
        edges |= {edge.id: edge for edge in found}
        ends = {node for edge in found for node in (edge.subject, edge.object)}
        frontier = sorted(ends - reached)
        reached |= ends
    return list(edges.values())


async def _known(
    context: Context, scope: EvidenceScope, node_ids: Iterable[UUID], proofs: Iterable[Sequence[UUID]]
) -> Named:
    """Read outside of the caller's session: no request waits for a second connection while it holds one."""
    named = list(dict.fromkeys(memory_id for evidence in proofs for memory_id in evidence))
    withheld = await withheld_at(context, named, scope.moment.known_at)
    distinct = [memory_id for memory_id in named if memory_id not in withheld]
    async with context.database.read(context.user_id) as session:
        return Named(
            nodes=await store.nodes(session, sorted(set(node_ids))),
            titles=await store.titles(session, scope, distinct),
            memories=await store.memories(session, scope, distinct[: graph_paths.MAX_EVIDENCE]),
        )
