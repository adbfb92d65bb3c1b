"""Memories that may be junk (duplicates, near duplicates, not worth keeping, never recalled), and removing them."""

import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.client.paging import pages_from
from memctl.diagnostics import ExitCode, confirm, explain, meter, note
from memctl.importers.retries import with_retries
from memctl.junk import Finding, Kind, audit
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import age, count
from memctl.wire.export import ExportRequest
from memctl.wire.junk import JunkRequest
from memctl.wire.limits import NO_LIMIT
from memctl.wire.memories import ForgetRequest

COPIES = (Kind.DUPLICATE, Kind.NEAR_DUPLICATE)


@click.command(
    "audit",
    epilog=examples(
        "memctl audit",
        "memctl audit --apply",
        "memctl audit --kind not-worth-keeping --apply",
        "memctl audit --kind never-recalled --days 365 --apply --yes",
        "memctl audit --json | jq '.findings[] | select(.kind == \"stale\")'",
    ),
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice([*map(str, Kind)]), help="Only these kinds.")
@click.option(
    "--days",
    type=click.IntRange(1),
    default=90,
    show_default=True,
    help="Report memories unused for more than this many days.",
)
@click.option("--apply", is_flag=True, help="Archive what is found.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask before archiving.")
@remote
@forms()
def audit_(kinds: tuple[str, ...], *, days: int, apply: bool, yes: bool, form: Form) -> None:
    """List memories that may be junk, and what memd's own jobs do with each.

    A copy of another memory is a duplicate; one with nearly the same words and numbers is a near-duplicate, both within
    one channel and project. Of these, memories that were written by hand or imported are kept rather than those that
    memd made itself, then the strongest. Not-worth-keeping memories were extracted from a conversation in which
    extraction would now find something else, or nothing, and nobody has edited them. Stale ones have been recalled, but
    not for --days; never-recalled ones have existed that long without being recalled, imported ones since their import.

    --apply archives duplicates and near-duplicates, and the other kinds only if --kind names them.
    """

    async def action(client: MemdClient) -> ExitCode:
        metered = (await client.stats()).usage.memory_limit < NO_LIMIT
        request = ExportRequest(page_size=200, include_knowledge_bases=False)
        memories = [memory async for memory in client.memories.export(request)]
        now = int(time.time() * 1000)
        asked = not kinds or Kind.NOT_WORTH_KEEPING in kinds
        unworthy = await _unworthy(client) if asked else {}
        findings = audit(memories, now, days, metered=metered, unworthy=unworthy)
        found = [one for one in findings if not kinds or one.kind in kinds]
        if form is Form.TEXT:
            _show(found, len(memories), now)
        leaving = [one for one in found if one.kind in (kinds or COPIES)] if apply else []
        if leaving and not yes:
            confirm(f"Archive {count(len(leaving), 'memory', 'memories')}?")
        archived = await _archive(client, leaving)
        if form is Form.JSON:
            rows = [_wire(one, archived=one.memory.id in archived) for one in found]
            output.document({"memories": len(memories), "findings": rows})
        return ExitCode.OK if len(archived) == len(leaving) else ExitCode.DONE_IN_PART

    run(action)


async def _unworthy(client: MemdClient) -> dict[str, str]:
    """The ids of memories that extraction would not make any more, with the reason.

    Its pages are expensive, so a user with a rate limit has to wait between them.
    """
    found: dict[str, str] = {}
    async for page in pages_from(lambda asked: with_retries(partial(client.junk.list, asked)), JunkRequest(limit=50)):
        found |= {one.id: one.reason for one in page.junk}
    return found


async def _archive(client: MemdClient, leaving: Sequence[Finding]) -> set[str]:
    """Archive the memories one by one; returns the ids of those that are gone."""
    archived: set[str] = set()
    if not leaving:
        return archived
    with meter("archiving", len(leaving)) as progress:
        for one in leaving:
            reason = f"memctl audit: {one.kind}" + (f" of {one.stays.id}" if one.stays else "")
            reason += f": {one.reason}" if one.reason else ""
            try:
                await client.memories.forget(ForgetRequest(memory_id=one.memory.id, reason=reason))
                archived.add(one.memory.id)
            except ClientError as error:
                note(f"memctl: {one.memory.id}: {explain(error)}")
            progress.advance(1, one.memory.title)
    note(f"archived {count(len(archived), 'memory', 'memories')}")
    return archived


def _show(found: Sequence[Finding], total: int, now: int) -> None:
    kinds = Counter(one.kind for one in found)
    counted = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Kind if kinds[kind])
    output.say(f"{count(total, 'memory', 'memories')}: {counted or 'no junk'}")
    if found:
        output.say()
        headings = ["kind", "title", "used", "strength", "stays", "why", "what jobs do", "id"]
        output.table(headings, (_cells(one, now) for one in found), right={3})


def _cells(one: Finding, now: int) -> list[str]:
    memory = one.memory
    used = age(memory.last_accessed_at, now) if memory.last_accessed_at > memory.created_at else "never"
    stays = one.stays.id if one.stays else ""
    return [
        one.kind,
        output.excerpt(memory.title, 40),
        used,
        f"{memory.strength:.2f}",
        stays,
        one.reason or "",
        one.job,
        memory.id,
    ]


def _wire(one: Finding, *, archived: bool) -> dict[str, Any]:
    memory = one.memory
    return {
        "kind": one.kind,
        "id": memory.id,
        "title": memory.title,
        "channel": memory.channel,
        "strength": memory.strength,
        "createdAt": memory.created_at,
        "lastAccessedAt": memory.last_accessed_at,
        "stays": one.stays.id if one.stays else None,
        "reason": one.reason,
        "jobs": one.job,
        "archived": archived,
    }
