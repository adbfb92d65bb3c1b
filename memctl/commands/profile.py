"""Profiles: the current facts about a person or thing."""

from typing import Any, Final

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import attribute_words, count, moment
from memctl.wire.profile import PROFILES_MAX, ProfileRequest

_USER: Final = "user"
_ONESELF: Final = {"i", "me", "myself"}
"""The words by which people name themselves as a subject."""


@click.command(epilog=examples("memctl profile Ana", "memctl profile --json | jq -r .profiles[].subject"))
@click.argument("subject", required=False)
@click.option("--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.")
@click.option("--limit", "-n", type=click.IntRange(1, PROFILES_MAX), help="Subjects; 20 when absent.")
@remote
@forms(jsonl=True)
def profile(subject: str | None, form: Form, **fields: Any) -> None:
    """Show the current facts about SUBJECT, or about the subjects seen last, with the memories that state them."""
    given = chosen(fields)
    request = ProfileRequest(subject=_USER if subject and subject.strip().lower() in _ONESELF else subject, **given)

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
                output.say(f"    {attribute_words(fact.attribute)}: {fact.value}  ({proofs})")
                output.say(f"        {' '.join(fact.evidence[:5])}")
        if not reply.profiles:
            note(await _nothing_known(client, request))

    run(action)


async def _nothing_known(client: MemdClient, request: ProfileRequest) -> str:
    """That there is no profile, and which others have a word of the name."""
    if request.subject is None:
        return "no facts are known"
    words = set(request.subject.casefold().split())
    everybody = request.model_copy(update={"subject": None, "limit": PROFILES_MAX})
    names = [one.subject for one in (await client.profile(everybody)).profiles]
    near = [name for name in names if words & set(name.casefold().split())]
    return f"no facts are known about {request.subject}" + (f"; there are {', '.join(near[:5])}" if near else "")
