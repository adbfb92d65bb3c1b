"""`memctl erasure`, and what all commands that erase share: options, the question, the receipt."""

from collections.abc import Awaitable, Callable

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import confirm as ask
from memctl.diagnostics import note
from memctl.options import Command, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.wire.erasure import EraseMessagesRequest, ErasureReply, ErasureStarted

yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask.")
wait_option = click.option("--wait", is_flag=True, help="Wait until nothing is left, and print the receipt.")


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is erased permanently."""
    if not yes:
        ask(f"{question} This cannot be undone.")


async def report(client: MemdClient, start: Callable[[], Awaitable[ErasureStarted]], form: Form, *, wait: bool) -> None:
    """Start an erasure, wait for its end if asked, and show what there is to show."""
    started = await start()
    if wait:
        show(await client.erasure.finished(started.erasure_id), form)
    elif form is Form.JSON:
        output.document(started)
    else:
        output.script(started.erasure_id)
        note(f"erasing; see `memctl erasure {started.erasure_id}`")


def show(receipt: ErasureReply, form: Form) -> None:
    """Print a receipt."""
    if form is Form.JSON:
        output.document(receipt)
        return
    output.say(f"{receipt.kind}: {receipt.state}")
    output.record((table, f"{rows:,}") for table, rows in receipt.counts.items())
    if receipt.state == "done" and not any(receipt.counts.values()):
        note("nothing matched, so no row was removed")


@click.command("erasure", epilog=examples("memctl erasure era_…", "memctl erasure era_… --wait --json"))
@click.argument("erasure_id", metavar="ID")
@wait_option
@remote
@forms()
def erasure(erasure_id: str, wait: bool, form: Form) -> None:
    """Show the progress of an erasure and the number of removed rows."""

    async def action(client: MemdClient) -> None:
        show(await (client.erasure.finished if wait else client.erasure.receipt)(erasure_id), form)

    run(action)


def scope_options(command: Command) -> Command:
    """Add the options that say from where messages must be visible."""
    command = click.option(
        "--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.  [default: every channel]"
    )(command)
    return click.option("--agent", "agent_id", help="As this agent sees it.")(command)


def erase_request(channel: str | None, agent_id: str | None) -> EraseMessagesRequest:
    """Erase what this channel and agent see; what every channel sees when neither is given."""
    fields = chosen({"channel": channel, "agent_id": agent_id})
    return EraseMessagesRequest(**(fields or {"all_channels": True}))
