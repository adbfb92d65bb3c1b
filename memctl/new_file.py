"""Files that appear under their name when they are complete; those of private text can be read by their owner only."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from memctl.diagnostics import CommandError, ExitCode


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Replace a file in one step, or make it; no other user can read it before it has its mode. OSError."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).chmod(mode)
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def refuse_existing(target: Path) -> None:
    """CommandError when `target` is a file or folder; a pipe or a device may be written to."""
    if target.is_file() or target.is_dir():
        raise CommandError(f"{target} exists; choose a new one", ExitCode.USAGE)


@contextmanager
def complete_file(target: Path) -> Generator[TextIO]:
    """A text file that replaces `target` when the block ends, mode 0600; a failure leaves `target` as it was.

    What is not a regular file (a pipe, a device) is written to directly. Raises OSError.
    """
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8") as file:
            yield file
        return
    target = target.resolve()  # what a symbolic link points to is replaced, not the link
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")  # mode 0600
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
