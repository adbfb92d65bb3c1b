"""Versions of memories: show them, compare them, restore one."""

import difflib
from collections.abc import Iterator
from typing import Any, cast

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import MemoryNotFound, NotFound
from memctl.commands.parameter_types import CHANNEL, MEMORY_ID
from memctl.diagnostics import CommandError, ExitCode
from memctl.options import Form, examples, forms, remote
from memctl.run import each_of, run
from memctl.text import moment, one_line, period_end, period_start
from memctl.wire.history import HistoryRequest, MemoryVersion, RestoreRequest

TEXTS = ("title", "content")
TIMES = {"validFrom": period_start, "validUntil": period_end}


@click.command(epilog=examples("memctl history mem_01jc3v7q2m8x5t9zc4r6w0y1ab", "memctl history mem_… --json"))
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@click.option("--channel", "-c", type=CHANNEL, help="Refuse when the memory is not visible from this channel.")
@click.option("--limit", "-n", type=int, default=100, show_default=True, help="Number of versions, newest first.")
@remote
@forms(jsonl=True)
def history(memory_id: str, channel: str | None, limit: int, form: Form) -> None:
    """Show who changed a memory, when, how and why, with what changed in each version."""

    async def action(client: MemdClient) -> None:
        reply = await client.history.versions(memory_id, HistoryRequest(channel=channel, limit=limit))
        if form is Form.JSON:
            output.document(reply)
            return
        before: MemoryVersion | None = None
        for version in reply.versions:
            if form is Form.JSONL:
                output.line(version)
            else:
                _show(version, before)
            before = version

    run(action)


def _show(version: MemoryVersion, before: MemoryVersion | None) -> None:
    who = version.changed_by_label or version.changed_by or "a background job"
    reason = f": {one_line(version.reason, 200)}" if version.reason else ""
    output.say(f"version {version.version}  {moment(version.changed_at)}  {version.action} by {who}{reason}")
    now, was = _values(version), _values(before) if before else {}
    for name, value in now.items():
        if before is None and name not in TEXTS:
            continue
        if value == was.get(name):
            continue
        if before is None or name == "content":
            output.say(f"    {name}: {_shown(value)}")
        else:
            output.say(f"    {name}: {_shown(was.get(name))} → {_shown(value)}")


def _shown(value: Any) -> str:
    """A value of a field in one line: a list by its elements, nothing as a dash."""
    text = ", ".join(map(str, cast("list[object]", value))) if isinstance(value, list) else str(value)
    return one_line(text, 200) if value not in (None, "", []) else "–"


def _values(version: MemoryVersion) -> dict[str, Any]:
    """The fields under their wire names, with dates in place of epoch milliseconds."""
    values = version.fields.to_wire()
    return values | {name: shown(values[name]) for name, shown in TIMES.items() if values.get(name) is not None}


@click.command(
    epilog=examples(
        "memctl diff mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
        "memctl diff mem_… --from 1 --to 3 | less -R",
        "memctl diff mem_… --json | jq -r '.changed[]'",
    )
)
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@click.option("--from", "earlier", type=int, help="Version; the previous one when absent.")
@click.option("--to", "later", type=int, help="Version; the stored one when absent.")
@remote
@forms()
def diff(memory_id: str, earlier: int | None, later: int | None, form: Form) -> None:
    """Compare two versions of a memory, as a unified diff of their fields and their text."""

    async def action(client: MemdClient) -> None:
        versions = (await client.history.versions(memory_id, HistoryRequest(limit=1000))).versions
        known = {version.version: version for version in versions}
        newest = versions[-1].version
        new = newest if later is None else later
        old = max(1, new - 1) if earlier is None else earlier
        for number in (old, new):
            if number not in known:
                raise CommandError(f"{memory_id} has no version {number}; the newest is {newest}", ExitCode.NOT_FOUND)
        if form is Form.JSON:
            output.document({"memoryId": memory_id, **_differences(known[old], known[new])})
            return
        for line in _diff(known[old], known[new]):
            output.say(line)

    run(action)


def _differences(old: MemoryVersion, new: MemoryVersion) -> dict[str, Any]:
    """Both versions as memd sent them, the names of the fields that differ, and the lines of the diff."""
    before, after = old.to_wire(), new.to_wire()
    changed = [name for name, value in after["fields"].items() if value != before["fields"].get(name)]
    return {"from": before, "to": after, "changed": changed, "diff": [*_diff(old, new)]}


def _diff(old: MemoryVersion, new: MemoryVersion) -> Iterator[str]:
    before, after = (f"version {version.version} ({moment(version.changed_at)})" for version in (old, new))
    return difflib.unified_diff(_lines(old), _lines(new), before, after, lineterm="")


def _lines(version: MemoryVersion) -> list[str]:
    """The fields, one a line, then the text."""
    values = _values(version)
    content = str(values.pop("content"))
    return [f"{name}: {value}" for name, value in values.items() if value not in (None, [])] + content.splitlines()


@click.command(
    epilog=examples(
        "memctl restore mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
        'memctl restore mem_… --version 2 --reason "the edit was wrong"',
        "memctl list --archived --since 1h -q | xargs -r memctl restore",
    )
)
@click.argument("memory_ids", metavar="ID...", nargs=-1, required=True, type=MEMORY_ID)
@click.option("--version", "number", type=int, help="Restore the fields of this version; of a single memory.")
@click.option("--reason", help="Reason, shown by `memctl history`.")
@remote
@forms(jsonl=True)
def restore(memory_ids: tuple[str, ...], number: int | None, reason: str | None, form: Form) -> None:
    """Restore memories from the archive, or an earlier version of one memory as a new version.

    A superseded memory gets back the end of validity that it had before.
    """
    if number is not None and len(memory_ids) > 1:
        raise click.UsageError("--version goes with a single ID")

    async def action(client: MemdClient) -> ExitCode:
        async def bring_back(memory_id: str) -> None:
            request = RestoreRequest(version=number, reason=reason)
            try:
                reply = await client.history.restore(memory_id, request)
            except NotFound as error:
                if number is None or isinstance(error, MemoryNotFound):
                    raise
                text = f"{memory_id} has no version {number}; see `memctl history {memory_id}`"
                raise CommandError(text, ExitCode.NOT_FOUND) from None
            if form is not Form.TEXT:
                (output.line if form is Form.JSONL else output.document)(reply)
            elif reply.changed:
                output.say(f"restored {reply.memory_id}, now version {reply.version}")
            else:
                output.say(f"unchanged {reply.memory_id}, version {reply.version}")

        return await each_of(memory_ids, bring_back)

    run(action)
