"""The answers of the tools that ask the graph."""

from collections.abc import Sequence
from typing import Final

from memctl.wire.graph import DependencyChainReply, Evidence, ExplainConnectionReply, WhoOwnsReply
from memd.domain.text.token_estimate import truncate_to_tokens
from memd.mcp.content.base import Arguments, Lean, StoredContent, one_line

NAME_TOKENS: Final = 15
EVIDENCE_MAX: Final = 2


class OwnerLine(Lean):
    """A person or thing that owns the entity; `evidence` are memory ids."""

    name: str
    relation: str
    confidence: float
    evidence: list[str]


class OwnersContent(StoredContent):
    """Who owns the entity."""

    owners: list[OwnerLine]


class Edge(Lean):
    """`from` has the relation to `to`; `evidence` are memory ids."""

    edge: str
    evidence: list[str]


class ConnectionContent(StoredContent):
    """The paths between two entities, each as its edges."""

    connected: bool
    paths: list[list[Edge]]


class ChainContent(StoredContent):
    """The dependencies of the entity, nearest first; `cycles` says that the chain is circular."""

    chain: list[Edge]
    cycles: bool | None = None


def owners(reply: WhoOwnsReply, _sent: Arguments) -> OwnersContent:
    """The owners, each with the memories that say so."""
    return OwnersContent(
        owners=[
            OwnerLine(
                name=_name(owner.label),
                relation=owner.relation,
                confidence=round(owner.confidence, 2),
                evidence=_ids(owner.evidence),
            )
            for owner in reply.owners
        ]
    )


def connection(reply: ExplainConnectionReply, _sent: Arguments) -> ConnectionContent:
    """How two entities are connected."""
    paths = [[_edge(hop.from_, hop.relation, hop.to, hop.evidence) for hop in path.hops] for path in reply.paths]
    return ConnectionContent(connected=reply.connected, paths=paths)


def chain(reply: DependencyChainReply, _sent: Arguments) -> ChainContent:
    """The dependencies of an entity, step by step."""
    links = [_edge(link.from_, link.relation, link.to, link.evidence) for link in reply.chain]
    return ChainContent(chain=links, cycles=reply.cycles or None)


def _edge(start: str, relation: str, end: str, evidence: Sequence[Evidence]) -> Edge:
    return Edge(edge=f"{_name(start)} {relation} {_name(end)}", evidence=_ids(evidence))


def _ids(evidence: Sequence[Evidence]) -> list[str]:
    return [row.memory_id for row in evidence[:EVIDENCE_MAX]]


def _name(label: str) -> str:
    return truncate_to_tokens(one_line(label), NAME_TOKENS)
