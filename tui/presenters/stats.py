"""The overview's figures: what is stored, what is used of the limits, how it grew."""

from collections.abc import Mapping

from rich.text import Text

from memctl.text import bar
from memctl.wire.accounts import AuthReply
from memctl.wire.enums import Category, Store
from memctl.wire.health import VersionReply
from memctl.wire.limits import NO_LIMIT
from memctl.wire.stats import StatsReply


def used_of(used: int, limit: int, width: int = 12) -> Text:
    """`240 of 500` with a bar that warns from 90 % on; without limit the number alone."""
    if limit >= NO_LIMIT:
        return Text(f"{used:,}")
    part = used / limit if limit else 1.0
    style = "bad" if part >= 1 else "warn" if part >= 0.9 else "ok"
    return Text.assemble(f"{used:,} of {limit:,}  ", (bar(part, width).rstrip(), style))


def facts(stats: StatsReply, auth: AuthReply | None, version: VersionReply | None) -> list[tuple[str, Text]]:
    """Facts about the user and the server, as names and values."""
    usage, bases = stats.usage, stats.knowledge_bases
    chunks = f"{bases.active:,} with {bases.chunks:,} chunks, {bases.archived:,} archived"
    lines = [
        ("memories", used_of(usage.memories_used, usage.memory_limit)),
        ("archived", Text(f"{stats.archived:,}")),
        ("messages", used_of(stats.ttl_status.messages_stored, usage.messages_limit)),
        ("messages kept", Text(f"{stats.ttl_status.free_tier_expires_in_days} days")),
        ("knowledge bases", Text(chunks)),
        ("embedded today", used_of(usage.embeddings_used_today, usage.embeddings_limit)),
        ("mean strength", Text(f"{stats.avg_strength:.2f}")),
        ("in the graph", Text(f"{stats.enrichment_percent:g}%")),
        ("last 24 hours", Text(f"{stats.recent_captures:,} captured")),
        ("plan", Text(f"{usage.tier} ({usage.policy})")),
    ]
    if stats.embedding_note:
        lines.append(("embedding", Text(stats.embedding_note, style="warn")))
    if auth is not None:
        lines.append(("this key may", Text(", ".join(auth.scopes))))
    if version is not None:
        model = f"{version.embedding_model}, {version.embedding_dimensions} dimensions"
        lines.append(("server", Text(f"memd {version.version}, {model}")))
    return lines


def distribution(counts: Mapping[Store, int] | Mapping[Category, int], width: int = 20) -> list[tuple[str, Text]]:
    """Name and a bar with the number, in the order given; the bars are measured against the largest."""
    maximum = max(counts.values(), default=0) or 1
    return [
        (str(name), Text.assemble((bar(value / maximum, width), _style(name)), f" {value:>9,}"))
        for name, value in counts.items()
    ]


def _style(name: Store | Category) -> str:
    return f"store.{name}" if isinstance(name, Store) else "bar"


def cards(stats: StatsReply) -> list[tuple[str, str, str]]:
    """The four headline figures: name, number, and what belongs to it."""
    bases = stats.knowledge_bases
    return [
        ("Memories", f"{stats.usage.memories_used:,}", f"+{stats.recent_captures:,} in 24 h"),
        (
            "Messages",
            f"{stats.ttl_status.messages_stored:,}",
            f"kept {stats.ttl_status.free_tier_expires_in_days} days",
        ),
        ("Knowledge bases", f"{bases.active:,}", f"{bases.chunks:,} chunks"),
        ("Mean strength", f"{stats.avg_strength:.2f}", f"{stats.enrichment_percent:g}% in graph"),
    ]
