"""Baselines on the same texts: BM25 alone, and the embedder alone.

BM25 reads lexemes that Postgres makes (its Snowball stemmers and stop words, `simple` where it has none for a language);
scripts that do not separate words are read as overlapping pairs of characters.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import psycopg

from memd.embed.providers.choose import BuiltIn, load_embedder
from memd.embed.providers.provider import Vector

K1, B = 1.2, 0.75
"""The customary parameters (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)."""
PAIRED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")
SCRIPTS: Final = {
    "russian": re.compile(r"[\u0400-\u04ff]"),
    "arabic": re.compile(r"[\u0600-\u06ff]"),
    "hindi": re.compile(r"[\u0900-\u097f]"),
    "greek": re.compile(r"[\u0370-\u03ff]"),
}
LATIN: Final = ("english", "german", "spanish", "french", "italian", "portuguese", "dutch", "turkish", "finnish")
STOP_WORDS = """
SELECT language FROM unnest(%(languages)s::text[]) WITH ORDINALITY AS l (language, place)
ORDER BY (SELECT count(*) FROM unnest(%(words)s::text[]) word WHERE ts_lexize((language || '_stem')::regdictionary, word) = '{}')
         DESC, place LIMIT 1
"""
LEXEMES = """
SELECT coalesce(array_agg(lexeme ORDER BY position) FILTER (WHERE lexeme IS NOT NULL), '{}')
FROM unnest(%(texts)s::text[]) WITH ORDINALITY AS t (text, place)
LEFT JOIN LATERAL (
    SELECT lexeme, unnest(positions) AS position FROM unnest(to_tsvector(%(language)s::regconfig, t.text))
) AS words ON true
GROUP BY place ORDER BY place
"""
SAMPLE = 4_000
"""Words that the language is read from."""


class Embedding:
    """The embedder in this process; a text is embedded once."""

    def __init__(self, model: BuiltIn | Path, data_dir: Path) -> None:
        self._embedder = load_embedder(model, data_dir=data_dir)
        self._known: dict[str, Vector] = {}

    def vectors(self, texts: Sequence[str]) -> Vector:
        """Rows of length 1, in the order of the texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def rank(self, texts: Sequence[str], queries: Sequence[str], depth: int) -> list[list[int]]:
        """For each query the places of the texts with the highest cosine, best first."""
        return _best(self._embedder.embed_queries(queries) @ self.vectors(texts).T, depth)


class Bm25:
    """BM25 over a set of texts."""

    def __init__(self, connection: psycopg.Connection, texts: Sequence[str]) -> None:
        self._connection = connection
        self._texts = texts

    @cached_property
    def language(self) -> str:
        """The stemmer of the texts: that of their script, or the one with most of their words among its stop words."""
        sample = " ".join(self._texts)[: 10 * SAMPLE]
        for language, letters in SCRIPTS.items():
            if len(letters.findall(sample)) > len(sample) / 4:
                return language
        words = re.findall(r"\w+", sample.lower())[:SAMPLE]
        row = self._connection.execute(STOP_WORDS, {"languages": list(LATIN), "words": words}).fetchone()
        assert row is not None
        return row[0]

    def _lexemes(self, texts: Sequence[str]) -> list[list[str]]:
        spaced = [PAIRED.sub(_pairs, text) for text in texts]
        found = self._connection.execute(LEXEMES, {"texts": spaced, "language": self.language})
        return [row[0] for row in found]

    def rank(self, queries: Sequence[str], depth: int) -> list[list[int]]:
        """For each query the places of the best texts, best first; texts without any of its words are left out."""
        documents = [Counter(lexemes) for lexemes in self._lexemes(self._texts)]
        lengths = np.array([sum(counts.values()) for counts in documents], dtype=np.float64)
        norms = K1 * (1 - B + B * lengths / lengths.mean())
        rows: dict[str, list[tuple[int, int]]] = {}
        for index, counts in enumerate(documents):
            for lexeme, count in counts.items():
                rows.setdefault(lexeme, []).append((index, count))
        scores = np.zeros((len(queries), len(documents)))
        for number, lexemes in enumerate(self._lexemes(queries)):
            for lexeme in lexemes:
                if holders := rows.get(lexeme):
                    places, counts = np.array(holders).T
                    idf = np.log(1 + (len(documents) - len(places) + 0.5) / (len(places) + 0.5))
                    scores[number, places] += idf * counts * (K1 + 1) / (counts + norms[places])
        return [[index for index in row if scores[q, index] > 0] for q, row in enumerate(_best(scores, depth))]


def _pairs(run: re.Match[str]) -> str:
    text = run.group()
    pairs = [text[index : index + 2] for index in range(max(1, len(text) - 1))]
    return f" {' '.join(pairs)} "


def _best(scores: np.ndarray, depth: int) -> list[list[int]]:
    """The places of the highest values of each row; among equals the first place."""
    return np.argsort(-scores, axis=1, kind="stable")[:, :depth].tolist()
