"""Weak rows: those with so little evidence that they hardly have anything to do with the query (contract 11.2).

They are dimmed below better ones. An answer of weak rows alone is replaced by a line that says so.
"""

import click

from memctl.diagnostics import note
from memctl.text import count
from memctl.wire.kb_query import QueryReply
from memctl.wire.recall import RecallReply

show_weak = click.option("--weak", "show_weak", is_flag=True, help="Show weak rows even when nothing is relevant.")


def note_nothing_relevant(reply: RecallReply, *, shown: bool) -> None:
    """Write to stderr how many rows --min-evidence left out, that nothing is relevant, and what may help."""
    below = reply.retrieval.below_evidence
    if below:
        note(f"{count(below, 'candidate')} left out by --min-evidence")
    if not reply.retrieval.nothing_relevant:
        return
    if reply.memories:
        note(_only_weak(len(reply.memories), shown=shown))
    elif below:
        note("nothing relevant; a lower --min-evidence or other words may help")
    elif not reply.message_matches:
        note("nothing found")


def note_no_relevant_hit(reply: QueryReply, *, shown: bool) -> None:
    """The same as `note_nothing_relevant` for the query of a knowledge base."""
    if not reply.results:
        note("nothing found")
    elif reply.has_only_weak():
        note(_only_weak(len(reply.results), shown=shown))


def _only_weak(rows: int, *, shown: bool) -> str:
    left_out = "" if shown else f" ({count(rows, 'weak row')} left out; --weak shows them)"
    return f"nothing relevant{left_out}; other words may help"
