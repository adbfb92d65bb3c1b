"""Checkpoints: create, list, show, restore, delete."""

from typing import Any

import click

from memctl import output
from memctl.checkpoint_restore import Restoration, restore_checkpoint
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL, CHECKPOINT_ID, SESSION
from memctl.diagnostics import ExitCode, note
from memctl.groups import Group
from memctl.options import AtMost, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.wire.limits import NO_LIMIT
from memctl.wire.sessions import CheckpointRequest, CheckpointRow


@click.group(cls=Group, epilog=examples('memctl checkpoint create "before the migration"', "memctl checkpoint list"))
def checkpoint() -> None:
    """Manage checkpoints: what an agent remembers at a point in time."""


@checkpoint.command(
    epilog=examples(
        'memctl checkpoint create "before the migration" --channel slack:ops --tag release',
        'memctl checkpoint create "two rules" --memory mem_01jc3v7q2m8x5t9zc4r6w0y1ab --memory mem_…',
    )
)
@click.argument("label")
@click.option("--description", help="What it is about.")
@click.option("--memory", "memory_ids", multiple=True, help="Memory to keep; the 12 last used ones when absent.")
@click.option("--tag", "tags", multiple=True, help="Repeatable.")
@click.option("--channel", "-c", type=CHANNEL, help="Channel whose memories are kept.")
@click.option("--session", "session_key", type=SESSION, help="Session it belongs to.")
@click.option("--summary", "semantic_summary", help="The state of affairs in a few sentences.")
@remote
@forms()
def create(label: str, form: Form, **fields: Any) -> None:
    """Create a checkpoint called LABEL and print its id."""
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        reply = await client.sessions.create_checkpoint(CheckpointRequest(label=label, **given))
        if form is Form.JSON:
            output.document(reply)
            return
        output.say(reply.id)
        used = f"; {reply.retained_count} of {reply.allowance} checkpoints used" if reply.allowance < NO_LIMIT else ""
        note(f"kept {count(reply.memory_count, 'memory', 'memories')}{used}")

    run(action)


@checkpoint.command("list", epilog=examples("memctl checkpoint list", "memctl checkpoint list --limit 100 --jsonl"))
@click.option("--limit", "-n", type=AtMost(100), default=20, show_default=True, help="Rows, at most 100.")
@remote
@forms(jsonl=True)
def list_(limit: int, form: Form) -> None:
    """List the checkpoints, newest first."""

    async def action(client: MemdClient) -> None:
        reply = await client.sessions.list_checkpoints(limit)
        if form is Form.TEXT and not reply.checkpoints:
            note("no checkpoints; create one with `memctl checkpoint create LABEL`")
        else:
            headings = ["created", "label", "memories", "channel", "id"]
            output.listing(form, reply, reply.checkpoints, headings, _cells, right={2})

    run(action)


def _cells(row: CheckpointRow) -> list[str]:
    return [moment(row.created_at), output.excerpt(row.label, 60), f"{row.memory_count:,}", row.channel or "", row.id]


@checkpoint.command(epilog=examples("memctl checkpoint show ckpt_01jc3v7q2m8x5t9zc4r6w0y1ab"))
@click.argument("checkpoint_id", metavar="ID", type=CHECKPOINT_ID)
@remote
@forms()
def show(checkpoint_id: str, form: Form) -> None:
    """Show the checkpoint ID with its memories as they were."""

    async def action(client: MemdClient) -> None:
        found = await client.sessions.find_checkpoint(checkpoint_id)
        if form is Form.JSON:
            output.document(found)
            return
        output.record(
            [
                ("label", one_line(found.label, 80)),
                ("created", moment(found.created_at)),
                ("channel", one_line(found.channel or "", 80)),
                ("summary", one_line(found.semantic_summary or "", 400)),
            ]
        )
        output.say()
        for memory in found.memories:
            output.say(f"{memory.memory_id}  {one_line(memory.title, 80)}")
            output.say(f"    {one_line(memory.content, 400)}")

    run(action)


@checkpoint.command(
    epilog=examples(
        "memctl checkpoint restore ckpt_01jc3v7q2m8x5t9zc4r6w0y1ab --dry-run", "memctl checkpoint restore ckpt_…"
    )
)
@click.argument("checkpoint_id", metavar="ID", type=CHECKPOINT_ID)
@click.option("--dry-run", is_flag=True, help="Only say what would be restored.")
@remote
@forms()
def restore(checkpoint_id: str, form: Form, *, dry_run: bool) -> None:
    """Restore the memories of the checkpoint ID to the state that they had when it was created.

    Memories that were archived since become active again; changed ones get their earlier version back as a new version,
    which `memctl undo` reverts. What was deleted permanently is gone.
    """

    async def action(client: MemdClient) -> ExitCode:
        found = await client.sessions.find_checkpoint(checkpoint_id)
        done = await restore_checkpoint(client, found, dry_run=dry_run)
        if form is Form.JSON:
            output.document(done.to_document(checkpoint_id, dry_run=dry_run))
        else:
            _report(done, dry_run=dry_run)
        return ExitCode.DONE_IN_PART if done.gone or done.refused else ExitCode.OK

    run(action)


def _report(done: Restoration, *, dry_run: bool) -> None:
    verb = "would restore" if dry_run else "restored"
    for memory in done.restored:
        output.say(f"{verb} {memory.memory_id}  {one_line(memory.title, 80)}")
    for memory, error in done.refused:
        output.say(f"refused {memory.memory_id}  {one_line(memory.title, 80)}: {error}")
    for memory in done.gone:
        output.say(f"gone {memory.memory_id}  {one_line(memory.title, 80)}")
    figures = f"{done.unchanged} unchanged, {len(done.refused)} refused, {len(done.gone)} gone"
    note(f"{verb} {count(len(done.restored), 'memory', 'memories')}; {figures}")


@checkpoint.command(epilog=examples("memctl checkpoint delete ckpt_01jc3v7q2m8x5t9zc4r6w0y1ab"))
@click.argument("checkpoint_id", metavar="ID", type=CHECKPOINT_ID)
@remote
@forms()
def delete(checkpoint_id: str, form: Form) -> None:
    """Remove a checkpoint; the memories themselves stay."""

    async def action(client: MemdClient) -> ExitCode:
        reply = await client.sessions.delete_checkpoint(checkpoint_id)
        if form is Form.JSON:
            output.document(reply)
        else:
            output.say(f"deleted {checkpoint_id}")
        return ExitCode.OK

    run(action)
