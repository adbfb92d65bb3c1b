"""How the chunks of one knowledge base are ranked for a query (contract 8.8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.types import Fallback
from memd.domain.unit_interval import clamp


@dataclass(frozen=True, slots=True)
class ChunkWeights:
    """The weights of contract 8.8; `neighbour` is the share of what the better neighbour has more."""

    cosine: float = 0.5
    text: float = 0.5
    pairs: float = 0.1
    neighbour: float = 0.4


DEFAULT_CHUNK_WEIGHTS: Final = ChunkWeights()


class ChunkPosition(NamedTuple):
    """Where a chunk stands: a source of its knowledge base, and the chunkIndex in it."""

    source_key: int
    chunk_index: int


class ChunkHit(NamedTuple):
    """A candidate with the exact values of both lanes.

    `cosine` is None without a vector. `text_score` ≥ 0, about 1 for a full match; `word_share` 0..1 is the same without
    what repetitions of a word add. Both are None when the query has no word that can be searched. `pair_score` 0..1.
    Without a `position` it has no neighbours.
    """

    id: UUID
    cosine: float | None
    text_score: float | None = 0.0
    pair_score: float = 0.0
    position: ChunkPosition | None = None
    word_share: float | None = 0.0


class RankedChunk(NamedTuple):
    """A ranked chunk: `relevance` 0..1, and the `evidence` 0..1 that it has without its neighbours.

    `similarity` is the plain cosine; `word_share` as in `ChunkHit`.
    """

    id: UUID
    relevance: float
    evidence: float
    similarity: float | None
    text_score: float
    pair_score: float = 0.0
    word_share: float | None = 0.0


def evidence(
    cosine: float | None, text: float | None, pairs: float, weights: ChunkWeights = DEFAULT_CHUNK_WEIGHTS
) -> float:
    """0.5 × cosine + 0.5 × text + 0.1 × pairs, clamped to 0..1.

    Without a vector the text alone, without a word to search for the cosine alone.
    """
    if cosine is None:
        return clamp(text or 0.0)
    if text is None:
        return clamp(cosine)
    return clamp(weights.cosine * cosine + weights.text * text + weights.pairs * pairs)


def rank_chunks(hits: Iterable[ChunkHit], weights: ChunkWeights = DEFAULT_CHUNK_WEIGHTS) -> list[RankedChunk]:
    """The candidates of one knowledge base, best first, in the order of `in_order`.

    relevance = evidence + 0.4 × (that of the better neighbour − own) where this is positive. No lift reaches the best
    evidence, so the first chunk stays first.
    """
    judged = [(hit, evidence(hit.cosine, hit.text_score, hit.pair_score, weights)) for hit in hits]
    by_position: dict[ChunkPosition, float] = {}
    for hit, value in judged:
        if hit.position is not None:
            by_position[hit.position] = max(value, by_position.get(hit.position, 0.0))
    return in_order(_ranked(hit, value, _best_neighbour(hit.position, by_position), weights) for hit, value in judged)


def in_order(chunks: Iterable[RankedChunk]) -> list[RankedChunk]:
    """By relevance, then text score, then pair score, which clamping at 1 may have hidden, then id."""
    return sorted(chunks, key=lambda chunk: (-chunk.relevance, -chunk.text_score, -chunk.pair_score, chunk.id))


def _ranked(hit: ChunkHit, value: float, neighbour: float, weights: ChunkWeights) -> RankedChunk:
    lifted = value + weights.neighbour * max(0.0, neighbour - value)
    return RankedChunk(hit.id, clamp(lifted), value, hit.cosine, hit.text_score or 0.0, hit.pair_score, hit.word_share)


def _best_neighbour(position: ChunkPosition | None, by_position: dict[ChunkPosition, float]) -> float:
    if position is None:
        return 0.0
    sides = (position._replace(chunk_index=position.chunk_index + step) for step in (-1, 1))
    return max(by_position.get(side, 0.0) for side in sides)


def wants_indexed_fill(*, vector_count: int, lexical_count: int, threshold: float) -> bool:
    """Whether the first chunks by chunkIndex answer instead: both lanes found nothing, and no threshold is asked."""
    return vector_count == 0 and lexical_count == 0 and threshold == 0


def indexed_fill(first: Sequence[UUID]) -> list[RankedChunk]:
    """The first chunks, given in order of chunkIndex, as answers of relevance 0."""
    return [RankedChunk(chunk, 0.0, 0.0, None, 0.0) for chunk in first]


def fallback(*, vector_count: int, lexical_count: int, indexed_fill_count: int) -> Fallback:
    """The substitute for the vector lane; `none` when that lane found anything, or when nothing replaced it."""
    if vector_count > 0:
        return Fallback.NONE
    if lexical_count > 0:
        return Fallback.LEXICAL_AND_INDEXED if indexed_fill_count > 0 else Fallback.LEXICAL_ONLY
    return Fallback.INDEXED_FILL if indexed_fill_count > 0 else Fallback.NONE
