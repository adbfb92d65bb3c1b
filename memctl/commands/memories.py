"""Single memories: capture, show, forget."""

import json
from contextlib import suppress
from typing import Any

import click

from memctl import diagnostics, output
from memctl.client import MemdClient
from memctl.client.errors import DuplicateMemory, Forbidden
from memctl.commands.metadata import json_or_text
from memctl.commands.parameter_types import CATEGORY, CHANNEL, MEMORY_ID, ONE_CATEGORY, TAG
from memctl.commands.periods import PERIOD_FIELDS, tell_period
from memctl.diagnostics import ExitCode, confirm, note
from memctl.options import INSTANT, WHEN, Form, chosen, content_of, examples, forms, remote
from memctl.run import each_of, run
from memctl.text import count, moment, one_line, period_end, period_start
from memctl.wire.enums import Store
from memctl.wire.memories import CaptureRequest, ForgetRequest, MemoryDetail

_TITLE_LENGTH = 60


@click.command(
    epilog=examples(
        'memctl capture "Deploys are frozen on Fridays" --store semantic --category rule',
        'memctl capture "Minutes of the review" - --tag review < minutes.txt',
        'memctl capture "Invoice run" "Started by hand on the 3rd" --channel slack:billing --json',
        'memctl capture "Favourite colour" "Green" --namespace preferences --key colour',
    )
)
@click.argument("title")
@click.argument("content", required=False)
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Kind of memory; episodic when absent.")
@click.option("--category", type=CATEGORY, metavar="CATEGORY", help=f"{ONE_CATEGORY}; conversation when absent.")
@click.option("--tag", "tags", multiple=True, type=TAG, help="Repeatable.")
@click.option("--channel", "-c", type=CHANNEL, help="Channel the memory belongs to.")
@click.option("--agent", "agent_id", help="Agent that writes it.")
@click.option("--project", "project_id", help="Project it belongs to.")
@click.option(
    "--trigger", "action_triggers", multiple=True, help="Tool before whose use it should be shown; repeatable."
)
@click.option("--metadata", callback=json_or_text, help="A JSON object, or any text.")
@click.option("--strength", type=float, help="0 to 1.")
@click.option("--confidence", type=float, help="0 to 1.")
@click.option("--namespace", help="Namespace of the key.")
@click.option("--key", help="Name of the memory; capturing the same namespace and key again replaces it.")
@click.option(
    "--created-at", type=INSTANT, help="When it was learned: a date (UTC), a time, `yesterday`, `2h`; now when absent."
)
@click.option(
    "--valid-from",
    type=WHEN,
    help="When it begins to be true: a date (UTC), a time, `tomorrow`; read from the text when absent.",
)
@click.option(
    "--valid-until",
    type=WHEN,
    help="When it ends: a date (UTC), a time, `next week`, `+7d`; read from the text when absent.",
)
@click.option("--embedding", "with_embedding", is_flag=True, help="Include the vector in the document of --json.")
@remote
@forms()
def capture(title: str, content: str | None, *, with_embedding: bool, form: Form, **fields: Any) -> None:
    """Store a memory under TITLE; CONTENT defaults to the title, and `-` reads standard input.

    Prints the id of the new memory, or of the existing one with the same text, which is not changed.
    """
    text = title if content is None else content_of(content)
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        request = CaptureRequest(title=title, content=text, **given)
        try:
            reply = await client.memories.capture(request)
        except DuplicateMemory as known:
            _say_known(known, form)
            return
        if form is Form.JSON:
            left_out = set[str]() if with_embedding else {"embedding"}
            output.document({name: value for name, value in reply.to_wire().items() if name not in left_out})
            return
        output.say(reply.id)
        if reply.degraded:
            note("stored without a vector: no embedder is configured")
        tell_period(reply.valid_from, reply.valid_until, is_read=given.keys().isdisjoint(PERIOD_FIELDS))

    run(action)


def _say_known(known: DuplicateMemory, form: Form) -> None:
    """The id of the memory that is stored already, which is no error."""
    memory_id = known.existing_memory_id
    if memory_id is None:
        raise known
    if form is Form.JSON:
        output.document({"ok": True, "id": memory_id, "duplicate": True, "existingMemoryId": memory_id})
        return
    output.say(memory_id)
    note("a memory with this text is stored already, and stays as it is; `memctl edit` changes it")


