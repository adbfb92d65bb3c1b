"""From stored rows to the candidates that the domain ranks."""

from collections.abc import Sequence

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
from memd.recall.pool import Pooled


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
    return Candidate(  # by place, which is made twice as fast as by name
        found.id,
        found.title,
        found.content,
        found.created_at,
        found.last_accessed_at,
        found.strength,
        found.access_count,
        found.channel,
        row.cosine,
        row.text_match,
        evidence,
        found.link_confidence,
        project_id is not None and found.project_id == project_id,
        None,
        None,
        found.salience_score,
        None,
        lanes_of(by_vector=by_vector, by_text=found.by_text, by_recent=found.by_recent),
    )


def chunk_candidate(row: StoredChunk, terms: QueryTerms, chunk: RankedChunk, *, role_value: float) -> Candidate:
    """A chunk as the search of its knowledge base found it; `role_value` is that of its knowledge base (11.3)."""
    return Candidate(
        id=row.id,
        title=row.title,
        content=row.content,
        created_at=row.created_at,
        last_accessed_at=row.last_accessed_at,
        strength=row.strength,
        access_count=row.access_count,
        channel=row.channel,
        vector_score=chunk.similarity,
        text_match=memory_match(terms, row.title, row.content, row.tags),
        evidence=_chunk_evidence(chunk),
        knowledge_base_id=row.knowledge_base_id,
        role_value=role_value,
        salience=row.salience_score,
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
