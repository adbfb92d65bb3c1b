"""Which ranked rows a recall returns (contract 11.1 steps 7–12), and why each other one was dropped.

Every function takes ranked rows in any order and answers with rows best first. A row that is not returned appears
in `dropped` exactly once, with the reason that `debug` shows (contract 6.2).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from memd.domain.ranking.rank_score import RankedRow, in_order
from memd.domain.search.drop_reason import DropReason
from memd.domain.text.duplicates import near_duplicate_key


class Dropped(NamedTuple):
    """A candidate that is not in the answer."""

    id: UUID
    reason: DropReason


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows to return, best first, and the ones dropped on the way."""

    rows: tuple[RankedRow, ...]
    dropped: tuple[Dropped, ...]


def with_evidence(rows: Iterable[RankedRow], minimum: float) -> Selection:
    """The rows with at least this evidence (the request's `minEvidence`, contract 11.2)."""
    ordered = in_order(rows)
    below = [row for row in ordered if row.signals.evidence_score < minimum]
    kept = [row for row in ordered if row.signals.evidence_score >= minimum] if below else ordered
    return Selection(tuple(kept), tuple(_drop(below, DropReason.EVIDENCE)))


def select_memories(
    rows: Iterable[RankedRow], limit: int, *, collapse_near_duplicates: bool = True, keep_copies: bool = False
) -> Selection:
    """The ordinary memories of a recall: copies removed unless they are kept, cut to `limit` (steps 6–10)."""
    unique = collapse(rows, near_duplicates=collapse_near_duplicates, keep_copies=keep_copies)
    kept, over = unique.rows[:limit], unique.rows[limit:]
    return Selection(kept, (*unique.dropped, *_drop(over, DropReason.LIMIT)))


def select_chunks(rows: Iterable[RankedRow], present: Iterable[RankedRow], hits_per_knowledge_base: int) -> Selection:
    """The knowledge base lane of a recall (step 11): the best hits of each KB that repeat no content or id.

    `present` are the memories already chosen. The hits of a KB are those that its search found best; among equal
    chunks the best stays.
    """
    ids = {row.candidate.id for row in present}
    contents = {row.candidate.stored.content for row in present}
    hits: Counter[UUID | None] = Counter()
    kept: list[RankedRow] = []
    dropped: list[Dropped] = []
    for row in sorted(in_order(rows), key=lambda row: -(row.candidate.knowledge_base_score or 0.0)):
        chunk = row.candidate
        if chunk.id in ids or chunk.stored.content in contents:
            dropped.append(Dropped(chunk.id, DropReason.DUPLICATE))
        elif hits[chunk.knowledge_base_id] >= hits_per_knowledge_base:
            dropped.append(Dropped(chunk.id, DropReason.LIMIT))
        else:
            kept.append(row)
            ids.add(chunk.id)
            contents.add(chunk.stored.content)
            hits[chunk.knowledge_base_id] += 1
    return Selection(tuple(in_order(kept)), tuple(dropped))


def merge(
    memories: Iterable[RankedRow],
    chunks: Iterable[RankedRow],
    limit: int,
    *,
    collapse_near_duplicates: bool = True,
    half_rule: bool = True,
    keep_copies: bool = False,
) -> Selection:
    """Memories and chunks as one answer of at most `limit` rows by rankScore, a memory first on ties (step 12).

    Chunks take at most half of the places, rounded up, while memories can fill the others; `half_rule` is off for a
    named set of KBs.
    """
    unique = collapse([*memories, *chunks], near_duplicates=collapse_near_duplicates, keep_copies=keep_copies)
    ordinary = sum(not row.candidate.is_chunk for row in unique.rows)
    chunk_places = max((limit + 1) // 2, limit - ordinary) if half_rule else limit
    admitted: list[RankedRow] = []
    waiting: list[RankedRow] = []
    for row in unique.rows:
        full = len(admitted) >= limit or (row.candidate.is_chunk and chunk_places <= 0)
        (waiting if full else admitted).append(row)
        chunk_places -= row.candidate.is_chunk
    return Selection(tuple(admitted), (*unique.dropped, *_drop(waiting, DropReason.LIMIT)))


def collapse(rows: Iterable[RankedRow], *, near_duplicates: bool = True, keep_copies: bool = False) -> Selection:
    """Of rows with identical content, and of near duplicates, only the best (steps 7 and 8).

    Near duplicates are left alone when `near_duplicates` is false, identical contents with `keep_copies`.
    """
    contents: set[str] = set()
    keys: set[tuple[str, str]] = set()
    kept: list[RankedRow] = []
    dropped: list[Dropped] = []
    for row in in_order(rows):
        content = row.candidate.stored.content
        key = near_duplicate_key(row.candidate.stored.title, content) if near_duplicates else None
        if content in contents and not keep_copies:
            dropped.append(Dropped(row.candidate.id, DropReason.DUPLICATE))
        elif key is not None and key in keys:
            dropped.append(Dropped(row.candidate.id, DropReason.NEAR_DUPLICATE))
        else:
            kept.append(row)
            contents.add(content)
            if key is not None:
                keys.add(key)
    return Selection(tuple(kept), tuple(dropped))


def _drop(rows: Iterable[RankedRow], reason: DropReason) -> list[Dropped]:
    return [Dropped(row.candidate.id, reason) for row in rows]
