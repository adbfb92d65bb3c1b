"""`memctl wake`: the briefing that an agent starts with."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL, SESSION
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.wire.prompt_context import TOKEN_BUDGET_MAX, TOKEN_BUDGET_MIN
from memctl.wire.sessions import WakeRequest


@click.command(
    epilog=examples(
        "memctl wake", "memctl wake --channel claude-code:/w/app --json | jq .openGoals", "memctl wake --budget 300"
    )
)
@click.option("--channel", "-c", type=CHANNEL, help="Channel to wake up in.")
@click.option("--agent", "agent_id", help="Agent that wakes up.")
@click.option("--session", "session_key", type=SESSION, help="Session to resume.")
@click.option(
    "--budget", type=click.IntRange(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX), help="Maximum tokens of the briefing."
)
@remote
@forms()
def wake(form: Form, **fields: Any) -> None:
    """Print the briefing that an agent starts with: last session, open goals, decisions, rules, recent talk."""
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        reply = await client.sessions.wake(WakeRequest(**given))
        if form is Form.JSON:
            output.document(reply)
        else:
            output.say(reply.briefing)

    run(action)
