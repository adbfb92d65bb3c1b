"""How messages are ranked for a query, and the slice that a page shows (contract 11.4).

A message is judged by itself, by its two neighbours and by the best of its session. The pool holds every candidate
and the rows around them, each with the exact values of both arms; the order over a pool is total.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memd.domain.unit_interval import cut

DEEPEST: Final = 10_000
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "`": "`"}


@dataclass(frozen=True, slots=True)
class MessageWeights:
    """The numbers of contract 11.4; `question` is taken off."""

    cosine: float = 0.5
    coverage: float = 0.5
    neighbour: float = 0.5
    session: float = 0.2
    speaker: float = 0.1
    question: float = 0.025
    phrase: float = 0.3

    @property
    def possible_maximum(self) -> float:
        """The rank of a message for which everything speaks."""
        return (self.cosine + self.coverage) * (1 + self.neighbour + self.session) + self.speaker + self.phrase


DEFAULT_MESSAGE_WEIGHTS: Final = MessageWeights()


@dataclass(frozen=True, slots=True)
class PooledMessage:
    """A message with the exact values of both arms; timestamp in epoch ms.

    `cosine` is None without a vector (of the query or of the message), `coverage` is 0..1. `previous_id` and
    `next_id` are the neighbours in its session. A row that is no candidate lends its F to others and is not returned.
    """

    id: UUID
    timestamp: int
    content: str
    coverage: float
    cosine: float | None = None
    speaker: str | None = None
    session_key: str | None = None
    previous_id: UUID | None = None
    next_id: UUID | None = None
    candidate: bool = True


@dataclass(frozen=True, slots=True)
class RankedMessage:
    """A candidate's place: `rank` decides the order, `score` is its 0..1 form for the wire."""

    id: UUID
    timestamp: int
    rank: float
    score: float


@dataclass(frozen=True, slots=True)
class MessagePage:
    """One slice of the order; `next_offset` is None at the end."""

    rows: tuple[RankedMessage, ...]
    next_offset: int | None

    @property
    def has_more(self) -> bool:
        """Whether a further page may be asked for."""
        return self.next_offset is not None


def rank_messages(
    pool: Sequence[PooledMessage], query: str, weights: MessageWeights = DEFAULT_MESSAGE_WEIGHTS
) -> list[RankedMessage]:
    """The candidates of the pool by rank, then timestamp, both descending (then id, so that pages agree)."""
    own = {message.id: fit(message, weights) for message in pool}
    sessions = _session_best(pool, own)
    phrase = search_phrase(query)
    ranked: list[RankedMessage] = []
    for message in (row for row in pool if row.candidate):
        around = max(own.get(near, 0.0) if near else 0.0 for near in (message.previous_id, message.next_id))
        session = own[message.id] if message.session_key is None else sessions[message.session_key]
        rank = own[message.id] + weights.neighbour * around + weights.session * session
        rank += _wording(message, query, phrase, weights)
        ranked.append(RankedMessage(message.id, message.timestamp, rank, cut(rank / weights.possible_maximum)))
    return sorted(ranked, key=lambda row: (row.rank, row.timestamp, row.id), reverse=True)


def page(ranked: Sequence[RankedMessage], *, limit: int, offset: int = 0) -> MessagePage:
    """The slice [offset, offset + limit); it has a next one when it is full and that one may still be asked for."""
    rows = tuple(ranked[offset : offset + limit])
    end = offset + limit
    return MessagePage(rows, next_offset=end if len(rows) == limit and end <= DEEPEST else None)


def fit(message: PooledMessage, weights: MessageWeights = DEFAULT_MESSAGE_WEIGHTS) -> float:
    """F = 0.5 × cosine + 0.5 × coverage; without a vector the coverage alone, with the weight of both."""
    if message.cosine is None:
        return (weights.cosine + weights.coverage) * message.coverage
    return weights.cosine * cut(message.cosine) + weights.coverage * message.coverage


def search_phrase(query: str) -> str | None:
    """The query as a phrase to look for: one pair of outer quotes removed, blanks made one; None under two words."""
    text = query.strip()
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        text = text[1:-1]
    words = text.split()
    return " ".join(words) if len(words) > 1 else None


def contains_phrase(content: str, phrase: str) -> bool:
    """Whether the content holds the phrase, case-blind, whatever the white space between its words."""
    return phrase.casefold() in " ".join(content.split()).casefold()


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
    return content.rstrip().endswith("?")


def _wording(message: PooledMessage, query: str, phrase: str | None, weights: MessageWeights) -> float:
    """What the words of the query and of the message add to the rank, or take off."""
    bonus = weights.speaker if names_speaker(query, message.speaker) else 0.0
    if asks(message.content):
        bonus -= weights.question
    if phrase is not None and contains_phrase(message.content, phrase):
        bonus += weights.phrase
    return bonus


def _session_best(pool: Iterable[PooledMessage], own: Mapping[UUID, float]) -> dict[str, float]:
    best: dict[str, float] = {}
    for message in pool:
        if message.session_key is not None:
            best[message.session_key] = max(best.get(message.session_key, 0.0), own[message.id])
    return best


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)
