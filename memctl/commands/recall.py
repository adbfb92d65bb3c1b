"""Recall, with the reasons for every rank on request."""

import time
from collections.abc import Sequence
from typing import Any

import click

from memctl import colors, output
from memctl.client import MemdClient
from memctl.commands.explanation import CONTESTED, show_parts, show_search
from memctl.commands.hidden_bases import note_hidden
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.commands.parameter_types import CATEGORY, CHANNEL, ONE_CATEGORY, TAG
from memctl.commands.time_options import END_OF_TIME, time_options
from memctl.commands.weak_rows import messages_to_show, note_left_out, rows_to_show, show_weak
from memctl.diagnostics import note
from memctl.options import AtMost, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import age, count, day_of, last_day, moment, one_line, printable
from memctl.wire.enums import RecallMode, RecallSection, Store
from memctl.wire.limits import RECALL_LIMIT_MAX
from memctl.wire.messages import MessageHit
from memctl.wire.recall import RecalledMemory, RecallReply, RecallRequest


@click.command(
    epilog=examples(
        'memctl recall "may I deploy today?"',
        'memctl recall "what did we decide about the database" --mode decision --limit 5 --explain',
        'memctl recall "how is the office heated" --section memories',
        'memctl recall "the old office" -q | xargs -r memctl forget',
        'memctl recall "refund policy" --kb handbook --json | jq -r ".memories[] | select(.weak | not).title"',
    )
)
@click.argument("query")
@click.option("--limit", "-n", type=AtMost(20), help="Rows, at most 20.")
@click.option(
    "--channel", "-c", type=CHANNEL, help="Only what is visible from this channel; everything of yours when absent."
)
@click.option("--agent", "agent_id", help="Ask as this agent.")
@click.option("--kb", "bases", multiple=True, type=KB, help="Only this knowledge base (id or name); repeatable.")
@click.option(
    "--section",
    "sections",
    multiple=True,
    type=click.Choice(RecallSection, case_sensitive=False),
    help="Only this part of the answer; repeatable.",
)
@click.option("--mode", type=click.Choice(RecallMode, case_sensitive=False), help="A preset of stores and categories.")
@click.option("--store", "stores", multiple=True, type=click.Choice(Store, case_sensitive=False), help="Repeatable.")
@click.option(
    "--category", "categories", multiple=True, type=CATEGORY, metavar="CATEGORY", help=f"{ONE_CATEGORY}; repeatable."
)
@click.option("--tag", "tags", multiple=True, type=TAG, help="Rows must have every tag named.")
@click.option("--project", "project_id", help="Leave out rows of other projects, and rank those of this one higher.")
@click.option("--min-evidence", type=click.FloatRange(0, 1), help="Leave out rows with less evidence; weak is < 0.35.")
@time_options
@show_weak
@click.option("--explain", is_flag=True, help="Show the parts of every score, and what was dropped and why.")
@click.option(
    "--full",
    is_flag=True,
    help="Show whole contents, not their beginning (terminal) or the short recall text (pipe).",
)
@click.option(
    "-q", "--quiet", is_flag=True, help="Print the ids of memories and chunks only, of weak ones with --weak."
)
@remote
@forms(jsonl=True)
def recall(
    query: str,
    *,
    bases: tuple[str, ...],
    show_weak: bool,
    explain: bool,
    full: bool,
    quiet: bool,
    form: Form,
    **fields: Any,
) -> None:
    """Find the memories that matter for QUERY, best first.

    Weak rows are barely related to QUERY: they are dimmed, and two at most are shown. When there are no
    others, a pipe gets none. In a pipe, each row is one line; --explain prints the same report as at a terminal.
    """
    given = chosen(fields)
    if not given.keys() & {"channel", "agent_id"}:
        given["all_channels"] = True

    async def action(client: MemdClient) -> None:
        if bases:
            given["knowledge_base_ids"] = [await id_of(client, base) for base in bases]
        request = RecallRequest(query=query, **given)
        reply = await client.recall(request, debug=explain)
        if form is Form.JSON:
            output.document(reply)
        elif form is Form.JSONL:
            for memory in reply.memories:
                output.line(memory)
        elif quiet:
            _write_ids(reply, weak=show_weak)
        else:
            _show(reply, weak=show_weak or explain, explain=explain, full=full)
            await _note_what_else(client, request, reply, every_base=explain or bool(bases))

    run(action)


