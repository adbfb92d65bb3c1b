"""Neighbouring words of a query ("unit 12"), and how many of them a row holds in the same order (contract 11.2, pairs)."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from memd.domain.search.terms import SearchTerms

MAX_DISTANCE: Final = 3
"""Positions between two words of a query that still count as neighbours."""


class WordPair(NamedTuple):
    """Two neighbouring words, as indexes into `SearchTerms.words`; the second follows at most `gap` positions later."""

    first: int
    second: int
    gap: int


def word_pairs(terms: SearchTerms) -> tuple[WordPair, ...]:
    """The neighbouring words of a query in order, at most one pair for each word; of a repeated pair, the widest gap."""
    gaps: dict[tuple[int, int], int] = {}
    for first, second, gap in _neighbours(terms):
        gaps[first, second] = max(gap, gaps.get((first, second), 0))
    return tuple(WordPair(first, second, gap) for (first, second), gap in gaps.items())[: len(terms.words)]


def _neighbours(terms: SearchTerms) -> Iterator[WordPair]:
    """Each word with each of the words at the next position that has any."""
    positions: defaultdict[int, list[int]] = defaultdict(list)
    for word, term in enumerate(terms.words):
        for position in term.positions:
            positions[position].append(word)
    for preceding, following in pairwise(sorted(positions)):
        if following - preceding <= MAX_DISTANCE:
            yield from (
                WordPair(first, second, following - preceding)
                for first in positions[preceding]
                for second in positions[following]
                if first != second
            )
