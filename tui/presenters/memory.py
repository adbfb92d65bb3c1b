"""One memory in full: text, scores and their history, the conversation behind it, its place in the graph."""

from collections.abc import Sequence

from rich.text import Text

from memctl.text import bar, moment, period, printable
from memctl.wire.memories import MemoryDetail
from memctl.wire.trace import TracedMessage, TraceReply

from ..colors import of_score
from ..score_log import Score
from .cells import TableRow, cell, number


def heading(memory: MemoryDetail) -> Text:
    """Title and the facts that are always of interest."""
    parts = [memory.category, memory.channel, *(f"#{tag}" for tag in memory.tags), memory.id]
    state = [("  archived", "bad")] if memory.archived else []
    facts = " · ".join(printable(part) for part in parts if part)
    return Text.assemble(
        (printable(memory.title), "bold"), *state, "\n", (memory.store, f"store.{memory.store}"), (f" · {facts}", "dim")
    )


def facts(memory: MemoryDetail) -> list[tuple[str, Text]]:
    """Scores as bars, times, counters and links."""
    lines = [
        (name, Text.assemble((bar(value, 20), of_score(value)), f" {value:.2f}"))
        for name, value in (
            ("strength", memory.strength),
            ("confidence", memory.confidence),
            ("arousal", memory.arousal),
        )
    ]
    graph = f"since {moment(memory.graph_enriched_at)}" if memory.graph_enriched_at else "not yet"
    lines += [
        ("valence", Text(f"{memory.valence:+.2f}")),
        ("used", Text(f"{memory.access_count:,} times, last {moment(memory.last_accessed_at)}")),
        ("created", Text(moment(memory.created_at))),
        ("changed", Text(moment(memory.updated_at))),
        ("source", Text(memory.source)),
        ("in the graph", Text(graph)),
        ("id", Text(memory.id)),
    ]
    optional = (
        ("true", period(memory.valid_from, memory.valid_until)),
        ("knowledge base", memory.knowledge_base_id),
        ("dedupe key", memory.dedupe_key),
        ("tools", ", ".join(memory.action_triggers or [])),
        ("metadata", str(memory.metadata) if memory.metadata else None),
    )
    return lines + [(name, Text(printable(value))) for name, value in optional if value]


def version_rows(versions: Sequence[MemoryDetail], current: str) -> list[TableRow]:
    """The scores of a memory and of those that it superseded or that superseded it, newest first."""
    return [
        TableRow(
            version.id,
            (
                cell("▶" if version.id == current else ""),
                cell(moment(version.created_at)),
                number(version.strength),
                number(version.confidence),
                number(version.access_count),
                cell("superseded" if version.superseded_by_memory_id else "archived" if version.archived else "active"),
                cell(version.title),
            ),
        )
        for version in sorted(versions, key=lambda each: each.created_at, reverse=True)
    ]


def score_text(scores: Sequence[Score]) -> Text:
    """The relevance of this memory in the recalls of this session, the newest last."""
    if not scores:
        return Text("Not recalled in this session yet; try the recall bench.", style="dim")
    lines = [
        Text.assemble(
            f"{moment(score.at)}  ",
            (bar(score.relevance, 20), "bar"),
            f" {score.relevance:.3f}  ",
            printable(score.query),
        )
        for score in scores
    ]
    return Text("\n").join(lines)


def trace_text(reply: TraceReply) -> Text:
    """The conversation or the memories behind a memory, with what was said before and after."""
    parts: list[Text] = []
    if reply.reason:
        parts.append(Text(printable(reply.reason), style="warn"))
    parts += [_spoken(message, "dim") for message in reply.context_before]
    parts += [_spoken(message, "") for message in reply.source_conversation]
    parts += [_spoken(message, "dim") for message in reply.context_after]
    if reply.snapshot is not None:
        snapshot = reply.snapshot
        left_out = f", {snapshot.omitted_count:,} left out" if snapshot.omitted_count else ""
        parts.append(Text(f"Snapshot of {snapshot.message_count:,} messages{left_out}", style="bold"))
        parts += [_spoken(message, "") for message in snapshot.messages]
    for source in reply.source_memories:
        about = (
            f"{source.store}/{source.category}  {moment(source.created_at)}{'  archived' if source.archived else ''}"
        )
        parts.append(Text.assemble((printable(source.title), "bold"), f"  {about}\n", printable(source.content)))
    return Text("\n\n").join(parts)


def _spoken(message: TracedMessage, style: str) -> Text:
    when = f"  {moment(message.timestamp)}" if message.timestamp is not None else ""
    return Text.assemble((f"{printable(message.role)}{when}", "bar"), "\n", (printable(message.text), style))
