"""`memctl triggers`: the memories that are tied to tools."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment, one_line
from memctl.wire.triggers import TriggeredMemory, TriggersRequest

TOOLS = 25


@click.command(
    epilog=examples("memctl triggers deploy", "memctl triggers Bash Edit --channel claude-code:/w/app --json")
)
@click.argument("tools", metavar="TOOL...", nargs=-1, required=True)
@click.option("--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.")
@click.option("--agent", "agent_id", help="Ask as this agent.")
@remote
@forms(jsonl=True)
def triggers(tools: tuple[str, ...], form: Form, **fields: Any) -> None:
    """Show the memories with tool triggers, most recently accessed first; names are compared exactly."""
    if len(tools) > TOOLS:
        raise click.UsageError(f"at most {TOOLS} tools at once")
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        reply = await client.memories.triggers(TriggersRequest(tools=[*tools], **given))
        if form is Form.JSON:
            output.document(reply)
            return
        for memory in reply.memories:
            if form is Form.JSONL:
                output.line(memory)
                continue
            _show_triggered(memory)
        if not reply.memories:
            note("no memory has a trigger for these tools")

    run(action)


def _show_triggered(memory: TriggeredMemory) -> None:
    kind, tools = f"{memory.store}/{memory.category}", ", ".join(memory.action_triggers)
    if not output.is_terminal():
        output.row(memory.id, moment(memory.created_at), kind, tools, memory.title, memory.content)
        return
    output.say(one_line(memory.title, 100))
    output.say(f"    {tools} · {kind} · {memory.id}")
    if memory.recall_text != memory.title:
        output.say(f"    {one_line(memory.recall_text, 300)}")
