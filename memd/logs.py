"""Structured logs on stderr: readable on a terminal, JSON elsewhere; never contents, keys or queries."""

import logging
import os
import re
import sys
import time
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast


@contextmanager
def _hidden(name: str) -> Generator[None]:
    """A package that is installed cannot be imported while the block runs."""
    hide = name not in sys.modules
    if hide:
        sys.modules[name] = None  # pyrefly: ignore[unsupported-operation] - documented as the way to do this
    try:
        yield
    finally:
        if hide:
            del sys.modules[name]


# structlog loads rich where it is there, which takes long, and memd shows tracebacks without it.
with _hidden("rich"):
    import structlog

log = structlog.get_logger()
REPEATED_S: Final = 30
"""Seconds in which a warning that repeats is logged once."""
KINDS_MAX: Final = 1_000
"""Kinds of warnings that are remembered: the texts of some libraries hold what a client sent."""
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that a terminal may take for a command or a change of text direction; line breaks and tabs stay."""


class _Lines:
    """stderr for logs. A line that cannot be written, because the disk is full or the reader has gone, is dropped."""

    def write(self, text: str) -> None:
        """Write a line, or drop it."""
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """Send what was written."""
        with suppress(OSError):
            sys.stderr.flush()


def say(text: str) -> None:
    """Print the first lines for a person on stdout; if that fails, all further output to stdout is discarded."""
    try:
        print(text, flush=True)  # noqa: T201 - for a person
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # or the interpreter would flush the rest at exit, and fail
        os.close(nowhere)


def harmless(text: str) -> str:
    """A text without control characters: a path, the name of a host or a foreign file must not command a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _harmless(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The values without control characters."""
    return {name: harmless(value) if isinstance(value, str) else value for name, value in event.items()}


class Repeats:
    """Recognises warnings that repeat within half a minute, such as one for each attempt to reach a server that is down."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}

    def is_new(self, kind: str) -> bool:
        """Whether a warning of this kind is due: the first one in half a minute."""
        now = time.monotonic()
        if now - self._logged_at.get(kind, -REPEATED_S) < REPEATED_S:
            return False
        if len(self._logged_at) >= KINDS_MAX:
            self._logged_at.clear()
        self._logged_at[kind] = now
        return True


class _Repeated(logging.Filter):
    """Drops repeated warnings of libraries; two are the same if their texts are, without the inserted values."""

    def __init__(self) -> None:
        super().__init__()
        self._repeats = Repeats()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        return record.levelno > logging.WARNING or self._repeats.is_new(f"{record.name}: {record.msg}")


class _OfLibraries(logging.Handler):
    """Logs what libraries log, such as uvicorn, in the form of our own lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        try:
            level = min(max(record.levelno // 10 * 10, logging.DEBUG), logging.CRITICAL)
            log.log(level, record.getMessage(), logger=record.name, exc_info=record.exc_info or None)
        except Exception:  # noqa: BLE001 - as every handler: what cannot be logged stops nothing
            self.handleError(record)


def configure(level: str, process: str | None = None) -> None:
    """Set up structlog, and send what libraries log the same way.

    Several processes write to one stream; `process` names one of them in each of its lines.
    """

    def name_process(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return event if process is None else {**event, "process": process}

    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    # A traceback of rich would show the variables of a failed function, contents among them.
    terminal = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    rendering = [_harmless, terminal] if sys.stderr.isatty() else [structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            name_process,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            *rendering,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Lines())),
    )
    handler = _OfLibraries()
    handler.addFilter(_Repeated())
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler])
