"""The lexemes that are indexed for a text (contract 11.2, lexemes in any language).

Each word, number and pair of characters has one position. A word is held as it is stemmed with and without its accents,
so that it is found with and without them; a number in each way of writing it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, TypeAlias

from memd.domain.text.word_cache import WordCache
from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stemming import lexemes_of
from memd.domain.text_analysis.tokens import parts, tokens

Lexemes: TypeAlias = Mapping[str, Sequence[int]]
"""For each lexeme its positions in the text, ascending, from 1."""

_Found: TypeAlias = str | Sequence[Sequence[str]]
"""The lexeme of a token, if it has just one; else the lexemes at each of its positions, none for a stop word."""

VERSION: Final = 2
"""The version of the analysis; increment it with every change of the lexemes, so that all rows are re-indexed."""
BETWEEN_FIELDS: Final = 3
"""Positions left free between fields, so that no pair of words spans two of them."""


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """The language of a text and its lexemes."""

    language: Language
    lexemes: Lexemes


def analyse(fields: Sequence[str], labels: Sequence[str], default: Language) -> AnalysedText:
    """The lexemes of a row: of its fields, which determine its language, and of its labels, such as tags."""
    split = [tokens(text) for text in fields]
    language = detect([token for field in split for token in field], default)
    split += [tokens(text) for text in labels]
    known = _cache(language)
    lexemes: dict[str, list[int]] = {}
    position = 0
    for field in split:
        for token in field:
            position += 1
            found = known[token]
            if not isinstance(found, str):
                position = _add_all(lexemes, found, position)
            elif (positions := lexemes.get(found)) is None:
                lexemes[found] = [position]
            else:
                positions.append(position)
        position += BETWEEN_FIELDS
    return AnalysedText(language, lexemes)


def _add_all(lexemes: dict[str, list[int]], found: Sequence[Sequence[str]], position: int) -> int:
    """Add the lexemes of a token whose first position this is; the last one."""
    for token_position, alternatives in enumerate(found, start=position):
        for lexeme in alternatives:
            lexemes.setdefault(lexeme, []).append(token_position)
    return position + len(found) - 1


@cache
def _cache(language: Language) -> WordCache[_Found]:
    return WordCache(partial(_lexemes, language))


def _lexemes(language: Language, token: str) -> _Found:
    found = tuple(part.forms if part.word is None else lexemes_of(language, part.word) for part in parts(token))
    return found[0][0] if len(found) == 1 and len(found[0]) == 1 else found
