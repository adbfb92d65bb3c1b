"""How messages are ranked for a query (contract 11.4), and where the next page begins.

A message is scored by its own words, by the messages around it and by its session. The pool holds every candidate and
the rows around them, each with the exact values of both lanes; the order over a pool is total. Which words of the query
a message has is a set of bits: bit i stands for the query's word i.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, reduce
from math import inf
from operator import or_
from typing import Final
from uuid import UUID

import numpy as np

from memctl.wire.limits import MESSAGE_OFFSET_MAX
from memd.domain.dates.time_window import Window
from memd.domain.ranking.evidence import above_background
from memd.domain.ranking.message_wording import is_question, names_speaker
from memd.domain.unit_interval import clamp

WEAK_BELOW: Final = 0.3
"""A message is weak when neither it nor a neighbour fits the query better, unless the query names its period."""
UNRELATED_SHARE: Final = 0.25
"""The share of the cosine of unrelated messages by which this is raised for a message that shares no word with the query,
nor does a neighbour: half of what that cosine adds to the fit."""
ADJACENT_BELOW: Final = 0.1
"""A message that is not weak, fits the query less by itself and follows no question is only next to one that fits."""


@dataclass(frozen=True, slots=True)
class MessageWeights:
    """The weights of contract 11.4, as learned (docs/benchmarks.md); `question` is taken off.

    `paraphrase` is what the cosine gains, above that of the twelfth nearest message, for the words of the query that no
    message has. `answer` is the share of a question's fit that the message after it gains where the query asks, too: an answer
    rarely repeats the words of the question. `near` is the share of the coverage that the words of the neighbours count
    for; `period` is a share of the best rank (contract 11.7). ValueError for a weight below 0, a share above 1, and
    when neither cosine nor coverage counts.
    """

    cosine: float = 0.5
    coverage: float = 0.5
    near: float = 0.7
    neighbour: float = 0.75
    session: float = 0.95
    session_coverage: float = 0.2
    answer: float = 0.35
    paraphrase: float = 0.5
    speaker: float = 0.35
    question: float = 0.1
    time: float = 0.3
    phrase: float = 0.5
    period: float = 0.15

    def __post_init__(self) -> None:
        for name, weight in asdict(self).items():
            if not 0 <= weight < inf:
                raise ValueError(f"A weight must be a number of at least 0: {name} is {weight}")
        if self.near > 1 or self.cosine + self.coverage == 0:
            raise ValueError("near must be at most 1, and cosine or coverage above 0")

    @property
    def possible_maximum(self) -> float:
        """The rank of a message that scores full in every part, before the lift of a period."""
        fit_maximum = self.cosine + self.coverage
        added = self.session_coverage + self.speaker + self.time + self.phrase
        return fit_maximum * (1 + self.neighbour + self.answer + self.session) + added


DEFAULT_MESSAGE_WEIGHTS: Final = MessageWeights()


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """The query: its text, the rarity (idf among the messages in scope) of each of its words, and the period it names.

    `asks_for_period`: it names nothing else to look for. `unrelated` is the cosine that unrelated messages may have in
    its language.
    """

    text: str
    rarities: Sequence[float] = ()
    period: Window | None = None
    asks_for_period: bool = False
    unrelated: float = 0.0

    def coverage(self, words: int) -> float:
        """Share 0..1 of the query's words that are in `words`, weighted by rarity."""
        total = sum(self.rarities)
        held = sum(rarity for index, rarity in enumerate(self.rarities) if words >> index & 1)
        return held / total if total > 0 else 0.0

    def missing(self, words: int) -> float:
        """Share 0..1 of the query's words that are not in `words`; 0 for a query without any."""
        return 1 - self.coverage(words) if sum(self.rarities) > 0 else 0.0


@dataclass(frozen=True, slots=True)
class PooledMessage:
    """A message with the exact values of both lanes; timestamp in epoch ms.

    `cosine` is None without a vector (of the query or of the message). `words` are the query's words that it has,
    `session_words` those that its session has. `previous_id` and `next_id` are the neighbours in its session. A row
    that is not a candidate lends its values to others and is not returned. `holds_phrase`: it contains the whole query;
    `states_time`: the query asks when, and the message names a time.
    """

    id: UUID
    timestamp: int
    words: int = 0
    session_words: int = 0
    cosine: float | None = None
    speaker: str | None = None
    asks: bool = False
    holds_phrase: bool = False
    states_time: bool = False
    session_key: str | None = None
    previous_id: UUID | None = None
    next_id: UUID | None = None
    candidate: bool = True

    @property
    def neighbours(self) -> tuple[UUID, ...]:
        """The one or two neighbours."""
        return tuple(near for near in (self.previous_id, self.next_id) if near is not None)


@dataclass(frozen=True, slots=True)
class RankedMessage:
    """A candidate's place: `rank` decides the order, `score` is its 0..1 form for the wire.

    `fit` is how well the message or the better of its neighbours fits the query: weighted cosine and coverage. A
    `weak` message is barely related to the query; an `adjacent` one is not weak, but only because of a neighbour.
    """

    id: UUID
    timestamp: int
    rank: float
    score: float
    fit: float
    weak: bool
    adjacent: bool


