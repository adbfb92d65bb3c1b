"""How the chunks of one knowledge base are ranked for a query (contract 8.8)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memd.domain.types import Fallback
from memd.domain.unit_interval import cut


@dataclass(frozen=True, slots=True)
class ChunkWeights:
    """The two shares of the hybrid relevance."""

    cosine: float = 0.65
    text: float = 0.35


DEFAULT_CHUNK_WEIGHTS: Final = ChunkWeights()


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that a lane found; `text_score` ≥ 0, about 1 for a full match; `cosine` is None without a vector."""

    id: UUID
    cosine: float | None
    text_score: float = 0.0


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk with its place in the answer: `relevance` 0..1; `similarity` is the plain cosine."""

    id: UUID
    relevance: float
    similarity: float | None
    text_score: float


def relevance(hit: ChunkHit, weights: ChunkWeights = DEFAULT_CHUNK_WEIGHTS) -> float:
    """max(cosine, 0.65 × cosine + 0.35 × text score), cut to 0..1; without a vector the text score alone."""
    if hit.cosine is None:
        return cut(hit.text_score)
    return cut(max(hit.cosine, weights.cosine * hit.cosine + weights.text * hit.text_score))


def rank_chunks(
    hits: Iterable[ChunkHit], *, limit: int, threshold: float = 0.0, weights: ChunkWeights = DEFAULT_CHUNK_WEIGHTS
) -> list[RankedChunk]:
    """The hits of both lanes with relevance ≥ threshold, best first, at most `limit`.

    Order: relevance, then text score, then id. Text-only hits are ranked among the others, so they fill the places
    that the vector lane leaves free.
    """
    ranked = [RankedChunk(hit.id, relevance(hit, weights), hit.cosine, hit.text_score) for hit in hits]
    kept = [chunk for chunk in ranked if chunk.relevance >= threshold]
    return sorted(kept, key=lambda chunk: (-chunk.relevance, -chunk.text_score, chunk.id))[:limit]


def wants_indexed_fill(*, vector_count: int, lexical_count: int, threshold: float) -> bool:
    """Whether the first chunks by chunkIndex answer instead: both lanes found nothing, and no threshold is asked."""
    return vector_count == 0 and lexical_count == 0 and threshold == 0


def indexed_fill(first: Iterable[UUID], limit: int) -> list[RankedChunk]:
    """The first chunks, given in order of chunkIndex, as answers of relevance 0."""
    return [RankedChunk(chunk, 0.0, None, 0.0) for chunk in list(first)[:limit]]


def fallback(*, vector_count: int, lexical_count: int, indexed_fill_count: int) -> Fallback:
    """What served in place of the vector lane; `none` when it found anything, or when nothing served."""
    if vector_count > 0:
        return Fallback.NONE
    if lexical_count > 0:
        return Fallback.LEXICAL_AND_INDEXED if indexed_fill_count > 0 else Fallback.LEXICAL_ONLY
    return Fallback.INDEXED_FILL if indexed_fill_count > 0 else Fallback.NONE
