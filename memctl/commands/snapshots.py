"""Snapshots of sessions: storing one, listing and showing them."""

import json
import sys
from pathlib import Path
from typing import Any, cast

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL, SESSION, SNAPSHOT_ID
from memctl.diagnostics import note
from memctl.groups import Group
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.wire.snapshots import ListSnapshotsRequest, SnapshotRequest, SnapshotRow

PAGE = 200


class _SaveByDefault(Group):
    """A group whose arguments are those of `save` when they name no other command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `save` before a file or an option of `save`."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["save", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_SaveByDefault,
    epilog=examples("memctl snapshot save session.json --session s-42", "memctl snapshot list --session s-42"),
)
def snapshot() -> None:
    """Store, list and show the messages of sessions.

    memd keeps one snapshot of each session by itself when the session goes quiet, and replaces it when it continues.
    """


@snapshot.command(
    epilog=examples(
        "memctl snapshot save session.json --session s-42",
        'memctl snapshot save - --session s-42 --channel slack:ops --reason "before compaction" < messages.jsonl',
    )
)
@click.argument("file", type=click.Path(exists=True, allow_dash=True, dir_okay=False, path_type=Path))
@click.option("--session", "session_key", type=SESSION, required=True, help="Session that the messages belong to.")
@click.option("--channel", "-c", type=CHANNEL, help="Channel that they were said in.")
@click.option("--reason", help="Reason; `manual` when absent.")
@remote
@forms()
def save(file: Path, form: Form, **fields: Any) -> None:
    """Store the messages of a session verbatim: FILE holds a JSON list, an object with `messages`, or JSON lines.

    A message has `role`, `content` and maybe `timestamp`. `-` reads standard input. `save` may be left out.
    """
    given = chosen(fields)
    messages = _messages(sys.stdin.read() if str(file) == "-" else file.read_text("utf-8-sig"))

    async def action(client: MemdClient) -> None:
        request = SnapshotRequest.from_body(
            {
                "messages": messages,
                "sessionKey": given["session_key"],
                "channel": given.get("channel"),
                "reason": given.get("reason"),
            }
        )
        reply = await client.sessions.snapshot(request)
        if form is Form.JSON:
            output.document(reply)
            return
        output.say(reply.id)
        note(f"kept {count(reply.message_count, 'message')}, about {count(reply.total_tokens, 'token')}")

    run(action)


def _messages(text: str) -> list[Any]:
    """The messages of a JSON document or of JSON lines; a usage error when it is neither."""
    try:
        read: Any = json.loads(text)
    except ValueError:
        try:
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        except ValueError as error:
            raise click.UsageError(f"neither JSON nor JSON lines: {error}") from error
    if isinstance(read, dict):
        document = cast("dict[str, Any]", read)
        read = document.get("messages", [document])
    if not isinstance(read, list):
        raise click.UsageError("the file does not contain a list of messages")
    return cast("list[Any]", read)


@snapshot.command("list", epilog=examples("memctl snapshot list", "memctl snapshot list --session s-42 --jsonl"))
@click.option("--session", "session_key", type=SESSION, help="Only those of this session.")
@click.option("--channel", "-c", type=CHANNEL, help="Only those of this channel.")
@click.option("--limit", "-n", type=click.IntRange(1), default=50, show_default=True, help="Maximum number of rows.")
@remote
@forms(jsonl=True)
def list_(limit: int, form: Form, **fields: Any) -> None:
    """List the snapshots without their messages, the last made first."""
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        request = ListSnapshotsRequest(limit=min(limit, PAGE), **given)
        reply = await client.sessions.snapshots(request)
        while not reply.is_done and len(reply.snapshots) < limit:
            further = request.model_copy(update={"cursor": reply.continue_cursor})
            page = await client.sessions.snapshots(ListSnapshotsRequest(**further.model_dump(exclude_none=True)))
            reply = page.model_copy(update={"snapshots": [*reply.snapshots, *page.snapshots]})
        reply = reply.model_copy(update={"snapshots": reply.snapshots[:limit]})
        if form is Form.TEXT and not reply.snapshots:
            note("no snapshots")
        else:
            headings = ["kept", "session", "channel", "messages", "reason", "id"]
            output.listing(form, reply, reply.snapshots, headings, _cells, right={3})

    run(action)


def _cells(row: SnapshotRow) -> list[str]:
    texts = [output.excerpt(text, 40) for text in (row.session_key, row.channel or "")]
    return [moment(row.created_at), *texts, f"{row.message_count:,}", output.excerpt(row.reason, 30), row.id]


@snapshot.command(epilog=examples("memctl snapshot show snap_01jc3v7q2m8x5t9zc4r6w0y1ab --json"))
@click.argument("snapshot_id", metavar="ID", type=SNAPSHOT_ID)
@remote
@forms()
def show(snapshot_id: str, form: Form) -> None:
    """Show the snapshot ID with all its messages."""

    async def action(client: MemdClient) -> None:
        found = await client.sessions.find_snapshot(snapshot_id)
        if form is Form.JSON:
            output.document(found)
            return
        output.record(
            [
                ("session", one_line(found.session_key, 80)),
                ("channel", one_line(found.channel or "", 80)),
                ("kept", moment(found.created_at)),
                ("reason", one_line(found.reason, 80)),
            ]
        )
        output.say()
        for message in found.messages:
            when = f"{moment(message.timestamp)} " if message.timestamp is not None else ""
            output.say(f"{when}{message.role}: {message.content}")

    run(action)
