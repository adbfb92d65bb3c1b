"""Merges a memory into existing nodes and edges (contract 11.10): newest sources first, bounded lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memd.domain.types import NodeType, RelationType

SOURCES: Final = 50
ALIASES: Final = 10
EVIDENCE: Final = 200


@dataclass(slots=True)
class MergedNode:
    """An entity, and the memories that mention it, newest first."""

    id: UUID
    label: str
    node_type: NodeType
    key: str
    alias: list[str] = field(default_factory=list[str])
    source_memory_ids: list[UUID] = field(default_factory=list[UUID])

    def mention(self, label: str, memory_id: UUID) -> None:
        """Add a memory that uses this label; another spelling becomes an alias, up to ten."""
        if label != self.label and label not in self.alias:
            self.alias = [*self.alias, label][:ALIASES]
        self.source_memory_ids = _newest_first(memory_id, self.source_memory_ids)[:SOURCES]


@dataclass(slots=True)
class MergedEdge:
    """A relation between two nodes, and the memories that prove it, newest first."""

    id: UUID
    from_node_id: UUID
    relation: RelationType
    to_node_id: UUID
    evidence_memory_ids: list[UUID] = field(default_factory=list[UUID])
    channels: list[str] = field(default_factory=list[str])

    def prove(self, memory_id: UUID, channel: str | None, channel_of: Mapping[UUID, str | None]) -> int:
        """Add a memory of a channel to the evidence; returns how many memories prove the edge now.

        From 200 on it replaces the oldest one of its own channel, so that no channel loses its evidence to another.
        `channel_of` names the channels of the evidence that still exists.
        """
        kept = self.evidence_memory_ids
        if len(kept) >= EVIDENCE:
            oldest = min((one for one in kept if channel_of.get(one, _GONE) == channel), default=None)
            kept = [one for one in kept if one != oldest]
        self.evidence_memory_ids = _newest_first(memory_id, kept)
        if channel is not None and channel not in self.channels:
            self.channels = [*self.channels, channel]
        return len(self.evidence_memory_ids)


_GONE: Final = "\0"
"""The channel of evidence that was deleted: none that a memory can have."""


def _newest_first(memory_id: UUID, others: list[UUID]) -> list[UUID]:
    return [memory_id, *(other for other in others if other != memory_id)]
