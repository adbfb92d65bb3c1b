"""Links from the memories of a page to others of their channel and project that mention both ends of an edge."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from memd.db.session import WriteSession
from memd.graph import edge_store
from memd.graph.edge_store import NewAssociation, Related, StatedEdge
from memd.graph.enrichment_store import Link, Unread

MAX_SIMILAR: Final = 3
"""Associations that one edge gives a memory."""
WINDOW: Final = 100
"""How many of the newest memories of a node are candidates."""
CANDIDATES: Final = 30
"""How many memories that mention both ends are read, before those of other channels and projects are dropped."""
Nodes: TypeAlias = tuple[UUID, UUID]


async def associate(
    session: WriteSession,
    page: Sequence[Unread],
    links: Sequence[Link],
    stated: Sequence[StatedEdge],
    known: frozenset[UUID],
    now: int,
) -> None:
    """Link each memory to the newest others that mention both ends of its edge, at most three per edge.

    Within the page only to older memories; never to chunks. Memories outside of the page mention `known` nodes only.
    """
    pairs = dict.fromkeys(_nodes(one) for one in stated)
    others = await _stored(session, [pair for pair in pairs if known.issuperset(pair)], page)
    own = _of_page(page, links, pairs)
    found = {
        (one.memory.id, other, one.kind): NewAssociation(one.memory.id, other, one.kind, one.weight)
        for one in stated
        for other in _newest(one.memory, others.get(_nodes(one), []), own[_nodes(one)])
    }
    if found:
        edge_store.put_associations(session, list(found.values()), now)


def _nodes(one: StatedEdge) -> Nodes:
    return one.edge.from_node_id, one.edge.to_node_id


async def _stored(
    session: WriteSession, pairs: Sequence[Nodes], page: Sequence[Unread]
) -> Mapping[Nodes, list[Related]]:
    """Memories outside of the page that mention both nodes of a pair."""
    if not pairs:
        return {}
    sharing = await edge_store.sharing(session, pairs, [memory.id for memory in page], WINDOW, CANDIDATES)
    related = {row.id: row for row in await edge_store.related(session, list({row.memory_id for row in sharing}))}
    found: defaultdict[Nodes, list[Related]] = defaultdict(list)
    for row in sharing:
        if row.memory_id in related:
            found[pairs[row.place - 1]].append(related[row.memory_id])
    return found


def _of_page(page: Sequence[Unread], links: Sequence[Link], pairs: Iterable[Nodes]) -> Mapping[Nodes, list[Related]]:
    """Memories of the page that mention both nodes of a pair."""
    mentioning: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for link in links:
        mentioning[link.node_id].add(link.memory_id)
    memories = {
        memory.id: Related(memory.id, memory.created_at, memory.channel, memory.project_id)
        for memory in page
        if not memory.is_chunk
    }
    return {
        (one, other): [memories[memory_id] for memory_id in mentioning[one] & mentioning[other] & memories.keys()]
        for one, other in pairs
    }


def _newest(memory: Unread, others: Sequence[Related], own: Sequence[Related]) -> list[UUID]:
    candidates = [*others, *(other for other in own if other.id < memory.id)]
    group = (memory.channel, memory.project_id)
    same = [(-other.created_at, other.id) for other in candidates if (other.channel, other.project_id) == group]
    return [other for _, other in sorted(same)[:MAX_SIMILAR]]
