"""The options of commands that ask about a time (contract 17.5)."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from memctl.options import WHEN

Command = TypeVar("Command", bound=Callable[..., Any])
_TIMES: Final = (
    click.option("--as-of", type=WHEN, help="Answer as of then: a date (UTC), a time, `yesterday`, `90d`."),
    click.option("--valid-at", type=WHEN, help="What was true then, by what is known now."),
    click.option("--known-at", type=WHEN, help="By what was known then."),
)
_INCLUDE_ENDED: Final = click.option(
    "--include-ended", is_flag=True, default=None, help="Include ended rows; they are marked as ended."
)
_VALID_NOW: Final = click.option(
    "--include-ended/--valid-now",
    "include_ended",
    default=None,
    help="Include rows that have ended or not begun; the default unless --as-of or --valid-at is given.",
)


def moments(command: Command) -> Command:
    """Give a command the options that name a time, and --include-ended."""
    return _with(command, *_TIMES, _INCLUDE_ENDED)


def export_moments(command: Command) -> Command:
    """As `moments`, with --valid-now, which turns --include-ended off."""
    return _with(command, *_TIMES, _VALID_NOW)


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
