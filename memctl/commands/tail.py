"""`memctl tail`: new messages and memories as they appear."""

import asyncio
from contextlib import suppress

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL
from memctl.following import Follower
from memctl.importers.retries import with_retries
from memctl.options import Form, examples, remote
from memctl.run import run
from memctl.text import moment, one_line
from memctl.wire.export import ExportedMemory
from memctl.wire.messages import MessageRow

Rows = list[tuple[int, MessageRow | ExportedMemory]]


@click.command(
    epilog=examples(
        "memctl tail", "memctl tail --channel slack:ops -n 0", "memctl tail --memories --jsonl | jq -r .title"
    )
)
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel; all of yours when absent.")
@click.option("--messages/--no-messages", "messages", default=True, help="Follow messages.", show_default=True)
@click.option("--memories/--no-memories", "memories", default=True, help="Follow memories.", show_default=True)
@click.option(
    "--limit",
    "-n",
    "backlog",
    type=click.IntRange(0, 100),
    default=10,
    show_default=True,
    help="Start with this many recent rows.",
)
@click.option(
    "--interval", type=click.FloatRange(min=0.2), default=2.0, show_default=True, help="Polling interval in seconds."
)
@click.option("--once", is_flag=True, help="Show recent rows and exit.")
@click.option("--jsonl", "form", flag_value=Form.JSONL, type=Form, default=Form.TEXT, help="One JSON object a line.")
@remote
def tail(
    *, channel: str | None, messages: bool, memories: bool, backlog: int, interval: float, once: bool, form: Form
) -> None:
    """Show the last messages and memories, and every new one as it appears, until Ctrl+C."""
    if not messages and not memories:
        raise click.UsageError("nothing left to follow")

    async def action(client: MemdClient) -> None:
        follower = Follower(client, channel, backlog)
        await client.accounts.whoami()  # a wrong address or key fails at once; a server that goes away is retried
        rows = await _look(follower, messages=messages, memories=memories)
        rows = rows[max(len(rows) - backlog, 0) :]
        _show(rows, form)
        if once:
            return
        with suppress(asyncio.CancelledError):  # Ctrl+C is the way to end it
            while True:
                await asyncio.sleep(interval)
                _show(await _look(follower, messages=messages, memories=memories), form)

    run(action)


async def _look(follower: Follower, *, messages: bool, memories: bool) -> Rows:
    """The new rows, in order of time."""
    rows: Rows = []
    if messages:
        rows += await with_retries(follower.messages)
    if memories:
        rows += await with_retries(follower.memories)
    return sorted(rows, key=lambda each: each[0])


def _show(rows: Rows, form: Form) -> None:
    for timestamp, row in rows:
        if form is Form.JSONL:
            output.line(row)
        elif isinstance(row, MessageRow):
            where = f" in {row.channel}" if row.channel else ""
            output.say(
                f"{moment(timestamp)}  {row.speaker or row.role}{where}: {one_line(row.content, 300)}", column=18
            )
        else:
            where = f" in {row.channel}" if row.channel else ""
            title = one_line(row.title, 200)
            output.say(f"{moment(timestamp)}  * {row.store}/{row.category}{where}: {title}  {row.id}", column=18)