def rank_messages(
    pool: Sequence[PooledMessage], query: MessageQuery, weights: MessageWeights = DEFAULT_MESSAGE_WEIGHTS
) -> list[RankedMessage]:
    """The candidates of the pool by rank, then timestamp, both descending (then id, so that pages agree).

    A message inside the period of the query is lifted by a share of the best rank. When the query asks for the period
    alone, it is lifted by all of it and comes before those outside. No message is left out for it.
    """
    if query.asks_for_period:
        weights = replace(weights, period=1)
    if not is_question(query.text):
        weights = replace(weights, answer=0)
    fits, alone = _fits(pool, query, weights)
    ranks = _ranks(pool, fits, query, weights)
    maximum = weights.possible_maximum
    lift = 0.0
    if query.period is not None:
        lift = weights.period * max(ranks.values(), default=0.0)
        maximum *= 1 + weights.period
    words = {message.id: message.words for message in pool}
    asking = {message.id for message in pool if message.asks}
    ranked: list[RankedMessage] = []
    first = set[UUID]()
    for message in (row for row in pool if row.candidate):
        lifted = query.period is not None and message.timestamp in query.period
        rank = ranks[message.id] + (lift if lifted else 0.0)
        best = max(fits.get(each, 0.0) for each in (message.id, *message.neighbours))
        shares_words = any(words.get(each) for each in (message.id, *message.neighbours))
        weak_below = WEAK_BELOW if shares_words else WEAK_BELOW + UNRELATED_SHARE * query.unrelated
        weak = best < weak_below and not lifted
        is_answer = message.previous_id in asking
        adjacent = not (weak or lifted or is_answer) and alone[message.id] < ADJACENT_BELOW
        ranked.append(RankedMessage(message.id, message.timestamp, rank, clamp(rank / maximum), best, weak, adjacent))
        if lifted and query.asks_for_period:
            first.add(message.id)
    return sorted(ranked, key=lambda row: (row.id in first, row.rank, row.timestamp, row.id), reverse=True)


def _ranks(
    pool: Sequence[PooledMessage], fits: Mapping[UUID, float], query: MessageQuery, weights: MessageWeights
) -> dict[UUID, float]:
    """The rank of each candidate, before the lift of a period."""
    coverage = cache(query.coverage)
    sessions = _session_best(pool, fits)
    named = {speaker: names_speaker(query.text, speaker) for speaker in {message.speaker for message in pool}}
    questions = {message.id: fits[message.id] for message in pool if message.asks}
    ranks: dict[UUID, float] = {}
    for message in (row for row in pool if row.candidate):
        neighbour_fit = max((fits.get(near, 0.0) for near in message.neighbours), default=0.0)
        answered = 0.0 if message.previous_id is None else questions.get(message.previous_id, 0.0)
        session = fits[message.id] if message.session_key is None else sessions[message.session_key]
        rank = (
            fits[message.id] + weights.neighbour * neighbour_fit + weights.answer * answered + weights.session * session
        )
        rank += weights.session_coverage * coverage(message.words | message.session_words)
        ranks[message.id] = rank + weights.speaker * named[message.speaker] + _wording(message, weights)
    return ranks


def next_offset(end: int, total: int) -> int | None:
    """Where the page after one that ends at `end` of `total` rows begins; None when none follows or may be asked for."""
    return end if end < total and end <= MESSAGE_OFFSET_MAX else None


def fit(own: float, near: float, cosine: float | None, weights: MessageWeights = DEFAULT_MESSAGE_WEIGHTS) -> float:
    """F: the weighted cosine and coverage; the coverage is mixed of the message's `own` and that of it and around it.

    Without a vector the coverage alone, with the weight of both.
    """
    coverage = (1 - weights.near) * own + weights.near * near
    if cosine is None:
        return (weights.cosine + weights.coverage) * coverage
    return weights.cosine * clamp(cosine) + weights.coverage * coverage


def _fits(
    pool: Sequence[PooledMessage], query: MessageQuery, weights: MessageWeights
) -> tuple[dict[UUID, float], dict[UUID, float]]:
    """How well each message fits the query, with the words around it and by itself."""
    coverage = cache(query.coverage)
    words = {message.id: message.words for message in pool}
    known = reduce(or_, words.values(), 0)
    missing = weights.paraphrase * query.missing(known)
    meaning = np.array([max(0.0, message.cosine or 0.0) for message in pool])
    fits, alone = dict[UUID, float](), dict[UUID, float]()
    for message, above in zip(pool, above_background(meaning, query.unrelated).tolist(), strict=True):
        near = message.words
        for neighbour in message.neighbours:
            near |= words.get(neighbour, 0)
        own, paraphrase = coverage(message.words), missing * above
        fits[message.id] = fit(own, coverage(near), message.cosine, weights) + paraphrase
        alone[message.id] = fit(own, own, message.cosine, weights) + paraphrase
    return fits, alone


def _wording(message: PooledMessage, weights: MessageWeights) -> float:
    """The rank adjustment for the wording of the message."""
    bonus = weights.time * message.states_time + weights.phrase * message.holds_phrase
    return bonus - weights.question * message.asks


def _session_best(pool: Iterable[PooledMessage], fits: Mapping[UUID, float]) -> dict[str, float]:
    best: dict[str, float] = {}
    for message in pool:
        if message.session_key is not None:
            best[message.session_key] = max(best.get(message.session_key, 0.0), fits[message.id])
    return best
