"""How much of a query a text holds: the keyword part of contract 11.2, also used to compare names with a query.

A token is a run of at least two letters or digits, in lower case. Matching is by whole tokens, so `cat` is not found
in `category`; the whole query, however, may stand anywhere inside the text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_TOKEN = re.compile(r"[^\W_]{2,}")
_FEW: Final = 64
"""Up to this many tokens are searched for one by one; for more, the text is tokenized."""
_PLACES: Final = 8
"""Occurrences of a token in a text that `has_token` checks."""


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A query made ready for matching: the whole of it, trimmed and in lower case, and its distinct tokens in order.

    `spaced` are the same tokens, each between blanks, as they usually occur in a text.
    """

    phrase: str
    tokens: tuple[str, ...]
    spaced: tuple[str, ...]


def tokens(text: str) -> tuple[str, ...]:
    """The distinct tokens of `text` in order of first appearance."""
    return tuple(dict.fromkeys(_TOKEN.findall(text.lower())))


def query_terms(query: str) -> QueryTerms:
    """Prepare a query once, to match it against many texts."""
    found = tokens(query)
    return QueryTerms(phrase=query.strip().lower(), tokens=found, spaced=tuple(f" {token} " for token in found))


def text_match(terms: QueryTerms, *texts: str) -> float:
    """The keyword score 0..1 of the joined texts: 1 when they hold the whole query, else the share of its tokens."""
    text = f" {' '.join(texts).lower()} "
    if terms.phrase and terms.phrase in text:
        return 1.0
    if not terms.tokens:
        return 0.0
    return _number_held(terms, text) / len(terms.tokens)


def _number_held(terms: QueryTerms, text: str) -> int:
    """How many of the tokens are tokens of the text; the work does not grow with the product of their lengths."""
    if len(terms.tokens) > _FEW:
        return len(set(_TOKEN.findall(text)).intersection(terms.tokens))
    words = zip(terms.tokens, terms.spaced, strict=True)
    # `in` is many times as fast as looking at the characters around a match
    found = [token in text and (spaced in text or has_token(text, token)) for token, spaced in words]
    if None not in found:
        return found.count(True)
    doubtful = [token for token, held in zip(terms.tokens, found, strict=True) if held is None]
    return found.count(True) + len(set(_TOKEN.findall(text)).intersection(doubtful))


def memory_match(terms: QueryTerms, title: str, content: str, tags: Iterable[str]) -> float:
    """The keyword score 0..1 of a memory or chunk, over title + content + tags."""
    return text_match(terms, title, content, *tags)


def has_token(text: str, token: str) -> bool | None:
    """Whether `token` occurs in `text` with no letter or digit directly before or after; both in one case.

    `text` begins and ends with a space, so that every hit has a character on both sides. None when the first hits are
    all parts of longer words, and there are more.
    """
    start = text.find(token)
    for _ in range(_PLACES):
        if start < 0:
            return False
        if not (text[start - 1].isalnum() or text[start + len(token)].isalnum()):
            return True
        start = text.find(token, start + 1)
    return None if start >= 0 else False
