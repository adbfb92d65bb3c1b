"""The message history: search, show the newest, log, erase."""

from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.erasure import confirm, erase_request, report, scope_options, wait_option, yes_option
from memctl.commands.parameter_types import CHANNEL, SESSION
from memctl.commands.weak_rows import closest_messages, note_messages, show_weak
from memctl.diagnostics import ExitCode, note
from memctl.groups import Group
from memctl.options import INSTANT, WHEN, AtMost, Form, OneOf, chosen, content_of, examples, forms, remote
from memctl.run import each_of, run
from memctl.text import count, moment, one_line, printable
from memctl.wire.enums import MessageRole, Order
from memctl.wire.messages import (
    LogReply,
    LogRequest,
    MessageHit,
    MessageRow,
    RecentMessagesReply,
    RecentMessagesRequest,
    SearchMessagesRequest,
)


@click.command(
    epilog=examples(
        'memctl search "who is on call in May"',
        'memctl search "rollback" --channel slack:ops --since 2026-11-01 --limit 20',
        'memctl search "invoice" --all --jsonl > hits.jsonl',
        'memctl search "card number" -q | xargs -r memctl messages delete --yes',
    )
)
@click.argument("query")
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel; all of yours when absent.")
@click.option("--session", "session_key", type=SESSION, help="Exactly this session.")
@click.option("--since", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--until", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--limit", "-n", type=AtMost(100), default=10, show_default=True, help="Rows of a page, at most 100.")
@click.option("--all", "everything", is_flag=True, help="Every page instead of the first.")
@click.option("-q", "--quiet", is_flag=True, help="Print ids only.")
@show_weak
@remote
@forms(jsonl=True)
def search(
    query: str,
    *,
    channel: str | None,
    everything: bool,
    quiet: bool,
    show_weak: bool,
    form: Form,
    limit: int,
    **fields: Any,
) -> None:
    """Search the message history by meaning and by words, best matches first.

    Weak messages are barely related to QUERY, adjacent ones are only next to one that is related. Both are
    left out, from the ids of -q too, unless --weak is given; --json and --jsonl mark them. When there are no
    others, a terminal shows the closest two.
    """
    given = chosen(fields)
    given |= {"channel": channel} if channel else {"all_channels": True}

    async def action(client: MemdClient) -> None:
        request = SearchMessagesRequest(query=query, limit=100 if everything else limit, **given)
        if form is Form.JSON and not everything:
            output.document(await client.messages.search(request))
            return
        hits = client.messages.search_all(request) if everything else _first_page(client, request)
        if form is Form.TEXT:
            await _show_hits(hits, quiet=quiet, weak=show_weak)
        else:
            await _write_hits(hits, form)

    run(action)


async def _first_page(client: MemdClient, request: SearchMessagesRequest) -> AsyncIterator[MessageHit]:
    reply = await client.messages.search(request)
    if reply.degradation:
        note(f"degraded: {reply.degradation.message}")
    if (hint := reply.temporal_hint) is not None:
        days = f"{moment(hint.from_ms)} to {moment(hint.to_ms)}"
        note(f"“{hint.phrase}”: messages from {days} rank higher; --since and --until leave the others out")
    for hit in reply.messages:
        yield hit


async def _write_hits(hits: AsyncIterator[MessageHit], form: Form) -> None:
    """Write all hits as lines as they come, or as one document."""
    if form is Form.JSON:
        output.document({"messages": [hit.to_wire() async for hit in hits]})
        return
    found = False
    async for hit in hits:
        found = True
        output.line(hit)
    if not found:
        note("nothing found")


async def _show_hits(hits: AsyncIterator[MessageHit], *, quiet: bool, weak: bool) -> None:
    """Write hits as they come: the relevant ones, else the closest; with `weak` all of them."""
    relevant, left_out, all_weak = False, list[MessageHit](), 0
    async for hit in hits:
        all_weak += hit.mark is not None
        relevant = relevant or hit.mark is None
        if weak or hit.mark is None:
            _show_hit(hit, quiet=quiet)
        else:
            left_out.append(hit)
    closest: Sequence[MessageHit] = () if relevant or quiet else closest_messages(left_out)
    for hit in closest:
        _show_hit(hit, quiet=False)
    note_messages(relevant=relevant, weak=all_weak, shown=all_weak - len(left_out) + len(closest))


def _show_hit(hit: MessageHit, *, quiet: bool) -> None:
    if quiet:
        output.say(hit.id)
        return
    dim = hit.mark is not None
    if not output.is_terminal():
        output.row(f"{hit.score:.2f}", hit.id, *_cells(hit), hit.mark or "", hit.content)
        return
    labels = (hit.mark, hit.channel, hit.session_key, hit.id)
    output.say(f"{hit.score:.2f}  {moment(hit.timestamp)}  {hit.speaker or hit.role}", dim=dim)
    output.say(f"      {' · '.join(label for label in labels if label)}", dim=dim)
    output.say(f"      {one_line(hit.content, 300)}", dim=dim)


