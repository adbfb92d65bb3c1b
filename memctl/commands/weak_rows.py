"""Weak rows: those with so little evidence that they hardly have anything to do with the query (contract 11.2).

They are dimmed below better ones. An answer of weak rows alone is replaced by a line that says so; a terminal also
shows the row that is nearest to an answer.
"""

import click

from memctl import output
from memctl.diagnostics import note
from memctl.text import count
from memctl.wire.kb_query import QueryReply
from memctl.wire.recall import RecalledMemory, RecallReply

CLOSE = 0.15
"""Evidence from which a weak row is worth a look: a paraphrase without a common word often stays between this and .35."""
CLOSEST = 2

show_weak = click.option("--weak", "show_weak", is_flag=True, help="Show weak rows even when nothing is relevant.")


def rows_to_show(reply: RecallReply, *, weak: bool) -> list[RecalledMemory]:
    """The memories of an answer that are printed: all, or of weak rows alone the closest two, at a terminal only.

    Output that is piped may lead into a prompt, where a weak row does harm.
    """
    if weak or not reply.retrieval.nothing_relevant:
        return reply.memories
    best = reply.memories[:CLOSEST] if output.is_terminal() else []
    return [memory for memory in best if memory.ranking_signals.evidence_score >= CLOSE]


def note_nothing_relevant(reply: RecallReply, *, shown: int) -> None:
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
        note(_only_weak(len(reply.results), shown=len(reply.results) if shown else 0))


def _only_weak(rows: int, *, shown: int) -> str:
    hidden = f" ({count(rows - shown, 'weak row')} left out; --weak shows them)" if shown < rows else ""
    closest = f"; the closest {'row is' if shown == 1 else 'rows are'} shown" if 0 < shown < rows else ""
    return f"nothing relevant{closest}{hidden}; other words may help"
