"""The weight of a matched word: rarity, and BM25 with a score that is comparable between queries.

A term is a lexeme of the full-text search. Frequencies are counted among the rows in scope, never over other users.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final


@dataclass(frozen=True, slots=True)
class Bm25:
    """The two constants of BM25: how fast repetition saturates, and how much length counts (0..1)."""

    saturation: float = 0.9
    length: float = 0.4


DEFAULT_BM25: Final = Bm25()


@dataclass(frozen=True, slots=True)
class TermHit:
    """A query term in one text: how often it occurs there, and in how many texts of the collection it occurs."""

    frequency: int
    document_frequency: int


@dataclass(frozen=True, slots=True)
class Collected:
    """A collection of texts: their number and their average length in terms."""

    documents: int
    average_length: float


@lru_cache(maxsize=4096)
def idf(documents: int, document_frequency: int) -> float:
    """Rarity of a term, ln(1 + (N − df + 0.5) / (df + 0.5)); more than 0 for every df in 0..N."""
    return log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))


def term_weight(hit: TermHit, length: int, collection: Collected, bm25: Bm25 = DEFAULT_BM25) -> float:
    """BM25 weight of one term in a text of `length` terms: the idf for one occurrence at average length."""
    relative = length / collection.average_length if collection.average_length > 0 else 1.0
    damping = bm25.saturation * (1 - bm25.length + bm25.length * relative)
    repetition = hit.frequency * (bm25.saturation + 1) / (hit.frequency + damping) if hit.frequency > 0 else 0.0
    return idf(collection.documents, hit.document_frequency) * repetition


def text_score(weight: float, best: float) -> float:
    """The text score: the summed term weights over the best possible of the query (contract 8.8).

    `best` is the summed idf of the query's terms: each once, in a text of average length.

    Above 1 for a text that has every term and repeats some: where scores are mixed, that still distinguishes texts.
    """
    return weight / best if best > 0 else 0.0