def _cells(row: MessageRow) -> tuple[str | None, ...]:
    """Who said it, when and where, for a pipe."""
    return moment(row.timestamp), row.speaker or row.role, row.channel, row.session_key


@click.command(
    epilog=examples(
        "memctl recent", "memctl recent --channel slack:ops --limit 50", "memctl recent --newest --jsonl | head -3"
    )
)
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel; all of yours when absent.")
@click.option("--session", "session_key", type=SESSION, help="Exactly this session.")
@click.option("--since", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--until", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--limit", "-n", type=AtMost(100), default=20, show_default=True, help="Messages, at most 100.")
@click.option("--newest", is_flag=True, help="Newest first instead of last.")
@remote
@forms(jsonl=True)
def recent(channel: str | None, newest: bool, form: Form, **fields: Any) -> None:
    """Show the newest messages."""
    given = chosen(fields)
    given |= {"channel": channel} if channel else {"all_channels": True}
    order = Order.NEWEST if newest else Order.CHRONOLOGICAL

    async def action(client: MemdClient) -> None:
        reply = await client.messages.recent(RecentMessagesRequest(order=order, **given))
        if form is Form.JSON:
            output.document(reply)
        elif form is Form.JSONL:
            for message in reply.messages:
                output.line(message)
        else:
            _show_recent(reply)

    run(action)


def _show_recent(reply: RecentMessagesReply) -> None:
    """The conversation, with a heading wherever the channel changes; in a pipe, a line for each message."""
    if not reply.messages:
        note("no messages")
    if not output.is_terminal():
        for message in reply.messages:
            output.row(message.id, *_cells(message), message.content)
        return
    for channel, messages in groupby(reply.messages, lambda message: message.channel):
        output.say(f"— {channel or 'no channel'} —")
        for message in messages:
            _show_message(message)


def _show_message(message: MessageRow) -> None:
    output.say(f"{moment(message.timestamp)}  {message.speaker or message.role}")
    for line in printable(message.content).splitlines():
        output.say(f"    {line}")


@click.command(
    epilog=examples(
        'memctl log user "Where is the runbook?" --channel slack:ops',
        "memctl log assistant - --session s-42 --turn t-7 < answer.txt",
    )
)
@click.argument("role", cls=OneOf, type=click.Choice(MessageRole, case_sensitive=False))
@click.argument("content")
@click.option("--channel", "-c", type=CHANNEL, help="Channel it was said in.")
@click.option("--session", "session_key", type=SESSION, help="Session it belongs to.")
@click.option("--turn", "turn_id", help="Turn it belongs to.")
@click.option("--index", "turn_message_index", type=int, help="Place within the turn, from 0.")
@click.option(
    "--timestamp",
    "--at",
    type=INSTANT,
    help="When it was said: a date (UTC), a time, `yesterday`, `2h`; now when absent.",
)
@click.option("--speaker", help="Name of the person who said it.")
@click.option("--agent", "agent_id", help="Agent that logs it.")
@remote
@forms()
def log(role: MessageRole, content: str, form: Form, **fields: Any) -> None:
    """Store one message said by ROLE; CONTENT `-` reads standard input.

    The same text of the same role in the same channel and session within 5 seconds is the same message: it is stored
    once. It is searchable at once. Memories are extracted from messages older than two minutes, every 15 minutes or
    with `memctl jobs run extraction`.
    """
    text = content_of(content)
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        reply = await client.messages.log(LogRequest(role=role, content=text, **given))
        if form is Form.JSON:
            output.document(reply)
        else:
            _show_logged(reply)

    run(action)


def _show_logged(reply: LogReply) -> None:
    if reply.id:
        output.say(reply.id)
    if reply.skipped:
        note(f"nothing stored: {reply.reason}")
    if reply.deduped:
        note("this message was stored before")
    if reply.truncated:
        note("the message was cut to 100,000 characters")


@click.group(cls=Group, epilog=examples("memctl messages delete msg_… --yes"))
def messages() -> None:
    """Erase messages; `memctl search` and `memctl recent` find them."""


@messages.command(
    "delete",
    epilog=examples(
        "memctl messages delete msg_…",
        "memctl messages delete msg_… --yes --wait --json",
        "memctl search 'card number' -q | xargs -r memctl messages delete --yes",
    ),
)
@click.argument("message_ids", metavar="ID...", nargs=-1, required=True)
@scope_options
@yes_option
@wait_option
@remote
@forms()
def delete_message(
    message_ids: tuple[str, ...], *, channel: str | None, agent_id: str | None, yes: bool, wait: bool, form: Form
) -> None:
    """Erase messages by ID, and the memories, snapshots and summaries that were derived from them."""

    async def action(client: MemdClient) -> ExitCode:
        what = f"the message {message_ids[0]}" if len(message_ids) == 1 else count(len(message_ids), "message")
        confirm(f"Erase {what} and everything derived from it?", yes=yes)
        request = erase_request(channel, agent_id)

        async def erase(message_id: str) -> None:
            await report(client, lambda: client.erasure.message(message_id, request), form, wait=wait)

        return await each_of(message_ids, erase, "msg")

    run(action)
