"""Writing the readings of a page of memories: they are merged here with what the graph knows, then written set-wise."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from memd.db.session import WriteSession
from memd.domain.graph.edge_strength import edge_strength
from memd.domain.graph.entities import canonical_key, settled_type, slug
from memd.domain.graph.merging import EVIDENCE, MergedEdge, MergedNode
from memd.domain.graph.reading import GraphReading, LinkedEntity
from memd.domain.graph.relations import association_of
from memd.domain.ids import new_id
from memd.domain.types import NodeType, RelationType
from memd.graph import edge_store
from memd.graph import enrichment_store as store
from memd.graph.associating import associate
from memd.graph.edge_store import StatedEdge
from memd.graph.enrichment_store import Link, Unread

EdgeKey = tuple[UUID, RelationType, UUID]
Readings = Sequence[tuple[Unread, GraphReading]]


async def write_readings(session: WriteSession, readings: Readings, now: int) -> None:
    """Write entities, relations and associations of memories, oldest first, under the lock of the graph."""
    nodes = await _Nodes.load(session, readings)
    links: list[Link] = []
    edges: list[tuple[Unread, EdgeKey]] = []
    for memory, reading in readings:
        own: dict[str, UUID] = {}
        for linked in sorted(reading.entities, key=lambda linked: linked.entity.key):
            node = nodes.mention(linked, memory.id)
            own[slug(linked.entity.label)] = node.id
            links.append(Link(memory.id, node.id, linked.role, linked.link_confidence))
        for relation in reading.relations:
            ends = [own[slug(end.label)] for end in (relation.subject, relation.object)]
            edges.append((memory, (ends[0], relation.relation, ends[1])))
    if links:
        store.retype_nodes(session, nodes.retyped)
        store.put_nodes(session, nodes.mentioned, now)
        store.put_links(session, links, now)
    if edges:
        stated = await _state(session, edges)
        edge_store.put_edges(session, stated, now)
        await associate(session, [memory for memory, _ in readings], links, stated, nodes.known, now)


class _Nodes:
    """The nodes of a user that a page may mention."""

    def __init__(self, known: Sequence[MergedNode]) -> None:
        self.known = frozenset(node.id for node in known)
        self._by_key = {node.key: node for node in known}
        self._types: defaultdict[str, list[NodeType]] = defaultdict(list)
        for node in known:
            self._types[_slug_of(node)].append(node.node_type)
        self._mentioned: dict[str, MergedNode] = {}
        self.retyped: list[MergedNode] = []
        """Stored concepts that turned out to be something definite, with their new type and key."""

    @classmethod
    async def load(cls, session: WriteSession, readings: Readings) -> "_Nodes":
        slugs = {slug(linked.entity.label) for _, reading in readings for linked in reading.entities}
        rows = await store.known_nodes(session, sorted(slugs)) if slugs else []
        return cls(
            [
                MergedNode(row.id, row.label, NodeType(row.node_type), row.key, row.alias, row.source_memory_ids)
                for row in rows
            ]
        )

    @property
    def mentioned(self) -> list[MergedNode]:
        return list(self._mentioned.values())

    def mention(self, linked: LinkedEntity, memory_id: UUID) -> MergedNode:
        """The node of an entity, with the memory among its sources."""
        label = linked.entity.label
        types = self._types[slug(label)]
        node_type = settled_type(linked.entity.node_type, types)
        key = canonical_key(node_type, label)
        node = self._by_key.get(key) or self._retype_concept(label, node_type)
        if node is None:
            node = self._by_key[key] = MergedNode(new_id(), label, node_type, key)
            types.append(node_type)
        node.mention(label, memory_id)
        self._mentioned[key] = node
        return node

    def _retype_concept(self, label: str, node_type: NodeType) -> MergedNode | None:
        """The concept of this name, which is something definite from now on; None when there is none."""
        concept = canonical_key(NodeType.CONCEPT, label)
        node = self._by_key.pop(concept, None)
        if node is None:
            return None
        self._mentioned.pop(concept, None)
        node.node_type, node.key = node_type, canonical_key(node_type, label)
        self._by_key[node.key] = node
        self._types[slug(label)] = [each for each in self._types[slug(label)] if each is not NodeType.CONCEPT]
        self._types[slug(label)].append(node_type)
        if node.id in self.known:
            self.retyped.append(node)
        return node


def _slug_of(node: MergedNode) -> str:
    return node.key.removeprefix(f"{node.node_type.value}:")


async def _state(session: WriteSession, edges: Sequence[tuple[Unread, EdgeKey]]) -> list[StatedEdge]:
    """Each statement of an edge, with the strength that the edge has from then on."""
    known = {
        (row.from_node_id, RelationType(row.relation), row.to_node_id): MergedEdge(
            row.id, row.from_node_id, RelationType(row.relation), row.to_node_id, row.evidence_memory_ids, row.channels
        )
        for row in await edge_store.known_edges(session, list({key for _, key in edges}))
    }
    channels = await _channels(session, list(known.values()), edges)
    stated: list[StatedEdge] = []
    for memory, key in edges:
        edge = known.get(key)
        if edge is None:
            edge = known[key] = MergedEdge(new_id(), *key)
        strength = edge_strength(edge.relation, edge.prove(memory.id, memory.channel, channels))
        kind = association_of(edge.relation)
        stated.append(StatedEdge(memory, edge, kind, strength.weight, strength.confidence))
    return stated


async def _channels(
    session: WriteSession, known: Sequence[MergedEdge], edges: Sequence[tuple[Unread, EdgeKey]]
) -> Mapping[UUID, str | None]:
    """The channels of the page's memories, and of the evidence of edges that may grow beyond EVIDENCE."""
    own = {memory.id: memory.channel for memory, _ in edges}
    large = [edge for edge in known if len(edge.evidence_memory_ids) + len(own) > EVIDENCE]
    if not large:
        return own
    proofs = list({proof for edge in large for proof in edge.evidence_memory_ids})
    return {row.id: row.channel for row in await edge_store.evidence(session, proofs)} | own
