"""Context: what is stored about a query, ready for a prompt."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.commands.parameter_types import CHANNEL
from memctl.commands.time_options import time_options
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, printable
from memctl.wire.prompt_context import (
    TOKEN_BUDGET_MAX,
    TOKEN_BUDGET_MIN,
    ContextReply,
    ContextRequest,
    ContextSection,
    TokenCounter,
)


@click.command(
    epilog=examples(
        'memctl context "what does Bob drink?" --budget 300',
        'memctl context "release checklist" --section knowledge --kb handbook',
        'memctl context "open questions" --json | jq -r .text',
    )
)
@click.argument("query")
@click.option(
    "--budget",
    "token_budget",
    type=click.IntRange(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX),
    help="Maximum tokens of the text; 1,000 when absent.",
)
@click.option(
    "--section",
    "sections",
    multiple=True,
    type=click.Choice(ContextSection, case_sensitive=False),
    help="Only this part; repeatable.",
)
@click.option("--kb", "bases", multiple=True, type=KB, help="Only chunks of this knowledge base; repeatable.")
@click.option(
    "--counter",
    type=click.Choice(TokenCounter, case_sensitive=False),
    help="How tokens are counted: an estimate for chat models, or the embedding model's WordPiece vocabulary.",
)
@click.option(
    "--channel", "-c", type=CHANNEL, help="Only what is visible from this channel; everything of yours when absent."
)
@click.option("--agent", "agent_id", help="Ask as this agent.")
@click.option("--project", "project_id", help="Leave out memories of other projects.")
@time_options
@remote
@forms()
def context(query: str, bases: tuple[str, ...], form: Form, **fields: Any) -> None:
    """Print what is stored about QUERY as text for a prompt, within a token budget.

    The most relevant memories, chunks and messages are included first; each line has a date and an id.
    """
    given = chosen(fields)
    if not given.keys() & {"channel", "agent_id"}:
        given["all_channels"] = True

    async def action(client: MemdClient) -> None:
        if bases:
            given["knowledge_base_ids"] = [await id_of(client, base) for base in bases]
        reply = await client.prompt_context(ContextRequest(query=query, **given))
        if form is Form.JSON:
            output.document(reply)
        else:
            _show(reply)

    run(action)


def _show(reply: ContextReply) -> None:
    output.say(printable(reply.text))
    parts = [f"{count(reply.tokens, 'token')} ({reply.counter})", count(len(reply.included), "row")]
    if reply.left_out:
        parts.append(f"{len(reply.left_out):,} more did not fit")
    note(", ".join(parts))
    if reply.degradation:
        note(f"degraded: {reply.degradation.message}")
