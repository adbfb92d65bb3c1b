"""The options of commands that ask about a time (contract 17.5)."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from memctl.options import WHEN
from memctl.wire.export import ExportedMemory

END_OF_TIME: Final = 8_640_000_000_000_000
"""The last moment that a request may name (epoch ms); every period has begun by then."""
Command = TypeVar("Command", bound=Callable[..., Any])
_TIMES: Final = (
    click.option("--as-of", type=WHEN, help="Answer as of then: a date (UTC), a time, `yesterday`, `90d`."),
    click.option("--valid-at", type=WHEN, help="What is true then, by what is known now; also `tomorrow`, `+7d`."),
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


def time_options(command: Command) -> Command:
    """Give a command the options that name a time, and --include-ended."""
    return _with(command, *_TIMES, _INCLUDE_ENDED)


def export_time_options(command: Command) -> Command:
    """As `time_options`, with --valid-now, which turns --include-ended off."""
    return _with(command, *_TIMES, _VALID_NOW)


def at_any_time(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an export; without a time, or --valid-now, it asks for what is true at any time."""
    timed = {"as_of", "valid_at"} & fields.keys()
    if timed or fields.get("include_ended") is False:
        return dict(fields)
    return {**fields, "include_ended": True, "valid_at": END_OF_TIME}


def ended_by_now(memory: ExportedMemory) -> ExportedMemory:
    """The row with `ended` as of now, from an export that asks for what is true at any time."""
    over = memory.valid_until is not None and memory.valid_until <= time.time() * 1000
    return memory.model_copy(update={"ended": True if over else None})


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
