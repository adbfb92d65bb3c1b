"""How a score came about: the parts of contract 11.2 with their weights."""

from dataclasses import dataclass

from memctl.wire.recall import RankingSignals


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its value within 0 and 1, its weight (0 for a plain addition), and what it adds."""

    name: str
    value: float
    weight: float
    adds: float


def parts_of(signals: RankingSignals) -> list[Part]:
    """The parts in the order of the formula; additions that add nothing are left out."""
    weighted = (
        ("vector", signals.vector_score, 0.35),
        ("strength", signals.strength_score, 0.30),
        ("recency", signals.freshness_score, 0.20),
        ("access", signals.access_score, 0.10),
        ("keyword", signals.text_match_score, 0.05),
    )
    added = (
        ("graph", signals.graph_boost),
        ("project", signals.project_boost),
        ("kb role", signals.source_role_score or 0.0),
    )
    parts = [Part(name, value, weight, value * weight) for name, value, weight in weighted]
    return parts + [Part(name, 0.0, 0.0, amount) for name, amount in added if amount]
