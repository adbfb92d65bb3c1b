"""Opens the exports of other systems: a JSON file, the .zip they are sent in, or the folder it was unpacked to."""

import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from math import isfinite
from pathlib import Path
from typing import Any, cast

from memctl.diagnostics import CommandError, ExitCode, note
from memctl.importers.archives import check_expansion
from memctl.importers.links import leaves
from memctl.importers.sections import Unreadable

SECONDS_BELOW = 100_000_000_000
"""Numbers below are seconds since the epoch, others milliseconds (contract 7.0)."""


def documents(path: Path, patterns: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The JSON documents of an export, each with its name: the file itself, or members whose name fits a pattern.

    CommandError when there is none, or when one is not JSON.
    """
    found = False
    for name, data in _contents(path, patterns):
        found = True
        try:
            yield name, json.loads(data)
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{name} is not JSON: {error}", ExitCode.USAGE) from error
    if not found:
        raise CommandError(f"{path} does not contain {' or '.join(patterns)}", ExitCode.USAGE)


def other_files(path: Path, patterns: Sequence[str]) -> Iterator[str]:
    """The files of a .zip or folder whose name fits no pattern: JSON and HTML by name, others by their kind."""
    if path.is_dir():
        names = [file.name for file in sorted(path.rglob("*")) if file.is_file()]
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [member.filename.rsplit("/", 1)[-1] for member in archive.infolist() if not member.is_dir()]
    else:
        return
    for name in names:
        suffix = Path(name).suffix.lower()
        if not _fits(name, patterns):
            yield name if suffix in {".json", ".html"} else f"*{suffix}"


def _contents(path: Path, patterns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*.json") if _fits(file.name, patterns)):
            if leaves(file, path):
                note(f"skipped {file}: a link that leaves the folder")
            else:
                yield str(file), file.read_bytes()
    elif zipfile.is_zipfile(path):
        yield from _zipped(path, patterns)
    else:
        yield str(path), path.read_bytes()


def _zipped(path: Path, patterns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist() if _fits(each.filename.rsplit("/", 1)[-1], patterns)]
            check_expansion(members)
            for member in sorted(members, key=lambda each: each.filename):
                yield f"{path}:{member.filename}", archive.read(member)
    except (Unreadable, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise CommandError(f"{path}: {error}", ExitCode.USAGE) from error


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def listed(value: Any, name: str, what: str) -> list[dict[str, Any]]:
    """The objects of a list; CommandError when the document is something else than `what`."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in cast("list[Any]", value)):
        raise CommandError(f"{name} is not {what}", ExitCode.USAGE)
    return cast("list[dict[str, Any]]", value)


def epoch_ms(value: Any) -> int | None:
    """A time as epoch milliseconds: a number of seconds or milliseconds, an ISO text, or a date; None otherwise."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        moment = value * 1000 if value < SECONDS_BELOW else value
        return round(moment) if isinstance(moment, int) or isfinite(moment) else None
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return round((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)
