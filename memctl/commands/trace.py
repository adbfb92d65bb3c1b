"""`memctl trace`: the conversation or the memories that a memory was made from."""

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL, MEMORY_ID
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.wire.trace import TracedMessage, TracedSource, TraceReply


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
