"""The rows of a recall in the form of the wire (contract 6.2)."""

from collections.abc import Mapping
from json import loads
from uuid import UUID

from memctl.wire.limits import RECALL_TEXT_MAX
from memctl.wire.recall import RankingSignals, RecalledMemory
from memd.db.session import Row
from memd.domain.ids import encode
from memd.domain.ranking import RankedRow
from memd.graph.wire import of_base
from memd.knowledge_bases.chunk_search import SeenBase
from memd.recall.knowledge import source_role

_SAME = (
    "title",
    "store",
    "category",
    "created_at",
    "last_accessed_at",
    "tags",
    "strength",
    "confidence",
    "channel",
    "project_id",
)


def recalled_memory(
    ranked: RankedRow, row: Row, bases: Mapping[UUID, SeenBase], *, compact: bool = False, preview_length: int = 0
) -> RecalledMemory:
    """A ranked row with its stored fields; a chunk also names its knowledge base, which `bases` holds."""
    recall_text: str = row["recall_text"] or row["content"][:RECALL_TEXT_MAX]
    base_id = ranked.candidate.knowledge_base_id
    base = None if base_id is None else bases.get(base_id)
    return RecalledMemory(
        id=encode("mem", row["id"]),
        content=recall_text if compact else row["content"],
        relevance=ranked.relevance,
        recall_text=recall_text,
        compact=True if compact else None,
        weak=True if ranked.weak else None,
        preview=row["content"][:preview_length] if preview_length else None,
        ranking_signals=signals(ranked),
        metadata=None if row["metadata"] is None else loads(row["metadata"]),
        **{name: row[name] for name in _SAME},
        **(of_base(row, base.row["name"], source_role(base)) if base else {}),
    )


def signals(ranked: RankedRow) -> RankingSignals:
    """The parts of a score."""
    return RankingSignals(**{name: value for name, value in ranked.signals._asdict().items() if value is not None})
