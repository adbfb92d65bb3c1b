"""`memctl undo`: take back what was written, as a summary and its newest writes."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.diagnostics import ExitCode, confirm, note
from memctl.options import WHEN, Form, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.when import epoch_ms
from memctl.wire.enums import HistoryAction
from memctl.wire.history import UndoneWrite, UndoReply, UndoRequest

SHOWN = 10
"""Writes that are listed of many, and refusals."""
REACH_MS = 86_400_000 + 60_000
"""How far back undo goes, and a minute for `--since 24h`."""
Row = TypeVar("Row", bound=UndoneWrite)


@click.command(epilog=examples("memctl undo --dry-run", "memctl undo -y", "memctl undo --since 15m"))
@click.option(
    "--since",
    type=WHEN,
    help="Everything since then, at most 24 hours: a time, `15m`, `2h`; the last write when absent.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be undone.")
@click.option("-n", "named_n", is_flag=True, hidden=True)  # what --dry-run was also called; elsewhere -n is --limit
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--verbose", "-v", is_flag=True, help="List every write instead of the first ones.")
@remote
@forms()
def undo(since: str | None, *, dry_run: bool, named_n: bool, yes: bool, verbose: bool, form: Form) -> None:
    """Undo the last write of this key, or all of its writes since a given time.

    What one memctl command wrote, such as an import or an edit of many memories, is undone as one write. What it
    created is archived; what it changed goes back to its earlier version; `memctl restore` brings both back. Messages
    stay: `memctl messages delete` and `memctl sessions delete` erase them. A knowledge base that an import created
    stays, too: `memctl kb delete` deletes it.
    """
    if since is not None and _is_out_of_reach(since):
        note("undo goes back 24 hours at most; older writes stay")

    dry_run = dry_run or named_n

    async def action(client: MemdClient) -> ExitCode:
        last: str | None = None
        if not yes or dry_run:
            planned = await _undo_all(client, UndoRequest(since_ms=since, dry_run=True))
            if dry_run:
                return _report(planned, form, verbose=verbose)
            if not planned.undone:
                return _report(planned, form, verbose=verbose)
            _list(planned, verbose=verbose, aside=True)
            confirm(f"Undo {'' if planned.is_done else 'at least '}{count(len(planned.undone), 'write')}?")
            last = planned.last_request_id  # what was written while the question was asked stays
        filled = await _filled_bases(client) if form is Form.TEXT else None
        done = await _undo_all(client, UndoRequest(since_ms=since, last_request_id=last))
        code = _report(done, form, verbose=verbose)
        if filled and any(row.action is HistoryAction.IMPORT for row in done.undone):
            await _note_emptied(client, filled)
        return code

    run(action)


def _is_out_of_reach(since: str) -> bool:
    """Whether a time is further back than undo goes; False for what memd will refuse."""
    try:
        return epoch_ms(since, at_end=False) < time.time() * 1000 - REACH_MS
    except ValueError:
        return False


async def _undo_all(client: MemdClient, request: UndoRequest) -> UndoReply:
    """Every page of an undo; one call takes a bounded number of requests."""
    reply = await client.history.undo(request)
    while not reply.is_done and reply.next_request_id:
        further = await client.history.undo(request.model_copy(update={"last_request_id": reply.next_request_id}))
        undone, skipped = [*reply.undone, *further.undone], [*reply.skipped, *further.skipped]
        newest = {"undone": undone, "skipped": skipped, "last_request_id": reply.last_request_id}
        reply = further.model_copy(update=newest)
    return reply


def _report(reply: UndoReply, form: Form, *, verbose: bool) -> ExitCode:
    if form is Form.JSON:
        output.document(reply)
    else:
        _list(reply, verbose=verbose)
        if not reply.undone:
            note("nothing to undo")
    return ExitCode.DONE_IN_PART if reply.skipped else ExitCode.OK


async def _filled_bases(client: MemdClient) -> dict[str, str] | None:
    """The names of the knowledge bases that have chunks, by id; None where they cannot be read."""
    with suppress(ClientError):  # a key may be allowed to write only
        bases = (await client.knowledge_bases.list()).knowledge_bases
        return {base.id: base.name for base in bases if base.chunk_count}
    return None


async def _note_emptied(client: MemdClient, filled: Mapping[str, str]) -> None:
    """Say which knowledge bases the undo of imports has left empty, and how to delete them: undo leaves them there."""
    remaining_bases = await _filled_bases(client)
    for base_id in () if remaining_bases is None else filled.keys() - remaining_bases.keys():
        note(f"the knowledge base {filled[base_id]} is empty now; memctl kb delete --archive {base_id} deletes it")


def _list(reply: UndoReply, *, verbose: bool, aside: bool = False) -> None:
    """Of several writes their number by action first; then the writes, the newest first, and what stays as it is.

    With `aside`, everything goes to standard error, since standard output has what was undone.
    """
    say = note if aside else partial(output.say, column=4)
    verb = "would undo" if reply.dry_run else "undid"
    if len(reply.undone) > 1:
        actions = ", ".join(
            f"{number:,} {action}" for action, number in Counter(row.action for row in reply.undone).most_common()
        )
        minimum = "" if reply.is_done else "at least "
        say(f"{verb} {minimum}{count(len(reply.undone), 'write')}: {actions}")
    shown = None if verbose else SHOWN

    def write(row: UndoneWrite) -> None:
        say(f"{verb} {row.action} of {moment(row.at)}  {row.id}  {one_line(row.title, 80)}")

    _each(reply.undone, write, say, shown)
    _each(reply.skipped, lambda row: note(f"memctl: {row.id}: {row.error}"), note, shown)


def _each(rows: Sequence[Row], write: Callable[[Row], None], report: Callable[[str], None], shown: int | None) -> None:
    """Write the first rows, and report how many more there are."""
    for row in rows[:shown]:
        write(row)
    if shown is not None and len(rows) > shown:
        report(f"… and {len(rows) - shown:,} more; --verbose lists them all")
