"""The words that a full-text search looks for, and which of them it can afford to look for (contract 11.4).

A word is a group of lexemes that count as one. Among many rows a common word finds nearly everything and tells nearly
nothing: the rarest words are looked for, the others only count in what those have found.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memd.domain.word_forms import word_forms

MOST_WORDS: Final = 32
"""Words of a query that are looked at; of a longer query the rarest."""
MOST_ROWS: Final = 2_000
"""Rows that the searched words together may be expected to find."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """One word; `share` is the part 0..1 of the rows that have it, where only a sample was counted.

    A word that is not `searched` finds no row by itself.
    """

    forms: tuple[str, ...]
    share: float | None = None
    searched: bool = True


def search_terms(lexemes: Iterable[str], *, english: bool) -> tuple[SearchTerm, ...]:
    """The words of a query, each once, in its order; in English the irregular forms of a word count as it."""
    groups = (word_forms(lexeme) if english else (lexeme,) for lexeme in lexemes)
    return tuple(SearchTerm(forms) for forms in dict.fromkeys(groups))


def needs_shares(terms: tuple[SearchTerm, ...], rows: int, *, many_rows: int = 2 * MOST_ROWS) -> bool:
    """Whether the words have to be chosen by how common they are among the `rows`."""
    return rows > many_rows or len(terms) > MOST_WORDS


def choose_terms(
    terms: Iterable[SearchTerm], shares: Mapping[str, float], rows: int, *, most_rows: int = MOST_ROWS
) -> tuple[SearchTerm, ...]:
    """The rarest words, at most `MOST_WORDS`; searched are those that find few rows together, at least the rarest.

    `shares` tells for a lexeme the part of the rows that have it; what it leaves out is rare.
    """
    known = [replace(term, share=min(1.0, sum(shares.get(form, 0.0) for form in term.forms))) for term in terms]
    rarest = sorted(known, key=lambda term: term.share or 0.0)[:MOST_WORDS]
    chosen: list[SearchTerm] = []
    expected = 0.0
    for term in rarest:
        expected += (term.share or 0.0) * rows
        chosen.append(replace(term, searched=not chosen or expected <= most_rows))
    return tuple(chosen)
