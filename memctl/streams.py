"""The standard streams of the process."""

import io
import os
import sys
from pathlib import Path
from typing import TextIO


def write_any_text() -> None:
    """Let standard output take every character whatever the locale: a pipe or a file gets UTF-8, a terminal its own encoding with `?`."""
    stream = sys.stdout
    if not isinstance(stream, io.TextIOWrapper) or stream.encoding == "utf-8":
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8")


def read_utf8() -> None:
    """Read UTF-8 from a pipe or a file in every locale, as other programs and memctl itself write it; a terminal has its own encoding.

    A byte order mark, which some programs on Windows write, is no part of the text. A standard input that the parent has
    closed (`<&-`) is an empty one.
    """
    stream: TextIO | None = sys.stdin
    if stream is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - it is read until the end of the process
    elif isinstance(stream, io.TextIOWrapper) and not stream.isatty():
        stream.reconfigure(encoding="utf-8-sig", errors=stream.errors)


def leave_output() -> None:
    """Send what is still to be written to standard output nowhere, so that the end of the program is not another error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
