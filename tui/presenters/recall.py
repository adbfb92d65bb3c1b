"""The recall bench: ranked rows, the parts of a score, what was dropped and why, and how two settings differ."""

from collections.abc import Sequence

from rich.text import Text

from memctl.commands.explanation import CONTESTED, NAME, REASONS, Part, parts_of
from memctl.text import age, bar, one_line, period, printable
from memctl.wire.recall import Diagnostics, RecalledMemory, RecallReply
from memctl.wire.recall_debug import DebugMemory, DroppedMemory

from ..colors import of_part, of_score
from .cells import Cell, TableRow, cell, number, share

_MAX_BAR_LENGTH = 16
_BESIDE_BARS = 34


def recalled_row(rank: int, memory: RecalledMemory, other: Sequence[str] | None) -> TableRow:
    """Rank, difference to the other setting, relevance, bar, marks and title, store and category.

    A row that is weak or no longer true is dimmed; its marks are before the title, which a narrow column cuts off.
    """
    style = "dim" if memory.weak or memory.ended else "bold"
    given = {"weak": memory.weak, "ended": memory.ended, "contested": memory.contested()}
    marks = ", ".join(mark for mark, is_so in given.items() if is_so)
    kind = f"kb {memory.knowledge_base_name}" if memory.knowledge_base_name else f"{memory.store}/{memory.category}"
    return TableRow(
        memory.id,
        (
            number(rank, "dim"),
            moved(rank, memory.id, other),
            number(memory.relevance, style if memory.weak else of_score(memory.relevance)),
            share(memory.relevance, 6, style if memory.weak else of_score(memory.relevance)),
            cell(f"({marks}) {memory.title}" if marks else memory.title, style),
            cell(kind, "dim" if memory.knowledge_base_name or memory.weak else f"store.{memory.store}"),
        ),
    )


def moved(rank: int, memory_id: str, other: Sequence[str] | None) -> Cell:
    """How a row compares with the other setting: the same rank, higher, lower, or only here."""
    if other is None:
        return cell("")
    if memory_id not in other:
        return cell("new", "warn")
    by = other.index(memory_id) + 1 - rank
    return cell("=", "dim") if by == 0 else cell(f"▲{by}", "ok") if by > 0 else cell(f"▼{-by}", "bad")


def explanation(memory: RecalledMemory, diagnostics: Diagnostics, now: int, width: int) -> Text:
    """The date and period of a memory, the parts of its score as bars with their weights (contract 11.2), and its beginning.

    `diagnostics` hold the weights; the bars are as long as `width` columns allow.
    """
    longest = max(min(width - _BESIDE_BARS, _MAX_BAR_LENGTH), 0)
    parts = parts_of(memory.ranking_signals, diagnostics.evidence_weight, diagnostics.rerank_weight)
    when = period(memory.valid_from, memory.valid_until)
    contested = CONTESTED.get(memory.contested() or "")
    named = (contested, f"true {when}" if when else None, age(memory.created_at, now), memory.channel, memory.id)
    facts = " · ".join(one_line(fact, 60) for fact in named if fact)
    lines: list[Text] = [Text(printable(memory.title), style="bold"), Text(facts, style="dim"), stacked(parts, width)]
    for part in parts:
        if part.weight:
            bars = (
                (f"{part.value:5.3f} ", ""),
                (bar(part.value, longest), of_part(part.name)),
                (f" ×{part.weight:.2f}", "dim"),
            )
            lines.append(Text.assemble(f"{part.label} ", *bars, f"  {part.adds:+.3f}"))
        else:
            lines.append(Text(f"{part.label} {'':{longest + 12}}  {part.adds:+.3f}"))
    lines.append(Text(f"{'relevance':<{NAME}} {memory.relevance:5.3f}", style="bold"))
    return Text("\n").join([*lines, Text(printable(memory.preview or memory.content))])


def shares_of(parts: Sequence[Part]) -> list[tuple[str, float]]:
    """The share of each part in the relevance, inner parts instead of their sum; parts that add nothing are left out."""
    found: list[tuple[str, float]] = []
    factor = 1.0
    for index, part in enumerate(parts):
        is_sum = not part.inner and index + 1 < len(parts) and parts[index + 1].inner
        factor = (part.weight if is_sum else 1.0) if not part.inner else factor
        if not is_sum and part.adds > 0:
            found.append((part.name, part.adds * (factor if part.inner else 1.0)))
    return found


def stacked(parts: Sequence[Part], width: int) -> Text:
    """The relevance as one bar of `width` cells for 1.0, a segment in its colour for each part."""
    line, drawn, total = Text(), 0, 0.0
    for name, adds in shares_of(parts):
        total += adds
        cells = round(min(total, 1.0) * width) - drawn
        line.append("█" * cells, style=of_part(name))
        drawn += cells
    return line.append("░" * (width - drawn), style="dim")


def dropped_rows(reply: RecallReply) -> list[TableRow]:
    """Relevance, the reason, lanes and the id of every candidate that was left out."""
    if reply.debug is None:
        return []
    known = {each.id: each for each in reply.debug.memories}
    whole = 1 + reply.diagnostics.evidence_weight + (reply.diagnostics.rerank_weight or 0.0)
    return [_dropped_row(index, each, known.get(each.id), whole) for index, each in enumerate(reply.debug.dropped)]


def _dropped_row(index: int, dropped: DroppedMemory, candidate: DebugMemory | None, whole: float) -> TableRow:
    """A candidate with its relevance: its rank score as a share of `whole`, as for the rows that are ranked (contract 11.2)."""
    lanes, score = "", cell("")
    if candidate is not None:
        lanes, score = ", ".join(candidate.lanes), number(min(max(candidate.rank_score / whole, 0.0), 1.0))
    why = REASONS.get(dropped.reason, dropped.reason)
    return TableRow(
        f"{index} {dropped.id}",
        (number(index + 1, "dim"), score, cell(why, "warn"), cell(lanes, "dim"), cell(dropped.id, "dim")),
    )


def memory_of(key: str) -> str:
    """The memory id in the key of a dropped row."""
    return key.rpartition(" ")[2]


def nothing_line(reply: RecallReply) -> str:
    """Why an answer has no rows, and what helps."""
    below = reply.retrieval.below_evidence
    return f"nothing relevant: lower min evidence, or use other words ({below:,} rows)" if below else "nothing found"


def reply_line(reply: RecallReply) -> str:
    """How the result came about."""
    counts = reply.debug.candidates if reply.debug else reply.diagnostics.candidate_counts
    lanes = ", ".join(f"{count:,} {one_line(lane, 20)}" for lane, count in counts.items() if count)
    below = reply.retrieval.below_evidence
    parts = [
        "nothing relevant" if reply.retrieval.nothing_relevant else "",
        f"{len(reply.memories):,} rows",
        f"{below:,} below min evidence" if below else "",
        f"{len(reply.debug.dropped):,} dropped (d shows)" if reply.debug and reply.debug.dropped else "",
        f"from {lanes}" if lanes else "",
        f"{sum(reply.debug.timings_ms.values()):.0f} ms" if reply.debug else "",
        f"intent {one_line(reply.diagnostics.recall_intent, 20)}",
        f"{len(reply.message_matches):,} messages" if reply.message_matches else "",
        f"degraded: {one_line(reply.degradation.message, 60)}" if reply.degradation else "",
    ]
    return " · ".join(part for part in parts if part)
