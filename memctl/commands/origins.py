"""Where memories come from, and which of them belong to a tool."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.completing import CHANNEL, MEMORY_ID
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.wire.trace import TracedMessage, TracedSource, TraceReply
from memctl.wire.triggers import TriggeredMemory, TriggersRequest

TOOLS = 25


@click.command(
    epilog=examples("memctl trace mem_01jc3v7q2m8x5t9zc4r6w0y1ab", "memctl trace mem_… --json | jq .sourceConversation")
)
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@click.option("--channel", "-c", type=CHANNEL, help="Refuse when the memory is not visible from this channel.")
@remote
@forms()
def trace(memory_id: str, channel: str | None, form: Form) -> None:
    """Show the conversation or the memories that a memory was made from, with what was said before and after."""

    async def action(client: MemdClient) -> None:
        reply = await client.memories.trace(memory_id, channel)
        if form is Form.JSON:
            output.document(reply)
        else:
            _show(reply)

    run(action)


def _show(reply: TraceReply) -> None:
    memory = reply.memory
    output.say(f"{memory.title}")
    output.say(f"{memory.store}/{memory.category} · {memory.source} · {moment(memory.created_at)} · {memory.id}")
    parts = (("Before", reply.context_before), ("Source", reply.source_conversation), ("After", reply.context_after))
    for heading, messages in parts:
        _show_messages(heading, messages)
    if reply.snapshot:
        snapshot = reply.snapshot
        left_out = f", {snapshot.omitted_count} not shown" if snapshot.omitted_count else ""
        about = f"{snapshot.reason}, {count(snapshot.message_count, 'message')}{left_out}"
        _show_messages(f"Snapshot {snapshot.id} ({about})", snapshot.messages)
    if reply.reason:
        output.say()
        output.say(reply.reason)
    _show_sources(reply.source_memories)


def _show_sources(sources: list[TracedSource]) -> None:
    if not sources:
        return
    output.say()
    output.say("Made from")
    for memory in sources:
        archived = " · archived" if memory.archived else ""
        output.say(f"    {one_line(memory.title, 100)}")
        output.say(f"        {one_line(memory.content, 300)}")
        output.say(f"        {memory.store}/{memory.category} · {moment(memory.created_at)} · {memory.id}{archived}")


def _show_messages(heading: str, messages: list[TracedMessage]) -> None:
    if not messages:
        return
    output.say()
    output.say(heading)
    for message in messages:
        said_at = f"{moment(message.timestamp)}  " if message.timestamp is not None else ""
        output.say(f"    {said_at}{message.role}: {one_line(message.text, 300)}")


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
