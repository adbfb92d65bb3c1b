"""Reflection by request: decisions, lessons, a summary and open ends of the last hours."""

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import SESSION
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count
from memctl.wire.graph import ReflectReply, ReflectRequest

REASONS = {
    "not_enough_memories": "fewer than 3 memories of that time to reflect on",
    "nothing_new": "nothing is new since the last reflection",
}


@click.command(epilog=examples("memctl reflect", "memctl reflect --hours 24 --json | jq -r .memoryIds[]"))
@click.option("--hours", "window_hours", type=float, help="How far back to look, 0.5 to 72.  [default: 4]")
@click.option("--session", "session_id", type=SESSION, help="Only what this session produced.")
@remote
@forms()
def reflect(window_hours: float | None, session_id: str | None, form: Form) -> None:
    """Summarise the memories of the last hours in a few new ones."""

    async def action(client: MemdClient) -> None:
        reply = await client.graph.reflect(
            ReflectRequest(**chosen({"window_hours": window_hours, "session_id": session_id}))
        )
        if form is Form.JSON:
            output.document(reply)
        else:
            _show(reply)

    run(action)


def _show(reply: ReflectReply) -> None:
    """The ids on standard output, with their labels."""
    stats = reply.stats
    for memory_id in reply.memory_ids:
        output.say(memory_id)
    read = count(stats.memories_read, "memory", "memories")
    if stats.skipped:
        note(f"read {read}, nothing written: {REASONS.get(stats.skipped, stats.skipped)}")
        return
    written = (
        count(stats.decisions_written, "decision"),
        count(stats.lessons_written, "lesson"),
        count(stats.summary_written, "summary", "summaries"),
        count(stats.open_loops_written, "open end"),
    )
    note(f"read {read}, wrote {', '.join(written)} ({reply.method})")
    if reply.degraded:
        note("degraded: the model did not answer, so sentences were picked instead")
