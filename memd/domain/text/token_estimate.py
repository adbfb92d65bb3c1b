"""How many tokens a text costs a language model, estimated without a vocabulary.

Vocabularies differ and none ships with memd, so this counts what their pre-tokenisers split on. The costs are set so
that the estimate stays at or a little above the o200k vocabulary for prose in several languages, JSON and memory ids.
"""

import re
from math import ceil
from typing import Final

_PIECE: Final = re.compile(
    r"[A-Za-z]*[0-9][A-Za-z0-9]*|[A-Za-z]+|[ ]|[\u00c0-\u024f]|[\u0370-\u1cff]|[\u2e80-\uffff]|[^\x00-\x7f]|.",
    re.DOTALL,
)
_LETTERS_PER_TOKEN: Final = 6
_DIGITS_PER_TOKEN: Final = 3
_CHARACTERS_PER_TOKEN_OF_IDS: Final = 1.6
_COST_BY_BLOCK: Final = (("\u00c0", "\u024f", 0.6), ("\u0370", "\u1cff", 0.36), ("\u2e80", "\uffff", 1.0))
_PUNCTUATION: Final = 0.6


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of `text`, rounded up."""
    return ceil(sum(map(_cost, _PIECE.findall(text))))


def truncate_to_tokens(text: str, maximum: int) -> str:
    """`text`, or its beginning with an ellipsis that costs at most `maximum` tokens; ends at a sentence or word if it can."""
    if estimate_tokens(text) <= maximum:
        return text
    room, end = float(maximum - ceil(_cost("…"))), 0
    for piece in _PIECE.finditer(text):
        room -= _cost(piece[0])
        if room < 0:
            break
        end = piece.end()
    return f"{_at_boundary(text[:end])}…" if end else ""


def fit_texts(texts: list[str], budget: int) -> list[str]:
    """The texts, cut so that together they cost at most `budget` tokens: short ones stay whole, long ones share what is left."""
    costs = [estimate_tokens(text) for text in texts]
    remaining, share = budget, 0
    for index, cost in enumerate(sorted(costs)):
        share = remaining // (len(costs) - index)
        if cost > share:
            break
        remaining -= cost
    else:
        return texts
    return [truncate_to_tokens(text, share) for text in texts]


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