async def _note_what_else(client: MemdClient, request: RecallRequest, reply: RecallReply, *, every_base: bool) -> None:
    """What the answer does not show: other times, and knowledge bases that were not searched or returned nothing."""
    if reply.retrieval.nothing_relevant:
        await _note_other_times(client, request)
    _hint_at_past(reply)
    _note_skipped(reply)
    await note_hidden(client, [base for base in reply.retrieval.hidden if every_base or base.is_surprising()])


def _show(reply: RecallReply, *, weak: bool, explain: bool, full: bool) -> None:
    """The answer for a person; `weak` with all of its weak rows."""
    rows, messages = rows_to_show(reply, weak=weak), messages_to_show(reply, weak=weak)
    if explain or output.is_terminal():
        _show_rows(reply, rows, messages, explain=explain, full=full)
    else:
        _write_rows(rows, messages, full=full)
    note_left_out(reply, shown=len(rows), messages=len(messages))
    if explain:
        show_search(reply)
    if reply.degradation:
        note(f"degraded: {reply.degradation.message}")
    elif reply.retrieval.nothing_relevant and not messages and reply.diagnostics.embedding_note:
        note(reply.diagnostics.embedding_note)


def _write_ids(reply: RecallReply, *, weak: bool) -> None:
    """The ids of the memories and chunks, for another command."""
    for memory in reply.memories:
        if weak or not memory.weak:
            output.say(memory.id)


def _show_rows(
    reply: RecallReply, rows: Sequence[RecalledMemory], messages: Sequence[MessageHit], *, explain: bool, full: bool
) -> None:
    now_ms = int(time.time() * 1000)
    lanes = {memory.id: memory.lanes for memory in reply.debug.memories} if reply.debug else {}
    for rank, memory in enumerate(rows, 1):
        _show_memory(rank, memory, now_ms, full=full)
        if explain:
            show_parts(memory, reply.diagnostics, lanes.get(memory.id, []))
        output.say()
    if messages:
        output.say("Messages")
        for hit in messages:
            _show_message(hit, now_ms)


def _write_rows(rows: Sequence[RecalledMemory], messages: Sequence[MessageHit], *, full: bool) -> None:
    """A line for each row, in the columns that docs/memctl.md lists; with the recall text, since a prompt may read it."""
    for one in rows:
        about = (moment(one.created_at), _kind(one), one.channel, one.knowledge_base_name, ", ".join(_marks(one)))
        output.row(f"{one.relevance:.2f}", one.id, *about, one.title, one.content if full else one.recall_text)
    for hit in messages:
        about = (moment(hit.timestamp), "message", hit.channel, "", hit.mark or "")
        output.row(f"{hit.score:.2f}", hit.id, *about, hit.speaker or hit.role, hit.content)


def _kind(memory: RecalledMemory) -> str:
    return f"{memory.store}/{memory.category}"


def _marks(memory: RecalledMemory) -> list[str]:
    """The marks of a row: weak, no longer true, contested."""
    marks = ("weak" if memory.weak else None, _ended(memory), CONTESTED.get(memory.contested() or ""))
    return [mark for mark in marks if mark]


async def _note_other_times(client: MemdClient, request: RecallRequest) -> None:
    """After an answer without a relevant row: how many memories are relevant at another time than the one asked for."""
    if request.valid_at is not None or request.known_at is not None:
        return
    if request.as_of is not None:
        await _note_stored_later(client, request)
    else:
        await _note_not_now(client, request)


