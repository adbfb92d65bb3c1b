"""The exact values of found chunks: BM25 text scores and pair scores (contract 8.8)."""

from collections.abc import Iterator, Sequence

import numpy as np

from memd.db.sql.term import occurrences
from memd.domain.ranking.chunks import ChunkHit, ChunkPosition
from memd.domain.ranking.evidence import EvidenceQuery
from memd.domain.ranking.term_weights import Collected, TermHit, idf, term_weight, text_score
from memd.domain.ranking.word_pairs import WordPair
from memd.domain.search.terms import SearchTerms
from memd.knowledge_bases.search.store import FoundChunk, FoundChunks, ScopedBase, ScopedSearch


def chunk_hits(base: ScopedBase, search: ScopedSearch, found: FoundChunks) -> Iterator[ChunkHit]:
    """The found chunks of one knowledge base with their scores; text scores of different knowledge bases compare."""
    rows = [row for row in found.rows if row.base_id == base.id]
    frequencies = next((row.frequencies for row in rows if row.frequencies is not None), None)
    scorer = _Scorer(base, search.terms, found.pairs, frequencies)
    for row, pair_score in zip(rows, scorer.pair_scores(rows), strict=True):
        position = _position(row) if search.lifted else None
        text, share = scorer.text_scores(row)
        yield ChunkHit(row.id, row.cosine, text, pair_score, position, share)


def _position(row: FoundChunk) -> ChunkPosition | None:
    if row.source_key is None or row.chunk_index is None:
        return None
    return ChunkPosition(row.source_key, row.chunk_index)


class _Scorer:
    """The words of a query among the chunks of one knowledge base."""

    def __init__(
        self, base: ScopedBase, terms: SearchTerms, pairs: Sequence[WordPair], frequencies: Sequence[float] | None
    ) -> None:
        """`frequencies`: how many of the chunks have each word; None when none has any."""
        words = len(terms.words)
        self._forms = [len(word.forms) for word in terms.words]
        self._frequencies = [round(each) for each in (frequencies or [0.0] * words)[:words]]
        self._collected = Collected(max(1, base.chunks, *self._frequencies), base.average_length)
        self._rarities = [idf(self._collected.documents, each) for each in self._frequencies]
        self._known_words = sum(1 << index for index, frequency in enumerate(self._frequencies) if frequency)
        self._query = EvidenceQuery(self._rarities, pairs, terms.character_pairs)
        self._best = float(self._query.word_weights(self._known_words).sum())

    def text_scores(self, row: FoundChunk) -> tuple[float | None, float | None]:
        """The text score and the share of words (`ChunkHit`); None for a query without a word to search for."""
        if not self._forms:
            return None, None
        ranks = iter(row.ranks)
        counts = [max(occurrences(next(ranks)) for _ in range(forms)) for forms in self._forms]
        weights = [
            term_weight(TermHit(count, frequency), row.length, self._collected)
            for count, frequency in zip(counts, self._frequencies, strict=True)
        ]
        once = map(min, weights, self._rarities)  # a repeated word weighs more than its idf
        return text_score(sum(weights), self._best), text_score(sum(once), self._best)

    def pair_scores(self, rows: Sequence[FoundChunk]) -> list[float]:
        """For each chunk the share 0..1 of the pairs of neighbouring words that it holds."""
        return self._query.pair_shares(np.array([row.pairs for row in rows], np.int64), self._known_words).tolist()
