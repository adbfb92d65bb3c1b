"""The options of commands that ask about a time (contract 17.5)."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from memctl.options import WHEN

Command = TypeVar("Command", bound=Callable[..., Any])
_OPTIONS: Final = (
    click.option("--as-of", type=WHEN, help="The answer of then: a date, a time, `yesterday`, `90d`."),
    click.option("--valid-at", type=WHEN, help="What was true then, by what is known now."),
    click.option("--known-at", type=WHEN, help="By what was known then."),
    click.option(
        "--include-ended", is_flag=True, default=None, help="Also what is true no more; such rows are marked as ended."
    ),
)


def moments(command: Command) -> Command:
    """Give a command the options that name a time."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
