"""How a result came about: the parts of each score (contract 11.2), and what was left out and why."""

from collections import defaultdict
from dataclasses import dataclass, replace

from memctl import colors, output
from memctl.text import bar, count
from memctl.wire.recall import Diagnostics, RankingSignals, RecalledMemory, RecallReply

BAR = 20
NAME = 11
SHOWN = 8
"""Ids named for each reason."""
REASONS = {
    "archived": "archived",
    "blocked": "blocked by the content policy",
    "config_chunk": "configuration, not content",
    "channel": "not visible from the channel",
    "category": "another category",
    "store": "another store",
    "tags": "lacks a tag",
    "project": "another project",
    "duplicate": "same content as a better row",
    "near_duplicate": "nearly the same as a better row",
    "evidence": "less evidence than asked for",
    "limit": "beyond the limit",
    "peer_chunk": "chunk of another peer",
}

CONTESTED = {"newer": "contested, the newer one", "older": "contested by a newer one"}
"""How a row that contradicts another one is marked."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its value, its weight (0 for a plain addition), and what it adds.

    A part adds to the relevance, and an `inner` one to the value of the part above it.
    """

    name: str
    value: float
    weight: float
    adds: float
    inner: bool = False

    @property
    def label(self) -> str:
        """The name, indented for an inner part."""
        return f"{'  ' if self.inner else ''}{self.name:<{NAME - 2 * self.inner}}"


def parts_of(signals: RankingSignals, evidence_weight: float, rerank_weight: float | None = None) -> list[Part]:
    """The parts in the order of the formula, of which the outer ones sum up to the relevance before it is cut to 0..1.

    `evidence_weight` is λ of contract 11.2; `rerank_weight` that of a cross-encoder, None without one. Additions that
    add nothing are left out.
    """
    whole = 1 + evidence_weight + (rerank_weight or 0.0)
    rerank = (
        [] if rerank_weight is None else [_weighted("reranker", signals.rerank_score or 0.0, rerank_weight / whole)]
    )
    added = (
        ("graph", signals.graph_boost),
        ("project", signals.project_boost),
        ("kb role", signals.source_role_score or 0.0),
        ("newer", signals.conflict_boost or 0.0),
        ("original", signals.origin_boost or 0.0),
    )
    return [
        _weighted("evidence", signals.evidence_score, evidence_weight / whole),
        *_evidence_parts(signals),
        *rerank,
        _weighted("base", signals.base_score, 1 / whole),
        *_base_parts(signals),
        *(Part(name, 0.0, 0.0, amount / whole) for name, amount in added if amount),
    ]


def _evidence_parts(signals: RankingSignals) -> list[Part]:
    cosine = 0.5 if signals.vector_weight is None else signals.vector_weight
    words = 0.5 if signals.word_weight is None else signals.word_weight
    parts = [_weighted("meaning", signals.vector_score, cosine), _weighted("words", signals.word_score, words)]
    extra = [_weighted("pairs", signals.pair_score, 0.1), _weighted("names", signals.name_score, 0.1)]
    named = {
        "fact": signals.fact_score or 0.0,
        "rephrased": signals.paraphrase_score or 0.0,
        "source": signals.source_score or 0.0,
    }
    neighbours = signals.context_score - sum(named.values())
    added = [Part(name, 0.0, 0.0, amount) for name, amount in {"context": neighbours, **named}.items()]
    shown = [*(part for part in extra if part.value), *(part for part in added if part.adds)]
    return [replace(part, inner=True) for part in [*parts, *shown]]


def _base_parts(signals: RankingSignals) -> list[Part]:
    weighted = (
        ("vector", signals.vector_score, 0.35),
        ("strength", signals.strength_score, 0.30),
        ("recency", signals.freshness_score, 0.20),
        ("access", signals.access_score, 0.10),
        ("keyword", signals.text_match_score, 0.05),
    )
    return [replace(_weighted(name, value, weight), inner=True) for name, value, weight in weighted]


def _weighted(name: str, value: float, weight: float) -> Part:
    return Part(name, value, weight, value * weight)


def show_parts(memory: RecalledMemory, diagnostics: Diagnostics, lanes: list[str]) -> None:
    """Each part of a score: its value, a bar, its weight, what it adds; then the sum, and the lanes that found it."""
    parts = parts_of(memory.ranking_signals, diagnostics.evidence_weight, diagnostics.rerank_weight)
    for part in parts:
        shown = f"{part.value:5.3f} {bar(part.value, BAR)}" if part.weight else " " * (BAR + 6)
        weight = f" ×{part.weight:.2f}" if part.weight else " " * 6
        parted = (f"          {part.label} ", None), (shown, colors.of_score(part.value))
        output.say_colored(*parted, (f"{weight}  {part.adds:+.3f}", None))
    total = sum(part.adds for part in parts if not part.inner)
    score = f"{memory.relevance:5.3f} {bar(memory.relevance, BAR)}"
    parted = (f"          {'relevance':<{NAME}} ", None), (score, colors.of_score(memory.relevance))
    output.say_colored(*parted, (f" {'':5}  {total:+.3f}", None))
    if lanes:
        output.say(f"          {'found by':<{NAME}} {', '.join(lanes)}")


def show_search(reply: RecallReply) -> None:
    """The candidates of a search, the dropped rows, and the time of each stage."""
    debug, diagnostics = reply.debug, reply.diagnostics
    output.say(f"Intent {diagnostics.recall_intent}; {count(diagnostics.knowledge_bases_searched, 'knowledge base')}")
    if debug:
        output.say(
            "Candidates  " + ", ".join(f"{lane} {number}" for lane, number in debug.candidates.items()), column=12
        )
        by_reason: defaultdict[str, list[str]] = defaultdict(list)
        for dropped in debug.dropped:
            by_reason[dropped.reason].append(dropped.id)
        for reason, ids in by_reason.items():
            more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
            output.say(
                f"Dropped     {len(ids)} × {REASONS.get(reason, reason)}: {' '.join(ids[:SHOWN])}{more}", column=12
            )
    if debug:
        output.say(
            "Time        " + ", ".join(f"{step} {ms:.1f} ms" for step, ms in debug.timings_ms.items()), column=12
        )
