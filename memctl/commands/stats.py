"""`memctl stats`: counts of stored rows, and the use of the limits."""

from collections.abc import Sequence

import click

from memctl import output
from memctl.client import MemdClient
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import bar
from memctl.wire.limits import NO_LIMIT
from memctl.wire.stats import StatsReply, StrongMemory


@click.command(epilog=examples("memctl stats", "memctl stats --json | jq .usage"))
@remote
@forms()
def stats(form: Form) -> None:
    """Show what is stored and how much of the limits is used."""

    async def action(client: MemdClient) -> None:
        reply = await client.stats()
        if form is Form.JSON:
            output.document(reply)
        else:
            _show(reply)

    run(action)


def _of(used: int, limit: int) -> str:
    return f"{used:,}" if limit >= NO_LIMIT else f"{used:,} of {limit:,}"


def _show(reply: StatsReply) -> None:
    """The figures for a person."""
    usage = reply.usage
    bases = reply.knowledge_bases
    output.record(
        [
            ("plan", f"{usage.tier} ({usage.policy})"),
            ("memories", f"{_of(usage.memories_used, usage.memory_limit)}, {reply.archived:,} archived"),
            ("messages", f"{_of(reply.ttl_status.messages_stored, usage.messages_limit)}, kept {_days(reply)}"),
            ("embeddings today", _of(usage.embeddings_used_today, usage.embeddings_limit)),
            ("knowledge bases", f"{bases.active:,} with {bases.chunks:,} chunks, {bases.archived:,} archived"),
            ("last 24 hours", f"{reply.recent_captures:,} captured"),
            ("mean strength", f"{reply.avg_strength:.2f}"),
            ("in the graph", f"{reply.enrichment_percent:g} %"),
        ]
    )
    if reply.embedding_note:
        output.say()
        output.say(reply.embedding_note)
    for heading, counts in (("store", reply.memory_count.by_store), ("category", reply.memory_count.by_category)):
        output.say()
        maximum = max(counts.values(), default=0) or 1
        for name, number in counts.items():
            output.say(f"{heading}  {name:<12} {number:>7,}  {bar(number / maximum, 24).rstrip()}")
    if reply.strongest:
        output.say()
        _show_strongest(reply.strongest)


def _show_strongest(rows: Sequence[StrongMemory]) -> None:
    """A table at a terminal; elsewhere lines that are aligned like those of the figures above."""
    if output.is_terminal():
        cells = ([f"{row.strength:.2f}", output.excerpt(row.title, 80), _kind(row), row.id] for row in rows)
        output.table(["strength", "strongest", "kind", "id"], cells, right={0})
        return
    width = max(len(_kind(row)) for row in rows)
    for row in rows:
        output.say(f"strongest  {row.strength:.2f}  {_kind(row):<{width}}  {row.id}  {' '.join(row.title.split())}")


def _kind(row: StrongMemory) -> str:
    return f"{row.store}/{row.category}"


def _days(reply: StatsReply) -> str:
    return f"{reply.ttl_status.free_tier_expires_in_days} days"
