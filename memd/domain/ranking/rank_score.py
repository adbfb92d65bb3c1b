"""The score of a row for a query: signals, rankScore and relevance (contract 11.2).

Evidence says how well a row answers the query and weighs most; strength, age and use order what answers equally well.

A score is a function of the signals alone, and the signals are what the wire shows, so that a reader of
`rankingSignals` can compute `relevance` again. The order is total: equal input gives equal order.

`Candidate`, `Signals` and `RankedRow` are made for every candidate of every recall, so they are named tuples, which are
made several times as fast as frozen dataclasses.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from operator import attrgetter
from typing import Final, Literal, NamedTuple
from uuid import UUID

from memd.domain.dates.time_window import DAY_MS
from memd.domain.ranking.evidence import NO_EVIDENCE, Evidence
from memd.domain.ranking.stored_row import StoredRow
from memd.domain.unit_interval import clamp


@dataclass(frozen=True, slots=True)
class RankWeights:
    """The numbers of contract 11.2; decays are per day.

    `evidence` is λ; 0 leaves the base and the boosts alone. `rerank` is the weight of a cross-encoder, 0 without one.
    """

    evidence: float = 4.0
    rerank: float = 0.0
    vector: float = 0.35
    strength: float = 0.30
    recency: float = 0.20
    access: float = 0.10
    keyword: float = 0.05
    graph: float = 0.05
    graph_confidence: float = 0.7
    project: float = 0.05
    role: float = 0.32
    role_baseline: float = 0.38
    recency_decay: float = 0.12
    access_count: float = 0.55
    access_recent: float = 0.45
    access_saturation: int = 20
    access_decay: float = 0.08


DEFAULT_WEIGHTS: Final = RankWeights()
LIFT_STEP: Final = 1e-6
"""The rankScore by which a lifted row exceeds the one that it is put above."""


class Candidate(NamedTuple):
    """A stored row that a lane found; absent scores are None.

    `vector_score` is the cosine; `text_match` the keyword score 0..1. `knowledge_base_id` marks a chunk, `role_value` is
    then that of its knowledge base (11.3). `graph_link_confidence` is the best of its graph links.
    `knowledge_base_score` is the relevance of a chunk in its knowledge base; it is not part of the score.
    """

    stored: StoredRow
    vector_score: float | None = None
    text_match: float = 0.0
    evidence: Evidence = NO_EVIDENCE
    graph_link_confidence: float | None = None
    same_project: bool = False
    knowledge_base_id: UUID | None = None
    role_value: float | None = None
    knowledge_base_score: float | None = None
    lanes: tuple[str, ...] = ()

    @property
    def id(self) -> UUID:
        """The memory or chunk."""
        return self.stored.id

    @property
    def is_chunk(self) -> bool:
        """Whether the row belongs to a knowledge base."""
        return self.knowledge_base_id is not None


@dataclass(frozen=True, slots=True)
class RankQuery:
    """The request's side of a score: its one reading of the clock (epoch ms).

    `channel` is the request channel, None without one; for a peer-capable one continuity is left out.
    """

    now: int
    channel: str | None = None
    peer_capable: bool = False


class Signals(NamedTuple):
    """`rankingSignals`: the parts of the base, the evidence and its parts, amounts that are added, and what is only shown.

    The five parts of the base are within 0..1, before their weight. `vector_weight` and `word_weight` are set where evidence does not weigh cosine and words by one half each.
    """

    vector_score: float
    strength_score: float
    freshness_score: float
    access_score: float
    text_match_score: float
    base_score: float
    evidence_score: float
    word_score: float
    pair_score: float
    name_score: float
    context_score: float
    vector_weight: float | None
    word_weight: float | None
    graph_boost: float
    project_boost: float
    source_role_score: float | None
    salience_score: float | None
    continuity_score: float | None
    knowledge_base_score: float | None
    rerank_score: float | None = None
    fact_score: float | None = None
    paraphrase_score: float | None = None
    source_score: float | None = None
    conflict_boost: float | None = None
    origin_boost: float | None = None


class RankedRow(NamedTuple):
    """A candidate with its signals; rows are sorted by `order`."""

    candidate: Candidate
    signals: Signals
    rank_score: float
    relevance: float
    order: tuple[float, bool, float, int, UUID]
    above_relevant: bool = False
    """Whether it is current where a row that is not weak is out of date."""

    @property
    def weak(self) -> bool:
        """Whether the row is barely related to the query."""
        return self.candidate.evidence.weak and not self.above_relevant


_ORDER: Final = attrgetter("order")


def rank(candidates: Iterable[Candidate], query: RankQuery, weights: RankWeights = DEFAULT_WEIGHTS) -> list[RankedRow]:
    """Score every candidate and sort them, best first (contract 11.1 step 6)."""
    return in_order([score(candidate, query, weights) for candidate in candidates])


def in_order(rows: Iterable[RankedRow]) -> list[RankedRow]:
    """By rankScore, best first; ties: memories before chunks, more evidence, newer, smaller id."""
    return sorted(rows, key=_ORDER)


def score(candidate: Candidate, query: RankQuery, weights: RankWeights = DEFAULT_WEIGHTS) -> RankedRow:
    """The signals of one candidate, the score that follows from them, and its place among others."""
    return ranked_row(candidate, signals_of(candidate, query, weights), weights)


def ranked_row(candidate: Candidate, signals: Signals, weights: RankWeights = DEFAULT_WEIGHTS) -> RankedRow:
    """A candidate with its score, in its place among others; relevance is rankScore / (1 + λ + rerank weight), clamped to 0..1."""
    stored, rank_score = candidate.stored, rank_score_of(signals, weights)
    order = (-rank_score, candidate.is_chunk, -signals.evidence_score, -stored.created_at, stored.id)
    return RankedRow(candidate, signals, rank_score, clamp(rank_score / (1 + weights.evidence + weights.rerank)), order)


def lifted(
    row: RankedRow, rank_score: float, boost: Literal["conflict_boost", "origin_boost"], weights: RankWeights
) -> RankedRow:
    """The row with this rankScore; the named boost grows by what it lacks."""
    grown = (getattr(row.signals, boost) or 0.0) + rank_score - row.rank_score
    moved = ranked_row(row.candidate, row.signals._replace(**{boost: grown}), weights)
    return moved._replace(above_relevant=row.above_relevant)


def rank_score_of(signals: Signals, weights: RankWeights = DEFAULT_WEIGHTS) -> float:
    """The rankScore: base + boosts + the source role term + λ × evidence; may leave 0..1."""
    added = signals.graph_boost + signals.project_boost + (signals.source_role_score or 0.0)
    added += (signals.conflict_boost or 0.0) + (signals.origin_boost or 0.0)
    added += weights.rerank * (signals.rerank_score or 0.0)
    return signals.base_score + added + weights.evidence * signals.evidence_score


def signals_of(candidate: Candidate, query: RankQuery, weights: RankWeights = DEFAULT_WEIGHTS) -> Signals:
    """Every part of the score of one candidate (the table of contract 11.2)."""
    stored = candidate.stored
    graph = candidate.graph_link_confidence
    linked = graph is not None and graph > weights.graph_confidence
    role = candidate.role_value if candidate.is_chunk else None
    vector = clamp(candidate.vector_score or 0.0)
    strength = clamp(stored.strength)
    freshness = exp(-weights.recency_decay * _days(stored.created_at, query.now))
    access = _access_score(stored, query.now, weights)
    keyword = candidate.text_match
    evidence, words, pairs, names, context, vector_weight, word_weight, facts, paraphrase, sources = candidate.evidence
    usual = vector_weight == word_weight
    base = weights.vector * vector + weights.strength * strength + weights.recency * freshness
    base += weights.access * access + weights.keyword * keyword
    return Signals(  # by place, which is made twice as fast as by name
        vector,
        strength,
        freshness,
        access,
        keyword,
        base,
        evidence,
        words,
        pairs,
        names,
        context,
        None if usual else vector_weight,
        None if usual else word_weight,
        weights.graph if linked else 0.0,
        weights.project if candidate.same_project else 0.0,
        None if role is None else weights.role * (role - weights.role_baseline),
        stored.salience_score,
        None if query.peer_capable else _continuity(stored.channel, query.channel),
        candidate.knowledge_base_score,
        None,
        facts or None,
        paraphrase or None,
        sources or None,
    )


def _access_score(stored: StoredRow, now: int, weights: RankWeights) -> float:
    count = clamp(stored.access_count / weights.access_saturation)
    recent = exp(-weights.access_decay * _days(stored.last_accessed_at, now))
    return weights.access_count * count + weights.access_recent * recent


def _continuity(channel: str | None, requested: str | None) -> float:
    return float(channel is not None and requested is not None and channel.lower() == requested.lower())


def _days(moment: int, now: int) -> float:
    """Days from `moment` to `now`, both epoch ms; a moment in the future counts as now."""
    return (now - moment) / DAY_MS if moment < now else 0.0
