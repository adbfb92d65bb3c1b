"""From a text to tokens, and from a token to its parts: words, numbers, pairs of characters.

A word, a number and an unsegmented run are parts of their own wherever they touch, and punctuation separates:
`ERR-4040`, `err4040` and `Err 4040` have the same parts, and `4040` is one of them. This is done in Python, not by the
parser of Postgres, which takes `-4040`, `err-4040` and `node14` for three unrelated words, and needs quadratic time for
some long runs.
"""

import re
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from memd.domain.text_analysis.folding import MARKS_CLASS, normalise
from memd.domain.text_analysis.scripts import UNSEGMENTED_CLASS

MAX_CHARACTERS: Final = 64
"""Of a word or number; the rest of a longer one does not count."""

_ASCII_WORDS: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128)) * 2
"""A translation of ASCII bytes: letters to lower case, what is neither letter nor digit to a blank."""
_TYPOGRAPHY: Final = re.compile(
    "[\u00a0-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u2010-\u2027\u2030-\u205e]"
)
"""Punctuation and signs beyond ASCII, as in texts that are ASCII otherwise."""
_INNER_POINT: Final = re.compile("[0-9][.,][0-9]")
_ASCII_TOKEN: Final = re.compile(r"[a-z0-9]+(?:(?<=[0-9])[.,][0-9]+)*")
_TOKEN: Final = re.compile(rf"[\w{MARKS_CLASS}]+(?:(?<=\d)[.,]\d+)*")
_PART: Final = re.compile(
    rf"(?P<number>\d+(?:[.,]\d+)*)|(?P<run>[{UNSEGMENTED_CLASS}{MARKS_CLASS}]*[{UNSEGMENTED_CLASS}][{UNSEGMENTED_CLASS}{MARKS_CLASS}]*)"
    rf"|(?P<word>[^\d{UNSEGMENTED_CLASS}]+)"
)
_CHARACTER: Final = re.compile(rf".[{MARKS_CLASS}]*", re.DOTALL)
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_SEPARATOR: Final = re.compile("[.,]")


Hidden: TypeAlias = Callable[[str], Collection[int]]
"""Returns for an unsegmented run the positions of characters that are ignored."""


class Part(NamedTuple):
    """A token: a `word` to be stemmed, or the `forms` of a number or pair of characters."""

    word: str | None
    forms: tuple[str, ...] = ()


def tokens(text: str) -> list[str]:
    """The runs of letters, marks and digits of a text, normalised; numbers with their inner points and commas."""
    if not text.isascii():
        text = _TYPOGRAPHY.sub(" ", text)
    if not text.isascii():
        return _TOKEN.findall(normalise(text))
    if _INNER_POINT.search(text):
        return _ASCII_TOKEN.findall(text.lower())
    return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()


def parts(token: str, hidden: Hidden | None = None) -> list[Part]:
    """The parts of a token in order. An identifier of three pieces or more, such as `a3f9c2`, stays whole.

    Pairs with a hidden character have no forms.
    """
    if token.isascii() and token.isalpha():
        return [_word(token)]
    pieces = [(str(match.lastgroup), match.group()) for match in _PART.finditer(token)]
    if any(kind == "run" for kind, _ in pieces):
        return [part for kind, piece in pieces for part in _parts_of(kind, piece, hidden)]
    match pieces:
        case [("word", "v"), ("number", number)] if not number.isdigit():
            return [_number(number)]
        case [("number", number), ("word", ending)] if ending in _ORDINALS and number.isdigit():
            return [Part(None, (_cut(number + ending), _cut(number)))]
        case [_, _, _, *_]:
            return [Part(None, (_cut(token),))]
        case _:
            return [part for kind, piece in pieces for part in _parts_of(kind, piece, hidden)]


def _parts_of(kind: str, piece: str, hidden: Hidden | None) -> list[Part]:
    match kind:
        case "number":
            return [_number(piece)]
        case "run":
            return _run_parts(piece, hidden(piece) if hidden else ())
        case _:
            return [_word(piece)]


def _word(word: str) -> Part:
    return Part(_cut(word))


def _number(number: str) -> Part:
    return Part(None, tuple(dict.fromkeys(map(_cut, number_forms(number)))))


def number_forms(number: str) -> tuple[str, ...]:
    """How a number may be written: `1,500` is 1500 or 1.5 by country, `1.500` too; `1,5` is 1.5, and never 15."""
    if number.isdigit():
        return (number,)
    if _GROUPED.fullmatch(number):
        grouped = number[_SEPARATOR.search(number).start()]  # type: ignore[union-attr]
        whole = number.replace(grouped, "").replace(",", ".")
        alone = len(_SEPARATOR.findall(number)) == 1
        return (whole, number.replace(",", ".")) if alone else (whole,)
    return (number.replace(",", "."),)


def _run_parts(run: str, hidden: Collection[int]) -> list[Part]:
    if not hidden:
        return [Part(None, (pair,)) for pair in _pairs(run)]
    shown = [match.start() not in hidden for match in _CHARACTER.finditer(run)]
    both = [first and second for first, second in pairwise(shown)] or shown
    return [Part(None, (pair,) if visible else ()) for pair, visible in zip(_pairs(run), both, strict=True)]


def _pairs(run: str) -> list[str]:
    """The overlapping pairs of a run's characters, marks included; a single character is itself."""
    characters = _CHARACTER.findall(run)
    return [first + second for first, second in pairwise(characters)] or characters


def _cut(text: str) -> str:
    return text[:MAX_CHARACTERS]
