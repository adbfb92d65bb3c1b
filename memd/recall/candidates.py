"""From what the lanes find to the candidates that the domain ranks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

import numpy as np

from memd.domain.evidence import DEFAULT_EVIDENCE_WEIGHTS, Evidence
from memd.domain.kb_ranking import RankedChunk
from memd.domain.lanes import Lane, lanes_of
from memd.domain.ranking import Candidate
from memd.domain.text_match import QueryTerms, memory_match
from memd.domain.unit_interval import clamp
from memd.embed.provider import Vector
from memd.knowledge_bases.chunk_search import StoredChunk
from memd.recall.lane_store import FoundMemory


class Pooled(NamedTuple):
    """A found memory, its keyword score, and its cosine, None without a vector of the query or of the row."""

    found: FoundMemory
    text_match: float
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Pool:
    """The memories that a recall weighs, each once, in the order in which they were found; and the position of each."""

    rows: list[Pooled] = field(default_factory=list[Pooled])
    places: dict[UUID, int] = field(default_factory=dict[UUID, int])

    def add(self, found: Iterable[FoundMemory], cosines: Iterable[float | None], text_matches: Iterable[float]) -> None:
        """Add rows that are not in the pool yet."""
        for row, cosine, text_match in zip(found, cosines, text_matches, strict=True):
            self.places[row.id] = len(self.rows)
            self.rows.append(Pooled(row, text_match, cosine))


def memory_match_of(found: FoundMemory, terms: QueryTerms) -> float:
    """The keyword score of a memory."""
    return memory_match(terms, found.title, found.content, found.tags)


def cosines_of(rows: Sequence[FoundMemory], vector: Vector | None) -> list[float | None]:
    """The cosine of each row's `vector` with that of the query, as Postgres has it; None where either is missing.

    A halfvec is sent as its number of dimensions and a zero, two bytes each, then the halves, highest byte first.
    """
    sent = [row.vector for row in rows if row.vector is not None]
    if vector is None or not sent:
        return [None] * len(rows)
    stored = np.frombuffer(b"".join(sent), ">f2").reshape(len(sent), -1)[:, 2:].astype(np.float32)
    query = vector.astype(np.float16).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", stored, stored) * (query @ query))
    cosines = np.divide(stored @ query, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    each = iter(np.clip(cosines, -1, 1).tolist())
    return [None if row.vector is None else next(each) for row in rows]


def memory_candidate(row: Pooled, evidence: Evidence, *, by_vector: bool, project_id: str | None) -> Candidate:
    """A memory with its evidence; `project_id` is that of the request."""
    found = row.found
    return Candidate(
        found,
        vector_score=row.cosine,
        text_match=row.text_match,
        evidence=evidence,
        graph_link_confidence=found.link_confidence,
        same_project=project_id is not None and found.project_id == project_id,
        lanes=lanes_of(by_vector=by_vector, by_text=found.by_text, by_recent=found.by_recent),
    )


def chunk_candidate(row: StoredChunk, terms: QueryTerms, chunk: RankedChunk, *, role_value: float) -> Candidate:
    """A chunk as the search of its knowledge base found it; `role_value` is that of its knowledge base (11.3)."""
    return Candidate(
        row,
        vector_score=chunk.similarity,
        text_match=memory_match(terms, row.title, row.content, row.tags),
        evidence=_chunk_evidence(chunk),
        knowledge_base_id=row.knowledge_base_id,
        role_value=role_value,
        knowledge_base_score=chunk.relevance,
        lanes=(Lane.KB,),
    )


def _chunk_evidence(chunk: RankedChunk) -> Evidence:
    """The evidence of a chunk: its relevance before the lift by its neighbours (contract 11.2), and the parts of that."""
    weights = DEFAULT_EVIDENCE_WEIGHTS
    parts = Evidence(chunk.evidence, words=chunk.text_score, pairs=chunk.pair_score)
    if chunk.similarity is None:
        return parts._replace(pairs=0.0, meaning_weight=0.0, words_weight=weights.words_alone)
    if chunk.text_score == 0 and chunk.evidence == clamp(chunk.similarity):
        return parts._replace(meaning_weight=weights.meaning_alone, words_weight=0.0)
    return parts