async def _note_not_now(client: MemdClient, request: RecallRequest) -> None:
    """The numbers of relevant memories that have ended and that have not begun."""
    at_any_time = await _relevant(client, request, include_ended=True, valid_at=END_OF_TIME)
    now_ms = int(time.time() * 1000)
    over = sum(memory.valid_until is not None and memory.valid_until <= now_ms for memory in at_any_time)
    if over and not request.include_ended:
        found = count(over, "relevant memory", "relevant memories")
        note(f"{found} ended; --include-ended shows {'it' if over == 1 else 'them'}")
    starts = sorted(memory.valid_from for memory in at_any_time if memory.valid_from and memory.valid_from > now_ms)
    if starts:
        first, one = day_of(starts[0]), len(starts) == 1
        when = f"memory begins on {first}" if one else f"memories have not begun, the first begins on {first}"
        note(f"{len(starts)} relevant {when}; --valid-at {first} shows it")


async def _note_stored_later(client: MemdClient, request: RecallRequest) -> None:
    """The number of relevant memories that were stored after --as-of and true by then."""
    found = await _relevant(client, request, as_of=None, valid_at=request.as_of)
    if later := sum(memory.knowledge_base_name is None for memory in found):
        stored = f"{count(later, 'relevant memory', 'relevant memories')} stored later"
        note(f"{stored}; --valid-at instead of --as-of shows what was true then, by what is known now")


async def _relevant(client: MemdClient, request: RecallRequest, **times: Any) -> list[RecalledMemory]:
    """The memories that are not weak when the query asks for other `times`."""
    reply = await client.recall(request.model_copy(update={**times, "limit": RECALL_LIMIT_MAX}))
    return [memory for memory in reply.memories if not memory.weak]


def _note_skipped(reply: RecallReply) -> None:
    """Say how many knowledge bases were not searched."""
    if skipped := reply.retrieval.knowledge_bases_skipped:
        note(f"{count(skipped, 'knowledge base')} not searched; name one with --kb")


def _hint_at_past(reply: RecallReply) -> None:
    """How to ask about the past month or year that the query names."""
    if past := reply.retrieval.asked_past:
        note(f"answered as of now; for {past.name}: --valid-at {day_of(past.valid_at)}")


def _show_memory(rank: int, memory: RecalledMemory, now_ms: int, *, full: bool) -> None:
    dim = bool(memory.weak)
    base = f"kb {memory.knowledge_base_name}" if memory.knowledge_base_name else None
    facts = (*_marks(memory), _kind(memory), age(memory.created_at, now_ms), memory.channel, base, memory.id)
    title, about = one_line(memory.title, 100), " · ".join(fact for fact in facts if fact)
    if dim:
        output.say(f"{rank:>2}  {memory.relevance:.2f}  {title}", dim=True, column=10)
        output.say(f"          {about}", dim=True)
    else:
        score = (f"{memory.relevance:.2f}", colors.of_score(memory.relevance))
        output.say_colored((f"{rank:>2}  ", None), score, (f"  {title}", None), column=10)
        output.say_colored(("          ", None), (about, colors.STORES.get(memory.store)), column=10)
    text = memory.content
    if text != memory.title:
        for line in printable(text).splitlines() if full else [one_line(text, 300)]:
            output.say(f"          {line}", dim=dim)


def _ended(memory: RecalledMemory) -> str | None:
    """`ended 2026-03-01` for a row that is no longer true; None for the others."""
    if not memory.ended:
        return None
    return "ended" if memory.valid_until is None else f"ended {last_day(memory.valid_until)[:10]}"


def _show_message(hit: MessageHit, now_ms: int) -> None:
    where = f" in {hit.channel}" if hit.channel else ""
    output.say(
        f"    {hit.score:.2f}  {hit.speaker or hit.role}{where}, {age(hit.timestamp, now_ms)}", dim=hit.mark is not None
    )
    output.say(f"          {one_line(hit.content, 300)}", dim=hit.mark is not None)
