"""Options and texts of `memctl import` and `memctl kb import`."""

import click

from memctl.client.errors import ClientError, Forbidden
from memctl.diagnostics import explain, note
from memctl.options import typed_command
from memctl.text import count

wait_option = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait at the start until memd answers.",
)


NEEDS_WRITE = (
    "an import needs a key with the scope `write`; create one with a key that has it: "
    "memctl keys create --scope read --scope write"
)


def note_failure(failure: ClientError, share: float | None) -> None:
    """Say why an import ended, and what to do; `share` as for `note_incomplete`."""
    note(f"memctl: {explain(failure)}")
    if isinstance(failure, Forbidden):
        note(NEEDS_WRITE)
    else:
        note_incomplete(share)


def note_unanswered(number: int, unit: str) -> None:
    """Say how many chunks or other records had no answer when an import was interrupted."""
    if number:
        note(f"not counted: {count(number, unit)} on the way when it ended, which memd may have stored")


def note_incomplete(share: float | None) -> None:
    """Say how far an import came, from 0 to 1 where that is known, and the command that continues it."""
    done = f" ({min(share, 0.99):.0%} done)" if share is not None else ""
    command = typed_command(click.get_current_context())
    note(f"the import is not complete{done}; run the same command again to continue where it stopped: {command}")
