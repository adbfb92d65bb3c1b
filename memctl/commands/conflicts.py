"""Memories that contradict each other: list them, decide about one."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL, CONFLICT_ID
from memctl.diagnostics import note
from memctl.groups import Group
from memctl.options import Form, OneOf, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import attribute_words, one_line
from memctl.wire.conflicts import ConflictDecision, ConflictsRequest, ConflictState, DecideRequest, MemoryConflict

_OUTCOMES = {
    "supersede": "the newer memory has replaced the older one",
    "keep_both": "both memories are kept",
    "reject": "rejected, the memories do not contradict each other",
}


@click.group(cls=Group, epilog=examples("memctl conflicts list", "memctl conflicts resolve conf_… supersede"))
def conflicts() -> None:
    """List memories that contradict each other, and decide about them."""


@conflicts.command("list", epilog=examples("memctl conflicts list", "memctl conflicts list --state superseded --jsonl"))
@click.option("--state", type=click.Choice(ConflictState, case_sensitive=False), help="Open ones when absent.")
@click.option("--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.")
@click.option("--limit", "-n", type=click.IntRange(1, 200), help="Rows; 50 when absent.")
@remote
@forms(jsonl=True)
def list_(form: Form, **fields: Any) -> None:
    """List memories that give one attribute different values, newest first."""
    request = ConflictsRequest(**chosen(fields))

    async def action(client: MemdClient) -> None:
        reply = await client.conflicts.list(request)
        if form is Form.JSON:
            output.document(reply)
            return
        for row in reply.conflicts:
            if form is Form.JSONL:
                output.line(row)
                continue
            _show(row)
        if not reply.conflicts:
            is_open = request.state is ConflictState.OPEN
            note("no memories contradict each other" if is_open else f"no conflicts have the state {request.state}")

    run(action)


def _show(row: MemoryConflict) -> None:
    if not output.is_terminal():
        sides = (row.old_id, row.old_value, row.old_title, row.new_id, row.new_value, row.new_title)
        output.row(f"{row.certainty:.2f}", row.id, row.state, row.subject, row.attribute, *sides)
        return
    values = f"{row.old_value} -> {row.new_value}"
    output.say(
        f"{row.subject}: {attribute_words(row.attribute)}  {values}  ({row.certainty:.2f}, {row.state})", column=4
    )
    output.say(f"    {row.id}")
    output.say(f"    older {row.old_id} {one_line(row.old_title, 80)}")
    output.say(f"    newer {row.new_id} {one_line(row.new_title, 80)}")


@conflicts.command(epilog=examples("memctl conflicts resolve conf_01jc3v7q2m8x5t9zc4r6w0y1ab supersede"))
@click.argument("conflict_id", metavar="ID", type=CONFLICT_ID)
@click.argument("decision", cls=OneOf, type=click.Choice(ConflictDecision, case_sensitive=False))
@remote
@forms()
def resolve(conflict_id: str, decision: ConflictDecision, form: Form) -> None:
    """Let the newer memory supersede the older one, keep both, or reject the conflict."""

    async def action(client: MemdClient) -> None:
        reply = await client.conflicts.decide(conflict_id, DecideRequest(decision=decision))
        if form is Form.JSON:
            output.document(reply)
        else:
            output.say(f"{reply.id}: {_OUTCOMES[reply.decision]}")

    run(action)
