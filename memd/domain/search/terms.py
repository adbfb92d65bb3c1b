"""The words that a full-text search looks for, and which of them it can afford to look for (contract 11.4).

A word is a group of lexemes that count as one. Among many rows a common word finds nearly everything and discriminates
nearly nothing: the rarest words are looked for, the others only count in what those have found. Where even the rarest
is common, rows with several words can be looked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memd.domain.text_analysis.query import QueryWord
from memd.domain.text_analysis.scripts import UNSEGMENTED, script_of

MAX_WORDS: Final = 32
"""The number of words of a query that are used; of a longer query the rarest."""
MAX_ROWS: Final = 2_000
"""Rows that the searched words together may be expected to find."""
MIN_ROWS: Final = 100
"""Rows that have to be expected before a row must have one word more."""
MAX_TOGETHER: Final = 8
"""The number of words of which a row must have several; every combination of them is written out."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """One word; `share` is the part 0..1 of the rows that have it, where only a sample was counted.

    A word that is not `searched` finds no row by itself. `positions` are its places in the query, counted from 1.
    """

    forms: tuple[str, ...]
    share: float | None = None
    searched: bool = True
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """The words of a query; a row is found when it has at least `together` of the searched ones."""

    words: tuple[SearchTerm, ...]
    together: int = 1

    @property
    def character_pairs(self) -> int:
        """The words that are pairs of characters of a script without blanks, as bits."""
        return sum(1 << index for index, word in enumerate(self.words) if script_of(word.forms[0][0]) in UNSEGMENTED)


NO_TERMS: Final = SearchTerms(())


def search_terms(words: Iterable[QueryWord]) -> SearchTerms:
    """The words of a query, in its order."""
    return SearchTerms(tuple(SearchTerm(word.forms, positions=tuple(word.positions)) for word in words))


def needs_shares(terms: SearchTerms, rows: int, *, many_rows: int = 2 * MAX_ROWS) -> bool:
    """Whether the words have to be chosen by how common they are among the `rows`."""
    return rows > many_rows or len(terms.words) > MAX_WORDS


def choose_terms(
    terms: SearchTerms,
    shares: Mapping[str, float],
    rows: int,
    *,
    max_rows: int = MAX_ROWS,
    max_together: int = 1,
) -> SearchTerms:
    """The rarest words, at most `MAX_WORDS`; searched are those that are expected to find few rows together.

    `shares` maps a lexeme to the fraction of the rows that have it; lexemes without an entry are rare. Up to
    `max_together` words may be asked of a row, at most `MAX_TOGETHER`.
    """
    known = [replace(term, share=min(1.0, sum(shares.get(form, 0.0) for form in term.forms))) for term in terms.words]
    rarest = sorted(known, key=lambda term: term.share or 0.0)[:MAX_WORDS]
    searched, together = _choose([term.share or 0.0 for term in rarest], rows, max_rows, max_together)
    return SearchTerms(tuple(replace(term, searched=index < searched) for index, term in enumerate(rarest)), together)


def _choose(shares: Sequence[float], rows: int, max_rows: int, max_together: int) -> tuple[int, int]:
    """How many words to search for, the rarest first, and how many of them a row must have, at least one.

    As few as find no more than `max_rows`, unless those would find less than `MIN_ROWS`.
    """
    chosen = 1, 1
    for together in range(1, min(len(shares), max_together) + 1):
        expected = [part * rows for part in _parts(shares, together)]
        if expected[-1] < MIN_ROWS and together > 1:
            break
        few = sum(amount <= max_rows for amount in expected)
        chosen = together - 1 + max(1, few), together
        if few:
            break
    return chosen


def _parts(shares: Sequence[float], together: int) -> list[float]:
    """The expected fraction of rows with at least this number of the rarest words, for each number of words.

    With e_k the elementary symmetric polynomial of the shares: its value for the first k, k + 1, … of them; words are
    taken as independent of each other, and a row that has more of them counts for each choice.
    """
    sums = [1.0, *[0.0] * together]
    parts: list[float] = []
    for share in shares if together == 1 else shares[:MAX_TOGETHER]:
        for size in range(together, 0, -1):
            sums[size] += sums[size - 1] * share
        parts.append(sums[together])
    return parts[together - 1 :]
