"""Options that many commands share: where memd is, and the form of the output."""

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import click

from memctl.diagnostics import note
from memctl.settings import Options
from memctl.when import bound, epoch_ms, is_ahead, is_length, may_be_time

Command = TypeVar("Command", bound=Callable[..., Any])
_META = "memctl.options."
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_KEY = re.compile(r"(?<=--api-key[ =])\S+")
_USER_INFO = re.compile(r"(?<=://)[^\s/@]+(?=@)")
_AS = "Act for this end user of the application; the key needs the scope act_as."


class Form(StrEnum):
    """How a command writes its result."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


def _remember(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Keep an option where the nearest one to the command wins."""
    if value is not None:
        ctx.meta[f"{_META}{parameter.name}"] = value
    ctx.meta[f"{_META}command"] = ctx.command  # of a group and its command the latter comes last


class AtMost(click.ParamType[int]):
    """A number of rows from 1; more than memd returns at once is reduced, and said so."""

    name = "integer"

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, at most `most`."""
        number = click.INT.convert(value, param, ctx)
        option = param.opts[0] if param else "the number"
        if number < 1:
            self.fail(f"{number} is not at least 1.", param, ctx)
        if number > self.maximum:
            note(f"{option} {number} is more than memd returns at once: {self.maximum} rows")
        return min(number, self.maximum)


class OneOf(click.Argument):
    """An argument of a few words, which the usage shows as `{a|b}` and an error by its name."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The name of the argument."""
        del ctx
        return self.human_readable_name


_NOT_LATER = {"--as-of", "--known-at"}
_PERIOD = {"--valid-from", "--valid-until"}
_MAY_BE_AHEAD = _PERIOD | {"--valid-at"}
_AT_END = _NOT_LATER | {"--until", "--valid-at", "--valid-until"}
"""The options of which a day or a period means the end: what was known in March is what was known when it ended."""


REMOVED = "none"
"""The value with which `memctl edit` removes a side of a period."""


class When(click.ParamType[str]):
    """A bound of time, as people type it or as memd reads it; with `removable`, also `none`."""

    name = "text"

    def __init__(self, *, removable: bool = False) -> None:
        self.removable = removable

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Relative times as epoch milliseconds; the daemon checks dates and numbers."""
        names = set(param.opts if param else ())
        if self.removable and str(value).strip().lower() == REMOVED:
            return REMOVED
        if refusal := _refusal(str(value), names):
            self.fail(refusal, param, ctx)
        now = datetime.now()  # noqa: DTZ005 - local time, whose offset a day in March has of its own
        text = bound(str(value), now, at_end=bool(names & _AT_END))
        if _DATE.fullmatch(text.strip()):
            try:
                date.fromisoformat(text.strip())
            except ValueError:
                self.fail(f"{str(value)!r} is not a date", param, ctx)
        if names & _NOT_LATER and text.isdecimal():
            return str(min(int(text), int(now.timestamp() * 1000)))
        return text


def _refusal(text: str, options: set[str]) -> str | None:
    """Why the text is not a time for these options; None where it may be one."""
    ahead = options & _MAY_BE_AHEAD
    if options & _PERIOD and is_length(text):
        length = text.strip()
        return f"{text!r} is {length} ago in other options; here, type `+{length}` for {length} from now, or a date"
    if may_be_time(text) and (ahead or not is_ahead(text)):
        return None
    relative = "`tomorrow`, `next week`, `in 3 days`, `+7d`" if ahead else "`15m`, `12h`, `7d`, `2w`"
    return (
        f"{text!r} is not a time; use 2026-11-01, 31.12.2026, 2026-11-01T09:30:00Z, epoch milliseconds, `today`, `yesterday`, "
        f"{relative}, `last week`, `this month`, `march 2026` or `2025`"
    )


class Instant(click.ParamType[int]):
    """A moment as `When` takes it, in epoch milliseconds."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Epoch milliseconds; a date is its first moment, in UTC where it names no zone."""
        text = WHEN.convert(value, param, ctx)
        try:
            return epoch_ms(text, at_end=False)
        except ValueError:
            self.fail(f"{text!r} is not a date", param, ctx)


WHEN = When()
WHEN_OR_NONE = When(removable=True)
INSTANT = Instant()


def names_of(ctx: click.Context) -> dict[str, str]:
    """The names of the running command's parameters on the command line, by the fields that they fill."""
    command = ctx.meta.get(f"{_META}command", ctx.command)
    return {
        parameter.name: parameter.opts[0] if isinstance(parameter, click.Option) else parameter.make_metavar(ctx)
        for parameter in command.params
        if parameter.name
    }


def remember_command_line(ctx: click.Context, args: Sequence[str]) -> None:
    """Keep what was typed after the name of the program."""
    ctx.meta[f"{_META}typed"] = [*args]


def typed_command(ctx: click.Context) -> str:
    """The running command as it was typed, but for keys and passwords, which do not belong in a log."""
    typed = shlex.join(["memctl", *ctx.meta.get(f"{_META}typed", ())])
    return _USER_INFO.sub("…", _KEY.sub("…", typed))


def given_options(ctx: click.Context) -> Options:
    """The options of the command line for the connection."""
    return Options(
        **{name: ctx.meta.get(_META + name) for name in ("url", "api_key", "profile", "data_dir", "as_user")}
    )


def remote(command: Command) -> Command:
    """Add --url, --api-key, --profile, --data-dir and --as."""
    option = click.option("--as", "as_user", callback=_remember, expose_value=False, metavar="USER", help=_AS)
    command = option(command)
    for name, text in (
        ("--data-dir", "Data directory of a memd on this machine."),
        ("--profile", "Profile of the config file to use."),
        ("--api-key", "API key."),
        ("--url", "Address of memd."),
    ):
        command = click.option(name, callback=_remember, expose_value=False, metavar="TEXT", help=text)(command)
    return command


def forms(*, jsonl: bool = False) -> Callable[[Command], Command]:
    """Add --json, and for lists --jsonl; the command gets a `form`."""

    def add(command: Command) -> Command:
        if jsonl:
            text = "One JSON object a line."
            command = click.option("--jsonl", "form", flag_value=Form.JSONL, type=Form, help=text)(command)
        text = "One JSON document, as memd sent it."
        command = click.option("--json", "form", flag_value=Form.JSON, type=Form, help=text)(command)
        text = "For people; the default."
        return click.option("--text", "form", flag_value=Form.TEXT, type=Form, default=Form.TEXT, help=text)(command)

    return add


def export_target(command: Command) -> Command:
    """Give an export --format (`kind`) and --to (`target`)."""
    command = click.option(
        "--to", "target", type=click.Path(path_type=Path), help="New file for jsonl, new folder for markdown."
    )(command)
    return click.option(
        "--format",
        "kind",
        type=click.Choice(["jsonl", "markdown"]),
        default="jsonl",
        show_default=True,
        help="Output format.",
    )(command)


def chosen(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given: nothing absent, repeatable ones as lists."""
    given: dict[str, Any] = {name: value for name, value in fields.items() if value not in (None, ())}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in given.items()}


def content_of(argument: str) -> str:
    """The text of a CONTENT argument; `-` reads standard input."""
    return sys.stdin.read() if argument == "-" else argument


def examples(*lines: str) -> str:
    """The epilog of a command: its examples, unwrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
