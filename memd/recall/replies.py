"""The rows of a recall in the form of the wire (contract 6.2)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from json import loads
from typing import Any, Final
from uuid import UUID

from memctl.wire.limits import RECALL_TEXT_MAX
from memctl.wire.recall import RankingSignals, RecalledMemory, RowConflict
from memd.domain.ids import encode
from memd.domain.periods.validity import Moment
from memd.domain.ranking.contested import OpenConflict
from memd.domain.ranking.rank_score import RankedRow
from memd.domain.ranking.stored_row import StoredRow
from memd.domain.types import SourceRole
from memd.knowledge_bases.search.service import DecidedBase, StoredChunk
from memd.recall.chunk_lane import source_role
from memd.recall.lane_store import FoundMemory

SHOWN_CONFLICTS: Final = 5
"""Open conflicts that a row names, the last noted first."""
_SAME: Final = (
    "title",
    "content",
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
    ranked: RankedRow,
    bases: Mapping[UUID, DecidedBase],
    *,
    moment: Moment | None = None,
    conflicts: Sequence[OpenConflict] = (),
    compact: bool = False,
    preview_length: int = 0,
) -> RecalledMemory:
    """A ranked row with its stored fields; a chunk also names its knowledge base, which `bases` holds.

    A memory that had ended at the moment of the question says so, and what contradicts it, of the open `conflicts`.
    """
    row = ranked.candidate.stored
    return recalled_row(
        ranked,
        preview_length,
        compact=compact or None,
        weak=ranked.weak or None,
        conflicts=[*islice(_conflicts_of(row.id, conflicts), SHOWN_CONFLICTS)] or None,
        **({"content": short_text(row)} if compact else {}),
        **(_base_of(row, bases) if isinstance(row, StoredChunk) else {}),
        **(_period_of(row, moment) if isinstance(row, FoundMemory) else {}),
    )


def recalled_row(ranked: RankedRow, preview_length: int, **more: Any) -> RecalledMemory:
    """The stored fields of a ranked row and its score; `more` fields join or replace them."""
    row = ranked.candidate.stored
    same = {name: getattr(row, name) for name in _SAME}
    return RecalledMemory(
        id=encode("mem", row.id),
        relevance=ranked.relevance,
        recall_text=short_text(row),
        preview=row.content[:preview_length] if preview_length else None,
        ranking_signals=signals(ranked),
        metadata=None if row.metadata is None else loads(row.metadata),
        **same | more,
    )


def short_text(row: StoredRow) -> str:
    """The short form of a row: the stored one, else the beginning of its content."""
    return row.recall_text or row.content[:RECALL_TEXT_MAX]


def _conflicts_of(memory_id: UUID, conflicts: Iterable[OpenConflict]) -> Iterator[RowConflict]:
    for one in conflicts:
        newer = memory_id == one.new_id
        if newer or memory_id == one.old_id:
            yield RowConflict(
                id=encode("conf", one.id),
                memory_id=encode("mem", one.old_id if newer else one.new_id),
                attribute=one.attribute,
                value=one.old_value if newer else one.new_value,
                newer=newer,
            )


def _period_of(row: FoundMemory, moment: Moment | None) -> dict[str, Any]:
    ended = moment is not None and moment.has_ended(row.valid_until)
    return {"valid_from": row.valid_from, "valid_until": row.valid_until, "ended": ended or None}


def _base_of(row: StoredChunk, bases: Mapping[UUID, DecidedBase]) -> dict[str, Any]:
    base = bases.get(row.knowledge_base_id)
    if base is None:
        return {}
    return base_fields(base.id, base.row.name, source_role(base), dedupe_key=row.dedupe_key, chunk_kind=row.chunk_kind)


def base_fields(
    base_id: UUID, name: str, role: SourceRole, *, dedupe_key: str | None, chunk_kind: str
) -> dict[str, Any]:
    """The fields of a chunk that name its knowledge base."""
    return {
        "knowledge_base_id": encode("kb", base_id),
        "knowledge_base_name": name,
        "dedupe_key": dedupe_key,
        "chunk_kind": chunk_kind,
        "source_role": role,
    }


def signals(ranked: RankedRow) -> RankingSignals:
    """The parts of a score."""
    return RankingSignals(**{name: value for name, value in ranked.signals._asdict().items() if value is not None})
