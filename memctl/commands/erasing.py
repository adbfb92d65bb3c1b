"""Erasing messages and sessions, and what commands that erase share: the question and the receipt."""

from collections.abc import Awaitable, Callable

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.completing import CHANNEL
from memctl.diagnostics import ExitCode, note
from memctl.diagnostics import confirm as ask
from memctl.options import Command, Form, chosen, examples, forms, remote
from memctl.run import each_of, run
from memctl.text import count
from memctl.wire.erasure import EraseMessagesRequest, ErasureReply, ErasureStarted

yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask.")
wait_option = click.option("--wait", is_flag=True, help="Wait until nothing is left, and print the receipt.")


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is erased for good."""
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


def _scoped(command: Command) -> Command:
    """Add the options that say from where messages must be visible."""
    command = click.option(
        "--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.  [default: every channel]"
    )(command)
    return click.option("--agent", "agent_id", help="As this agent sees it.")(command)


def _request(channel: str | None, agent_id: str | None) -> EraseMessagesRequest:
    fields = chosen({"channel": channel, "agent_id": agent_id})
    return EraseMessagesRequest(**(fields or {"all_channels": True}))


@click.group(epilog=examples("memctl messages delete msg_… --yes"))
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
@_scoped
@yes_option
@wait_option
@remote
@forms()
def delete_message(
    message_ids: tuple[str, ...], *, channel: str | None, agent_id: str | None, yes: bool, wait: bool, form: Form
) -> None:
    """Erase messages by ID, and the memories, snapshots and summaries that were made of them."""

    async def action(client: MemdClient) -> ExitCode:
        what = f"the message {message_ids[0]}" if len(message_ids) == 1 else count(len(message_ids), "message")
        confirm(f"Erase {what} and everything derived from it?", yes=yes)
        request = _request(channel, agent_id)

        async def erase(message_id: str) -> None:
            await report(client, lambda: client.erasure.message(message_id, request), form, wait=wait)

        return await each_of(message_ids, erase, "msg")

    run(action)


@click.command(
    "delete", epilog=examples("memctl sessions delete s-42", "memctl sessions delete s-42 --channel slack --yes --wait")
)
@click.argument("session_key", metavar="KEY")
@_scoped
@yes_option
@wait_option
@remote
@forms()
def delete_session(
    session_key: str, *, channel: str | None, agent_id: str | None, yes: bool, wait: bool, form: Form
) -> None:
    """Erase the session KEY: its messages, turns and snapshots, and what was made of them."""

    async def action(client: MemdClient) -> None:
        confirm(f"Erase the session {session_key} and what was made of it?", yes=yes)
        request = _request(channel, agent_id)
        await report(client, lambda: client.erasure.session(session_key, request), form, wait=wait)

    run(action)
