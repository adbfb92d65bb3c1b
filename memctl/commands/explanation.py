"""How a result came about: the parts of each score (contract 11.2), and what was left out and why."""

from collections import defaultdict
from dataclasses import dataclass

from memctl import output
from memctl.text import bar, count
from memctl.wire.recall import RankingSignals, RecalledMemory, RecallReply

BAR = 20
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
    "diversity": "too like a better row",
    "limit": "beyond the limit",
    "peer_chunk": "chunk of another peer",
}


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


def show_parts(memory: RecalledMemory, lanes: list[str]) -> None:
    """Each part of a score: its value, a bar, its weight, what it adds; then the sum, and the lanes that found it."""
    parts = parts_of(memory.ranking_signals)
    for part in parts:
        value = f"{part.value:5.3f} {bar(part.value, BAR)} ×{part.weight:.2f}" if part.weight else " " * (BAR + 12)
        output.say(f"          {part.name:<9} {value}  {part.adds:+.3f}")
    total = sum(part.adds for part in parts)
    output.say(f"          {'relevance':<9} {memory.relevance:5.3f} {bar(memory.relevance, BAR)} {'':5}  {total:+.3f}")
    if lanes:
        output.say(f"          found by  {', '.join(lanes)}")


def show_search(reply: RecallReply) -> None:
    """What the search looked at, what it dropped, and where the time went."""
    debug, diagnostics = reply.debug, reply.diagnostics
    output.say(f"Intent {diagnostics.recall_intent}; {count(diagnostics.knowledge_bases_searched, 'knowledge base')}")
    if debug:
        output.say("Candidates  " + ", ".join(f"{lane} {number}" for lane, number in debug.candidates.items()))
        by_reason: defaultdict[str, list[str]] = defaultdict(list)
        for dropped in debug.dropped:
            by_reason[dropped.reason].append(dropped.id)
        for reason, ids in by_reason.items():
            more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
            output.say(f"Dropped     {len(ids)} × {REASONS.get(reason, reason)}: {' '.join(ids[:SHOWN])}{more}")
    if debug:
        output.say("Time        " + ", ".join(f"{step} {ms:.1f} ms" for step, ms in debug.timings_ms.items()))
