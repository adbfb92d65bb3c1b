"""Weak rows: those with so little evidence that they are barely related to the query (contract 11.2).

A few of them are dimmed below better ones. An answer of weak rows alone is replaced by a line that says so; a terminal also
shows the rows that are nearest to an answer.
"""

from collections.abc import Sequence

import click

from memctl import output
from memctl.diagnostics import note
from memctl.text import count
from memctl.wire.kb_query import QueryHit, QueryReply
from memctl.wire.messages import MessageHit
from memctl.wire.recall import RecalledMemory, RecallReply

CLOSE = 0.2
"""Evidence from which a weak row is worth a look when no row is relevant."""
CLOSEST = 2

NOTHING = "nothing relevant"

show_weak = click.option("--weak", "show_weak", is_flag=True, help="Show every weak row.")


def rows_to_show(reply: RecallReply, *, weak: bool) -> list[RecalledMemory]:
    """The memories of an answer that are printed: the relevant ones and the first weak ones below them, or all.

    Of weak rows alone, only the closest, and at a terminal only: piped output may end up in a prompt, where a weak row
    does harm. None if there are messages that fit, since those are the answer then.
    """
    if weak:
        return reply.memories
    relevant = [memory for memory in reply.memories if not memory.weak]
    rest = [memory for memory in reply.memories if memory.weak][:CLOSEST]
    if relevant:
        return relevant + rest
    if messages_to_show(reply, weak=False):
        return []
    return [memory for memory in rest if output.is_terminal() and memory.ranking_signals.evidence_score >= CLOSE]


def hits_to_show(reply: QueryReply, *, weak: bool) -> list[QueryHit]:
    """The hits of a query that are printed: the relevant ones and the first weak ones, or all; no weak ones alone."""
    if weak:
        return reply.results
    if reply.has_only_weak():
        return []
    ids = reply.weak_chunks()
    hidden = [hit.chunk_id for hit in reply.results if hit.chunk_id in ids][CLOSEST:]
    return [hit for hit in reply.results if hit.chunk_id not in hidden]


def messages_to_show(reply: RecallReply, *, weak: bool) -> list[MessageHit]:
    """The messages of an answer that are printed: those that fit, or all."""
    return [hit for hit in reply.message_matches if weak or not hit.mark]


def closest_messages(weak: Sequence[MessageHit]) -> Sequence[MessageHit]:
    """Of messages that are all weak, best first, those that a search prints."""
    return weak[:CLOSEST] if output.is_terminal() else []


def note_messages(*, relevant: bool, weak: int, shown: int) -> None:
    """Write to stderr that no message of a search is relevant, and how many of the weak ones are not shown."""
    if not relevant:
        note(_only_weak(weak, shown=shown) if weak else "nothing found")
    elif weak > shown:
        note(_left_out(weak - shown))


def note_left_out(reply: RecallReply, *, shown: int, messages: int) -> None:
    """Write to stderr how many rows are left out, that nothing is relevant, and what may help."""
    below = reply.retrieval.below_evidence
    if below:
        note(f"{count(below, 'candidate')} left out by --min-evidence")
    if not reply.retrieval.nothing_relevant:
        if shown < len(reply.memories):
            note(f"{_left_out(len(reply.memories) - shown)}")
        return
    if reply.memories:
        note(_only_messages(len(reply.memories)) if messages else _only_weak(len(reply.memories), shown=shown))
    elif below:
        note("nothing relevant; try a lower --min-evidence or other words")
    elif not messages:
        note("nothing found")


def note_hits(reply: QueryReply, *, shown: int) -> None:
    """The same as `note_left_out` for the query of a knowledge base."""
    found = len(reply.results)
    if not found:
        note("nothing found")
    elif reply.has_only_weak():
        note(_only_weak(found, shown=shown))
    elif shown < found:
        note(_left_out(found - shown))


def _only_messages(weak: int) -> str:
    return f"no memory is relevant, only the messages above ({_left_out(weak)})"


def _only_weak(rows: int, *, shown: int) -> str:
    hidden = f" ({_left_out(rows - shown)})" if shown < rows else ""
    closest = f"; the closest {'row is' if shown == 1 else 'rows are'} shown" if 0 < shown < rows else ""
    return f"{NOTHING}{closest}{hidden}; try other words"


def _left_out(rows: int) -> str:
    return f"{count(rows, 'weak row')} left out; --weak shows {'it' if rows == 1 else 'them'}"
