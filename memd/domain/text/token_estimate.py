"""How many tokens a text costs a language model, estimated without a vocabulary.

Vocabularies differ and none ships with memd, so this counts what their pre-tokenisers split on. The costs are set so
that the estimate stays at or a little above the o200k vocabulary for prose in several languages, JSON and memory ids.
"""

import re
from collections.abc import Iterable
from math import ceil
from typing import Final

from memd.domain.text.sentences import first_words

_PIECE: Final = re.compile(
    r"[A-Za-z]*[0-9][A-Za-z0-9]*|[A-Za-z]+|[ ]|[\u00c0-\u024f]|[\u0370-\u1cff]|[\u2e80-\uffff]|[^\x00-\x7f]|.",
    re.DOTALL,
)
_LETTERS_PER_TOKEN: Final = 6
_DIGITS_PER_TOKEN: Final = 3
_CHARACTERS_PER_TOKEN_OF_IDS: Final = 1.6
_COST_BY_BLOCK: Final = (("\u00c0", "\u024f", 0.6), ("\u0370", "\u1cff", 0.36), ("\u2e80", "\uffff", 1.0))
_PUNCTUATION: Final = 0.6
_WORDS_PER_TOKEN: Final = 3
"""No token is of more words: a Greek letter costs least, 0.36."""


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of `text`, rounded up."""
    return ceil(sum(map(_cost, _PIECE.findall(text))))


def truncate_to_tokens(text: str, maximum: int) -> str:
    """`text`, or its beginning with an ellipsis that costs at most `maximum` tokens; ends at a sentence or word if it can."""
    if _cost_up_to(text, maximum) <= maximum:
        return text
    room, end = float(maximum - ceil(_cost("…"))), 0
    for piece in _PIECE.finditer(text):
        room -= _cost(piece[0])
        if room < 0:
            break
        end = piece.end()
    return f"{_at_boundary(text[:end])}…" if end else ""


def fit_lines(texts: Iterable[str], budget: int) -> list[str]:
    """The texts on one line each, cut to `budget` tokens together: short ones stay whole, long ones share what is left.

    No text is read much further than it may be shown: a hundred messages of the greatest length hold 10 MB.
    """
    lines = [first_words(text, _WORDS_PER_TOKEN * max(budget, 0) + 1) for text in texts]
    long, room, share = set(range(len(lines))), budget, 0
    while long:
        share = room // len(long)
        fitting = {index: cost for index in long if (cost := _cost_up_to(lines[index], share)) <= share}
        if not fitting:
            break
        long -= fitting.keys()
        room -= sum(fitting.values())
    return [truncate_to_tokens(line, share) if index in long else line for index, line in enumerate(lines)]


def _cost_up_to(text: str, maximum: int) -> int:
    """The estimated number of tokens; of a text that costs more than `maximum`, some number above it."""
    cost = 0.0
    for piece in _PIECE.finditer(text):
        cost += _cost(piece[0])
        if cost > maximum:
            break
    return ceil(cost)


def _cost(piece: str) -> float:
    first = piece[0]
    if first == " ":
        return 0.0
    if not first.isascii():
        return next((cost for low, high, cost in _COST_BY_BLOCK if low <= first <= high), 2.0)
    if piece.isalpha():
        return ceil(len(piece) / _LETTERS_PER_TOKEN)
    if piece.isdigit():
        return ceil(len(piece) / _DIGITS_PER_TOKEN)
    return ceil(len(piece) / _CHARACTERS_PER_TOKEN_OF_IDS) if len(piece) > 1 else _PUNCTUATION


def _at_boundary(text: str) -> str:
    """The text up to its last sentence end, or else its last word end, unless that would drop more than a third."""
    minimum = len(text) * 2 // 3
    sentence = max(text.rfind(mark) for mark in (". ", "! ", "? ", "。", "！", "？"))
    if sentence >= minimum:
        return text[: sentence + 1]
    word = text.rfind(" ")
    return text[:word] if word >= minimum else text