@click.command(
    epilog=examples("memctl show mem_01jc3v7q2m8x5t9zc4r6w0y1ab", "memctl show mem_… --json | jq .memory.tags")
)
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@click.option("--channel", "-c", type=CHANNEL, help="Refuse when the memory is not visible from this channel.")
@remote
@forms()
def show(memory_id: str, channel: str | None, form: Form) -> None:
    """Show a memory or a chunk of a knowledge base in full, archived ones too."""

    async def action(client: MemdClient) -> None:
        memory = await client.memories.show(memory_id, channel)
        if form is Form.JSON:
            output.document({"memory": memory.to_wire()})
            return
        output.record(_pairs(memory))
        output.say()
        output.say(memory.content)

    run(action)


def _pairs(memory: MemoryDetail) -> list[tuple[str, object]]:
    """The facts of a memory, for people."""
    return [
        ("title", memory.title),
        ("id", memory.id),
        ("kind", f"{memory.store} / {memory.category}"),
        ("tags", ", ".join(memory.tags)),
        ("channel", memory.channel),
        ("source", memory.source),
        ("created", moment(memory.created_at)),
        ("updated", moment(memory.updated_at)),
        ("last access", f"{moment(memory.last_accessed_at)} ({count(memory.access_count, 'access', 'accesses')})"),
        ("strength", f"{memory.strength:.2f}, confidence {memory.confidence:.2f}"),
        ("true from", period_start(memory.valid_from) if memory.valid_from is not None else None),
        ("true until", period_end(memory.valid_until) if memory.valid_until is not None else None),
        ("versions", memory.versions if memory.versions > 1 else None),
        ("archived", "yes" if memory.archived else None),
        ("supersedes", memory.supersedes_memory_id),
        ("superseded by", memory.superseded_by_memory_id),
        ("triggers", ", ".join(memory.action_triggers or [])),
        ("knowledge base", memory.knowledge_base_id),
        ("namespace", memory.namespace),
        ("key", memory.key),
        ("dedupe key", memory.dedupe_key),
        ("metadata", json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else None),
    ]


@click.command(
    epilog=examples(
        "memctl forget mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
        'memctl forget mem_… --permanent --yes --reason "asked for by the customer"',
    )
)
@click.argument("memory_ids", metavar="ID...", nargs=-1, required=True, type=MEMORY_ID)
@click.option("--permanent", is_flag=True, help="Delete permanently instead of archiving.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask before deleting permanently.")
@click.option("--channel", "-c", type=CHANNEL, help="Refuse what is not visible from this channel.")
@click.option("--reason", help="Reason, shown by `memctl history`.")
@click.option("-q", "--quiet", is_flag=True, help="Print ids only.")
@remote
@forms(jsonl=True)
def forget(
    memory_ids: tuple[str, ...], *, permanent: bool, yes: bool, quiet: bool, form: Form, **fields: str | None
) -> None:
    """Archive memories or chunks by ID; archived ones are not recalled until they are restored."""

    async def action(client: MemdClient) -> ExitCode:
        if permanent and not yes:
            confirm(f"Delete {await _named(client, memory_ids, fields['channel'])} permanently?")

        async def archive(memory_id: str) -> None:
            request = ForgetRequest(memory_id=memory_id, permanent=permanent, **fields)
            reply = await client.memories.forget(request)
            if form is Form.TEXT:
                output.say(reply.memory_id if quiet else f"{reply.action} {reply.memory_id} {reply.title}")
            else:
                (output.line if form is Form.JSONL else output.document)(reply)

        return await each_of(memory_ids, archive)

    run(action)


async def _named(client: MemdClient, memory_ids: tuple[str, ...], channel: str | None) -> str:
    """How a confirmation prompt names these memories: one by its title, several by their number.

    Without a person to ask, always by their number, which needs no request.
    """
    if len(memory_ids) == 1 and diagnostics.is_someone_there():
        with suppress(Forbidden):  # a key that may write does not always read
            memory = await client.memories.show(memory_ids[0], channel)
            return f"“{one_line(memory.title, _TITLE_LENGTH)}” ({memory.id})"
    return count(len(memory_ids), "memory", "memories")
