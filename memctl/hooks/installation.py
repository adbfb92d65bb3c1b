"""Writes hooks into files of agents, and takes them out again: byte for byte when the file has not been edited since.

The original of each file is kept in the folder of the hooks until the hooks are removed.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from memctl.hooks.events import digest
from memctl.hooks.state import State, write_private
from memctl.new_file import replace_file
from memctl.settings_diff import difference

_NEW_FILE: Final = 0o600


class FileChange(NamedTuple):
    """The current and the new content of a file; None: there is no such file."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def difference(self) -> str:
        """The changes, line by line, with secrets masked."""
        old, new = ((content or b"").decode("utf-8", "replace") for content in (self.before, self.after))
        return difference(self.path, old, new)


class Record(NamedTuple):
    """The content of a file before hooks were written to it, and the SHA-256 of its content afterwards."""

    client: str
    path: Path
    original: bytes | None
    written: str
    folders: tuple[str, ...]


def content_of(path: Path) -> bytes | None:
    """The content of a file; None when there is none. OSError when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def records(state: State) -> Iterator[Record]:
    """The files that hooks were written to."""
    with suppress(FileNotFoundError):
        for file in sorted(state.installed.iterdir()):
            if file.suffix == ".json" and (record := _read(file)):
                yield record


def record_of(state: State, path: Path) -> Record | None:
    """The record of a file."""
    return _read(_file(state, path))


def original_of(state: State, path: Path, current: bytes | None) -> tuple[bool, bytes | None]:
    """Whether the file is still as it was written, and its content from before; None if there was no file."""
    record = record_of(state, path)
    if record is None or current is None or _sha256(current) != record.written:
        return False, None
    return True, record.original


def install(state: State, client: str, change: FileChange, original: bytes | None) -> None:
    """Write a file with hooks and remember its original first. OSError when it cannot be written."""
    known = record_of(state, change.path)
    folders = known.folders if known else tuple(map(str, _missing_folders(change.path.resolve().parent)))
    record = {
        "client": client,
        "path": str(change.path),
        "original": None if original is None else base64.b64encode(original).decode(),
        "written": _sha256(change.after or b""),
        "folders": folders,
    }
    write_private(_file(state, change.path), json.dumps(record))
    _write(change)


def uninstall(state: State, change: FileChange) -> None:
    """Write a file without hooks, or remove it with the folders that were made for it. OSError when that fails."""
    record = record_of(state, change.path)
    _write(change)
    if record is not None and change.after is None:
        for folder in record.folders:
            with suppress(OSError):  # something else is in it
                Path(folder).rmdir()
    _file(state, change.path).unlink(missing_ok=True)


def _write(change: FileChange) -> None:
    path = change.path.resolve()  # a link to a file elsewhere stays one
    if change.after is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, change.after, path.stat().st_mode & 0o777 if path.exists() else _NEW_FILE)


def _missing_folders(folder: Path) -> list[Path]:
    """The folders that will be made for a file, the innermost first."""
    return [each for each in (folder, *folder.parents) if not each.exists()]


def _file(state: State, path: Path) -> Path:
    return state.installed / f"{digest(str(path))}.json"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(file: Path) -> Record | None:
    try:
        read = cast("dict[str, Any]", json.loads(file.read_text("utf-8")))
        original = None if read["original"] is None else base64.b64decode(read["original"])
        return Record(read["client"], Path(read["path"]), original, read["written"], tuple(read["folders"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
