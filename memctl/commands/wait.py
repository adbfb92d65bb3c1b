"""Wait until background work has caught up, for scripts."""

import asyncio
import time
from collections.abc import Callable, Collection

import click

from memctl import output
from memctl.background import LAG_GROUPS, lag, lag_line
from memctl.client import MemdClient
from memctl.diagnostics import CommandError, ExitCode, waiting
from memctl.options import Form, examples, forms, remote
from memctl.run import run

POLL_S, MAX_POLL_S = 0.25, 2.0
"""Seconds between two polls; they double up to the second number, since each poll costs a credit."""


@click.command(epilog=examples("memctl wait", "memctl wait --kind embed --timeout 120"))
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(list(LAG_GROUPS)),
    help="Wait for this kind of work only; repeatable. By default all of them.",
)
@click.option(
    "--timeout", "timeout_s", type=click.FloatRange(min=0), default=60.0, show_default=True, help="Seconds to wait."
)
@remote
@forms()
def wait(kinds: tuple[str, ...], *, timeout_s: float, form: Form) -> None:
    """Wait until the background work is done: vectors, the graph, extraction, reflection, deletion.

    Exits with 0 when it is done, with 7 when the timeout expires first. Work that is scheduled for later, such as the
    extraction of a turn two minutes after it, is not waited for. An administrator waits for the work of all users.
    """

    async def action(client: MemdClient) -> ExitCode:
        began = time.monotonic()
        remaining = lag((await client.jobs.list()).queue, kinds)
        if remaining and timeout_s:
            with waiting(f"waits for {lag_line(remaining)}") as show:
                remaining = await _until_empty(client, kinds, began + timeout_s, show)
        waited = time.monotonic() - began
        if form is Form.JSON:
            output.document({"done": not remaining, "seconds": round(waited, 1), "lagMs": remaining})
        if remaining:
            raise CommandError(f"still waiting after {waited:.0f} s: {lag_line(remaining)}", ExitCode.DONE_IN_PART)
        return ExitCode.OK

    run(action)


async def _until_empty(
    client: MemdClient, kinds: Collection[str], deadline: float, show: Callable[[str], None]
) -> dict[str, int]:
    """The kinds that still wait at the deadline (monotonic clock); empty as soon as none does."""
    pause = POLL_S
    while True:
        await asyncio.sleep(max(0.0, min(pause, deadline - time.monotonic())))
        remaining = lag((await client.jobs.list()).queue, kinds)
        if not remaining or time.monotonic() >= deadline:
            return remaining
        show(f"waits for {lag_line(remaining)}")
        pause = min(2 * pause, MAX_POLL_S)
