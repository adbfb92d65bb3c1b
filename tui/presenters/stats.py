"""The overview's figures: what is stored, what is used of the limits, how it grew."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from memctl.text import bar, moment
from memctl.wire.accounts import AuthReply
from memctl.wire.enums import Category, Store
from memctl.wire.health import VersionReply
from memctl.wire.stats import StatsReply

UNLIMITED = 999_999
BUCKETS = 60
DAY_MS = 86_400_000


def used_of(used: int, limit: int, width: int = 12) -> Text:
    """`240 of 500` with a bar that warns from 90 % on; without limit the number alone."""
    if limit >= UNLIMITED:
        return Text(f"{used:,}")
    part = used / limit if limit else 1.0
    style = "red" if part >= 1 else "yellow" if part >= 0.9 else "green"
    return Text.assemble(f"{used:,} of {limit:,}  ", (bar(part, width).rstrip(), style))


def facts(stats: StatsReply, auth: AuthReply | None, version: VersionReply | None) -> list[tuple[str, Text]]:
    """What is known about the user and the server, name and value."""
    usage, bases = stats.usage, stats.knowledge_bases
    chunks = f"{bases.active:,} with {bases.chunks:,} chunks, {bases.archived:,} archived"
    lines = [
        ("memories", used_of(usage.memories_used, usage.memory_limit)),
        ("archived", Text(f"{stats.archived:,}")),
        ("messages", used_of(stats.ttl_status.messages_stored, usage.messages_limit)),
        ("kept for", Text(f"{stats.ttl_status.free_tier_expires_in_days} days")),
        ("knowledge bases", Text(chunks)),
        ("embedded today", used_of(usage.embeddings_used_today, usage.embeddings_limit)),
        ("mean strength", Text(f"{stats.avg_strength:.2f}")),
        ("in the graph", Text(f"{stats.enrichment_percent:g} %")),
        ("last 24 hours", Text(f"{stats.recent_captures:,} captured")),
        ("plan", Text(f"{usage.tier} ({usage.policy})")),
    ]
    if stats.embedding_note:
        lines.append(("embedding", Text(stats.embedding_note, style="yellow")))
    if auth is not None:
        lines.append(("this key may", Text(", ".join(auth.scopes))))
    if version is not None:
        model = f"{version.embedding_model}, {version.embedding_dimensions} dimensions"
        lines.append(("server", Text(f"memd {version.version}, {model}")))
    return lines


def distribution(counts: Mapping[Store, int] | Mapping[Category, int], width: int = 20) -> list[tuple[str, Text]]:
    """Name and a bar with the number, in the order given; the bars are measured against the largest."""
    most = max(counts.values(), default=0) or 1
    return [
        (str(name), Text.assemble((bar(value / most, width), "cyan" if value else ""), f" {value:>9,}"))
        for name, value in counts.items()
    ]


@dataclass(frozen=True, slots=True)
class Growth:
    """Captures in equal steps of time, oldest first, and the words for it."""

    counts: Sequence[int]
    caption: str


def growth(created: Iterable[int], now: int, *, all_seen: bool) -> Growth:
    """The newest captures over time; `created` are epoch ms. `all_seen`: there are no older ones."""
    times = sorted(created)
    if not times:
        return Growth((0,) * BUCKETS, "no memories yet")
    start = min(times[0], now - 1)
    step = max((now - start) / BUCKETS, 1)
    counts = [0] * BUCKETS
    for time in times:
        counts[min(max(int((time - start) / step), 0), BUCKETS - 1)] += 1
    which = f"all {len(times):,} captures" if all_seen else f"the latest {len(times):,} captures"
    return Growth(counts, f"{which} since {moment(start)}")
