"""The SQL that reads the graph; every row that it returns is stated by a memory that the request may see (contract 6.12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, ReadSession
from memd.db.sql.moment import period_condition, tables_at
from memd.db.sql.scope import memory_condition
from memd.db.typed_rows import Query
from memd.domain.graph.paths import Edge
from memd.domain.periods.validity import Moment
from memd.domain.types import NodeType, RelationType
from memd.domain.visibility.scoping import ChunkScope, MemoryScope, VisibleScopes


class Node(NamedTuple):
    """A node of the graph, as replies show it."""

    id: UUID
    label: str
    node_type: str
    confidence: float


class StoredEdge(NamedTuple):
    """An edge with its newest visible proofs."""

    id: UUID
    from_node_id: UUID
    to_node_id: UUID
    relation_type: str
    weight: float
    confidence: float
    evidence: list[UUID]

    @property
    def edge(self) -> Edge:
        """The edge as the domain reads it."""
        return Edge(
            id=self.id,
            subject=self.from_node_id,
            relation=RelationType(self.relation_type),
            object=self.to_node_id,
            weight=self.weight,
            confidence=self.confidence,
            evidence=tuple(self.evidence),
        )


class Proof(NamedTuple):
    """A memory or chunk that proves an edge, with the name and role of its knowledge base; times in epoch ms, `metadata` as JSON."""

    id: UUID
    title: str
    content: str
    recall_text: str | None
    store: str
    category: str
    tags: list[str]
    created_at: int
    last_accessed_at: int
    strength: float
    confidence: float
    access_count: int
    salience_score: float | None
    channel: str | None
    project_id: str | None
    metadata: str | None
    knowledge_base_id: UUID | None
    dedupe_key: str | None
    chunk_kind: str
    knowledge_base_name: str | None
    source_role: str | None
    link_confidence: float | None


class GraphCounts(NamedTuple):
    """Nodes and relations of a user, and enriched and all active ordinary memories."""

    nodes: int
    relations: int
    enriched: int
    memories: int


class _Titled(NamedTuple):
    id: UUID
    title: str


_MEMORY: Final = """
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.created_at, m.last_accessed_at, m.strength,
m.confidence, m.access_count, m.salience_score, m.channel, m.project_id,
m.metadata::text AS metadata, m.knowledge_base_id,
m.dedupe_key, m.chunk_kind, k.name AS knowledge_base_name, k.source_role,
(SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = %(user)s AND n.memory_id = m.id) AS link_confidence
"""
_ALIKE: Final = 20
PROOFS: Final = 12


@dataclass(frozen=True, slots=True)
class EvidenceScope:
    """The memories that may prove an edge to a request: ordinary ones, and chunks of the knowledge bases let through.

    Only memories that were true at the moment of the question count, as they were known then. A recall that names its
    knowledge bases takes `ordinary=False`: then only their chunks count.
    """

    scopes: VisibleScopes
    moment: Moment
    chunks: Sequence[tuple[UUID, ChunkScope]] = ()
    ordinary: bool = True

    def condition(self, params: dict[str, Any]) -> str:
        """The condition on rows `m` of memory; its values go into `params`."""
        return f"NOT m.archived AND NOT m.blocked AND {self._visible_at_moment('m', params)}"

    def index_condition(self, params: dict[str, Any]) -> str:
        """The condition on rows `i` of memory_index, or of versions that have ended; its values go into `params`."""
        seen = f"i.live AND {self._visible_at_moment('i', params)}"
        if self.moment.known_at is None:
            return seen
        blocked = "SELECT FROM memory b WHERE b.user_id = %(user)s AND b.id = i.memory_id AND b.blocked"
        return f"{seen} AND NOT EXISTS ({blocked})"

    def _visible_at_moment(self, alias: str, params: dict[str, Any]) -> str:
        memories = self.scopes.memory if self.ordinary else MemoryScope()
        seen = memory_condition(memories, self.chunks, alias, params)
        return f"{seen} AND {period_condition(self.moment, alias, params)}"

    def memory(self, params: dict[str, Any]) -> str:
        """The FROM item for memories; its values go into `params`, which hold `user` too."""
        return tables_at(self.moment, params).memory


async def find_nodes(session: ReadSession, slugs: Sequence[str]) -> list[UUID]:
    """The nodes of any type with one of these slugs."""
    keys = [f"{node_type.value}:{slug}" for node_type in NodeType for slug in slugs]
    return await session.values(
        "SELECT id FROM graph_node WHERE user_id = %(user)s AND canonical_key = ANY(%(keys)s)",
        {"user": session.user_id, "keys": keys},
    )


async def find_nodes_with(session: ReadSession, slug: str) -> list[UUID]:
    """Some nodes whose slug has the words of `slug` side by side."""
    return await session.values(
        r"""
        SELECT id FROM graph_node
        WHERE user_id = %(user)s
          AND strpos('-' || substr(canonical_key, strpos(canonical_key, ':') + 1) || '-', %(words)s) > 0
        ORDER BY length(canonical_key), canonical_key LIMIT %(limit)s
        """,
        {"user": session.user_id, "words": f"-{slug}-", "limit": _ALIKE},
    )


async def edges(
    session: ReadSession,
    scope: EvidenceScope,
    nodes: Sequence[UUID],
    *,
    limit: int,
    types: Sequence[RelationType] = (),
) -> list[Edge]:
    """The heaviest edges at these nodes that visible memories prove, each with its newest 12 proofs.

    Without `types` any relation counts.
    """
    params: dict[str, Any] = {
        "user": session.user_id,
        "nodes": list(nodes),
        "types": [relation.value for relation in types],
        "limit": limit,
    }
    touching = "(r.from_node_id = ANY(%(nodes)s) OR r.to_node_id = ANY(%(nodes)s))"
    typed = " AND r.relation_type = ANY(%(types)s)" if types else ""
    statement = _edges_sql(scope, touching + typed, params)
    return [row.edge for row in await session.rows(StoredEdge, statement, params)]


def surroundings(
    user_id: UUID, scope: EvidenceScope, memory_ids: Sequence[UUID], *, nodes: int, edges: int
) -> tuple[Query[Node], Query[StoredEdge]]:
    """The nodes that these memories speak of, those of most of them first, and the heaviest edges among them."""
    params: dict[str, Any] = {"user": user_id, "ids": list(memory_ids), "nodes": nodes, "limit": edges}
    linked = """
        SELECT n.node_id, count(*) AS memories, max(n.link_confidence) AS confidence FROM memory_node n
        WHERE n.user_id = %(user)s AND n.memory_id = ANY(%(ids)s)
        GROUP BY n.node_id ORDER BY memories DESC, confidence DESC, n.node_id LIMIT %(nodes)s
    """
    inside = f"""r.from_node_id = ANY(ARRAY(SELECT node_id FROM ({linked}) l))
        AND r.to_node_id = ANY(ARRAY(SELECT node_id FROM ({linked}) l))"""
    return (
        Query(
            Node,
            f"""
            SELECT g.id, g.label, g.node_type, g.confidence FROM ({linked}) l
            JOIN graph_node g ON g.user_id = %(user)s AND g.id = l.node_id
            ORDER BY l.memories DESC, l.confidence DESC, l.node_id
            """,
            params,
        ),
        Query(StoredEdge, _edges_sql(scope, inside, params), params),
    )


def _edges_sql(scope: EvidenceScope, condition: str, params: dict[str, Any]) -> str:
    params["proofs"] = PROOFS
    return f"""
        SELECT r.id, r.from_node_id, r.to_node_id, r.relation_type, r.weight, r.confidence, e.evidence
        FROM (SELECT r.* FROM graph_relation r WHERE r.user_id = %(user)s AND {condition} ORDER BY r.weight DESC, r.id) r
        CROSS JOIN LATERAL (
          SELECT array_agg(newest.memory_id ORDER BY newest.created_at DESC, newest.memory_id) AS evidence FROM (
            SELECT i.memory_id, i.created_at
            FROM (SELECT id FROM unnest(r.evidence_memory_ids) id ORDER BY id DESC) proof
            JOIN {tables_at(scope.moment, params, "proof.id").index} i ON i.user_id = %(user)s AND i.memory_id = proof.id
            WHERE {scope.index_condition(params)} ORDER BY proof.id DESC LIMIT %(proofs)s
          ) newest
        ) e
        WHERE e.evidence IS NOT NULL
        ORDER BY r.weight DESC, r.id LIMIT %(limit)s
    """


async def nodes(session: ReadSession, node_ids: Sequence[UUID]) -> dict[UUID, Node]:
    """Label, type and confidence of nodes that a visible memory has led to."""
    rows = await session.rows(
        Node,
        """
        SELECT id, label, node_type, confidence FROM graph_node
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        """,
        {"user": session.user_id, "ids": list(node_ids)},
    )
    return {row.id: row for row in rows}


async def memories(session: ReadSession, scope: EvidenceScope, memory_ids: Sequence[UUID]) -> list[Proof]:
    """Visible memories in full, in the order of their ids."""
    params: dict[str, Any] = {"user": session.user_id, "ids": list(memory_ids)}
    return await session.rows(
        Proof,
        f"""
        SELECT {_MEMORY} FROM {scope.memory(params)} m
        LEFT JOIN knowledge_base k ON k.user_id = %(user)s AND k.id = m.knowledge_base_id
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND {scope.condition(params)}
        ORDER BY array_position(%(ids)s, m.id)
        """,
        params,
    )


async def titles(session: ReadSession, scope: EvidenceScope, memory_ids: Sequence[UUID]) -> dict[UUID, str]:
    """The titles of visible memories, by id."""
    params: dict[str, Any] = {"user": session.user_id, "ids": list(memory_ids)}
    rows = await session.rows(
        _Titled,
        f"""
        SELECT m.id, m.title FROM {scope.memory(params)} m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND {scope.condition(params)}
        """,
        params,
    )
    return dict(rows)


async def counts(session: OwnerSession) -> GraphCounts:
    """Nodes and relations of the user, and enriched and all active ordinary memories."""
    (found,) = await session.rows(
        GraphCounts,
        """
        SELECT (SELECT count(*)::int FROM graph_node WHERE user_id = %(user)s) AS nodes,
               (SELECT count(*)::int FROM graph_relation WHERE user_id = %(user)s) AS relations,
               count(*) FILTER (WHERE graph_enriched)::int AS enriched, count(*)::int AS memories
        FROM memory WHERE user_id = %(user)s AND NOT archived AND knowledge_base_id IS NULL
        """,
        {"user": session.user_id},
    )
    return found
