"""What the wording of queries and messages says to the ranking of messages (contract 11.4)."""

import re
from typing import Final

_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "`": "`"}
_ASKS_WHEN: Final = re.compile(
    r"\W*(?:(?:since|until|in|on|at|from)\s+)?(?:when|how\s+long|(?:what|which)\s+(?:day|date|week|month|year|time))\b",
    re.IGNORECASE,
)
_QUESTION_MARKS: Final = ("?", "？", "؟")
_BEGINS_AS_QUESTION: Final = re.compile(
    r"\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)


def search_phrase(query: str) -> str | None:
    """The query as a phrase to look for: one pair of outer quotes removed, blanks made one; None under two words."""
    text = query.strip()
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        text = text[1:-1]
    words = text.split()
    return " ".join(words) if len(words) > 1 else None


def names_speaker(query: str, speaker: str | None) -> bool:
    """Whether the query names the speaker: the full name in any case, or one part of it written with its capital."""
    if speaker is None or not (parts := _words(speaker)):
        return False
    words = _words(query)
    if f" {' '.join(parts)} ".casefold() in f" {' '.join(words)} ".casefold():
        return True
    return any(part[0].isupper() and len(part) > 1 and part in words for part in parts)


def asks(content: str) -> bool:
    """Whether a message ends with a question mark."""
    return content.rstrip().endswith(_QUESTION_MARKS)


def is_question(query: str) -> bool:
    """Whether a query asks: it ends with a question mark, or begins as an English question does."""
    return asks(query) or _BEGINS_AS_QUESTION.match(query) is not None


def asks_when(query: str) -> bool:
    """Whether a query begins by asking for a time."""
    return _ASKS_WHEN.match(query) is not None


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)
