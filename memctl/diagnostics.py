"""The only writer to standard error, and the owner of the exit codes."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn, Protocol, TextIO

import click

from memctl.text import one_line, printable

if TYPE_CHECKING:
    from memctl.client.errors import Conflict

NOTE_LENGTH = 60
LINE_EVERY_S = 10.0
"""Seconds between the lines of progress where no bar can be drawn."""


class ExitCode(IntEnum):
    """The exit codes of memctl."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    NOT_REACHABLE = 3
    NOT_AUTHORISED = 4
    NOT_FOUND = 5
    REFUSED_BY_LIMIT = 6
    DONE_IN_PART = 7
    INTERRUPTED = 130
    TERMINATED = 143


class CommandError(Exception):
    """A command cannot continue; the text is for the user."""

    def __init__(self, text: str, code: ExitCode = ExitCode.UNEXPECTED) -> None:
        super().__init__(text)
        self.code = code


class Meter(Protocol):
    """Something that shows the progress of a long command."""

    def advance(self, amount: float, note: str) -> None:
        """Advance by `amount` of the total; `note` is shown next to the bar."""


class _Lines:
    """The meter when standard error is not a terminal, such as the log of a scheduled run: a line every few seconds."""

    def __init__(self, title: str, total: float | None) -> None:
        self._title = title
        self._total = total
        self._done = 0.0
        self._reported = time.monotonic()

    def advance(self, amount: float, note: str) -> None:
        """Advance, and report the progress if the last report is old."""
        self._done += amount
        now = time.monotonic()
        if now - self._reported < LINE_EVERY_S:
            return
        self._reported = now
        share = f"{self._done / self._total:.0%}" if self._total else f"{self._done:,.0f} done"
        click.echo(f"{self._title}: {share}{', ' if note else ''}{one_line(note, NOTE_LENGTH)}", err=True)


def note(text: str) -> None:
    """Print a message to standard error; above a progress bar, which takes the place of `sys.stderr`."""
    click.echo(printable(text), file=sys.stderr, err=True)


def confirm(question: str) -> None:
    """Ask on standard error; any answer but yes ends the command with exit code 2.

    Without a terminal it ends the command in the same way and reads nothing.
    """
    asked = printable(question)
    if not is_someone_there():
        give_up(f"cannot ask {asked!r} without a terminal; pass --yes to go ahead", ExitCode.USAGE)
    if not _agreed(asked):
        give_up("not confirmed; nothing was done", ExitCode.USAGE)


def is_someone_there() -> bool:
    """Whether standard input is a terminal; a pipe or a file holds data, such as the list that a script is reading, and no answers."""
    stdin: TextIO | None = sys.stdin  # None when the program was started without it
    return stdin is not None and stdin.isatty()


def _agreed(question: str) -> bool:
    """Whether the answer is yes; the end of the input is a no, Ctrl+C ends the command."""
    try:
        with _ended_by_ctrl_c():
            return click.confirm(question, err=True)
    except click.Abort as ended:
        if isinstance(ended.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        return False


@contextmanager
def _ended_by_ctrl_c() -> Generator[None]:
    """Let Ctrl+C end the wait for an answer: asyncio only cancels its task, which goes on waiting for a line."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def give_up(text: str, code: ExitCode) -> NoReturn:
    """Say what went wrong and leave."""
    note(f"memctl: {text}")
    sys.exit(int(code))


def exit_code_of(error: Exception) -> ExitCode:
    """The exit code for a failure of the client."""
    from memctl.client import errors

    if isinstance(error, CommandError):
        return error.code
    table: tuple[tuple[type[Exception] | tuple[type[Exception], ...], ExitCode], ...] = (
        ((errors.NotReachable, errors.UnusableProxy), ExitCode.NOT_REACHABLE),
        ((errors.Unauthorized, errors.Forbidden), ExitCode.NOT_AUTHORISED),
        (errors.NotFound, ExitCode.NOT_FOUND),
        (
            (errors.RateLimited, errors.StorageLimitReached, errors.ServerBusy, errors.TooLarge),
            ExitCode.REFUSED_BY_LIMIT,
        ),
        (errors.Blocked, ExitCode.UNEXPECTED),
        (errors.Invalid, ExitCode.USAGE),
    )
    return next((code for kinds, code in table if isinstance(error, kinds)), ExitCode.UNEXPECTED)


def explain(error: Exception) -> str:
    """The text for a failure of the client, with what to do about it where that is known."""
    from memctl.client import errors

    text = str(error)
    if isinstance(error, errors.Unauthorized | errors.Forbidden):
        return f"{text}: {_without_right(error.scopes if isinstance(error, errors.Forbidden) else None)}"
    if isinstance(error, errors.RateLimited | errors.ServerBusy):
        return f"{text}; try again in {error.retry_after:.0f} s"
    if isinstance(error, errors.StorageLimitReached):
        return f"{text}: the plan allows {error.body.limit:,} {error.body.resource}; see `memctl stats`"
    if isinstance(error, errors.Conflict):
        return f"{text}{_other_memory(error)}"
    if isinstance(error, errors.ApiError) and error.request_id and error.status >= 500:
        return f"{text} (request {error.request_id})"
    return text


def _other_memory(error: "Conflict") -> str:
    """The memory that is in the way of a write, if memd names one."""
    if successor := error.body.superseded_by_memory_id:
        return f" by {successor}; supersede that one"
    return f" ({error.body.existing_memory_id})" if error.body.existing_memory_id else ""


def _without_right(scopes: Sequence[str] | None) -> str:
    """What a key lacks; `scopes` are those that it has, None where it is no key of this memd."""
    if scopes is None:
        return "the key is missing or not valid here; see `memctl doctor`"
    may = f"; it may {', '.join(scopes)}" if scopes else ""
    return f"the key has no right to this{may}; see `memctl keys create --help`"


@contextmanager
def meter(title: str, total: float | None) -> Generator[Meter]:
    """A progress bar with rate and time left when standard error is a terminal; a line now and then otherwise."""
    if not sys.stderr.isatty():
        yield _Lines(title, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    noted = TextColumn("{task.fields[note]}", markup=False)
    with Progress(*columns, noted, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total, note="")

        class Bar:
            """The meter on the terminal."""

            def advance(self, amount: float, note: str) -> None:
                """Move the bar."""
                progress.update(task, advance=amount, note=one_line(note, NOTE_LENGTH))

        yield Bar()


def drawing(text: str) -> None:
    """Blocks for a camera, light on dark regardless of the colours of the terminal."""
    for line in text.splitlines():
        click.echo(click.style(line, fg="bright_white", bg="black"), err=True)


@contextmanager
def waiting(title: str) -> Generator[Callable[[str], None]]:
    """A spinner while waiting for somebody else, and what replaces its text; one line when stderr is not a terminal."""
    if not sys.stderr.isatty():
        note(title)
        yield lambda _text: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(printable(title))) as status:
        yield lambda text: status.update(Text(printable(text)))
