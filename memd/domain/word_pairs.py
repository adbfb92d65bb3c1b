"""Neighbouring words of a query ("unit 12"), and how many of them a row holds in the same order (contract 11.2, pairs)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from memd.domain.search_terms import SearchTerms

MOST_APART: Final = 3
"""Positions between two words of a query that still count as neighbours."""


class WordPair(NamedTuple):
    """Two neighbouring words, as indexes into `SearchTerms.words`; the second follows at most `gap` positions later."""

    first: int
    second: int
    gap: int


def word_pairs(terms: SearchTerms) -> tuple[WordPair, ...]:
    """The neighbouring words of a query in its order, at most as many as words; the widest gap of a pair that repeats."""
    gaps: dict[tuple[int, int], int] = {}
    for first, second, gap in _neighbours(terms):
        gaps[first, second] = max(gap, gaps.get((first, second), 0))
    return tuple(WordPair(first, second, gap) for (first, second), gap in gaps.items())[: len(terms.words)]


def pair_share(pairs: Sequence[WordPair], held: int, rarities: Sequence[float]) -> float:
    """Share 0..1 of the pairs whose bits are set in `held`, each weighted by the rarity of both of its words.

    `rarities` has the idf of each word of the query, in the order of `SearchTerms.words`.
    """
    weights = [rarities[pair.first] + rarities[pair.second] for pair in pairs]
    total = sum(weights)
    return sum(weight for place, weight in enumerate(weights) if held >> place & 1) / total if total > 0 else 0.0


def _neighbours(terms: SearchTerms) -> Iterator[WordPair]:
    """Each word with each of the words at the next position that has any."""
    at: defaultdict[int, list[int]] = defaultdict(list)
    for word, term in enumerate(terms.words):
        for position in term.positions:
            at[position].append(word)
    for here, there in pairwise(sorted(at)):
        if there - here <= MOST_APART:
            yield from (
                WordPair(first, second, there - here) for first in at[here] for second in at[there] if first != second
            )
