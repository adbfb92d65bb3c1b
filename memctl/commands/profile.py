"""What is known about a person or thing."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.completing import CHANNEL
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment
from memctl.wire.profile import ProfileRequest


@click.command(epilog=examples("memctl profile Ana", "memctl profile --json | jq -r .profiles[].subject"))
@click.argument("subject", required=False)
@click.option("--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.")
@click.option("--limit", "-n", type=click.IntRange(1, 100), help="Subjects; 20 when absent.")
@remote
@forms(jsonl=True)
def profile(subject: str | None, form: Form, **fields: Any) -> None:
    """Show the current facts about SUBJECT, or about the subjects seen last, with the memories that state them."""
    request = ProfileRequest(subject=subject, **chosen(fields))

    async def action(client: MemdClient) -> None:
        reply = await client.profile(request)
        if form is Form.JSON:
            output.document(reply)
            return
        for one in reply.profiles:
            if form is Form.JSONL:
                output.line(one)
                continue
            output.say(one.subject)
            for fact in one.facts:
                contested = ", contested" if fact.contested else ""
                proofs = f"{count(fact.proofs, 'memory', 'memories')}, last seen {moment(fact.last_seen)}{contested}"
                output.say(f"    {fact.attribute}: {fact.value}  ({proofs})")
                output.say(f"        {' '.join(fact.evidence[:5])}")
        if not reply.profiles:
            note("no facts are known")

    run(action)
