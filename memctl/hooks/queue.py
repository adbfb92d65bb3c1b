"""The queue of entries to store, on disk until memd has them: a file for each entry, oldest first.

One process delivers at a time. An entry that was sent without an answer keeps a mark, so that the next attempt first asks
whether memd stored it. What memd refuses permanently is kept in a folder of its own, from where it can be sent again.
"""

import fcntl
import json
import os
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from memctl.hooks.state import private_folder, write_private

MAX_ENTRIES: Final = 2_000
MAX_BYTES: Final = 64 * 1024 * 1024
"""Beyond either bound the oldest entries are dropped."""
_SUFFIX: Final = ".json"
_SENT: Final = ".sent"
_REFUSED: Final = "refused"
_CONNECTION: Final = "connection"


class Entry(NamedTuple):
    """An entry with its file; `was_sent`: an earlier attempt may have reached memd."""

    path: Path
    content: dict[str, Any]
    was_sent: bool


class Queue(NamedTuple):
    """The folder of one connection."""

    folder: Path

    @property
    def refused(self) -> "Queue":
        """The entries that memd has refused; each says why in the field `refused`."""
        return Queue(self.folder / _REFUSED)

    @property
    def connection(self) -> str:
        """Where the entries are to be delivered, in words."""
        with suppress(OSError):
            return (self.folder / _CONNECTION).read_text("utf-8")
        return "an unknown connection"

    def describe(self, connection: str) -> None:
        """Keep where the entries are to be delivered, in words."""
        if not (self.folder / _CONNECTION).exists():
            write_private(self.folder / _CONNECTION, connection)

    def add(self, content: dict[str, Any]) -> None:
        """Store an entry; it survives a power cut from here on."""
        write_private(self.folder / f"{time.time_ns():020}-{os.getpid()}{_SUFFIX}", json.dumps(content))

    def files(self) -> list[Path]:
        """The entries, oldest first."""
        with suppress(FileNotFoundError):
            return sorted(path for path in self.folder.iterdir() if path.suffix == _SUFFIX)
        return []

    def entries(self) -> Iterator[Entry]:
        """The waiting entries, oldest first; a file that cannot be read is removed."""
        for path in self.files():
            try:
                content = cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
            except FileNotFoundError:
                continue
            except (OSError, ValueError):
                path.unlink(missing_ok=True)
                continue
            yield Entry(path, content, _mark(path).exists())

    @staticmethod
    def mark_sent(entry: Entry) -> None:
        """Note that the entry is about to be sent."""
        _mark(entry.path).touch(mode=0o600)

    @staticmethod
    def remove(entry: Entry) -> None:
        """Remove an entry that memd has, or never will."""
        entry.path.unlink(missing_ok=True)
        _mark(entry.path).unlink(missing_ok=True)

    def refuse(self, entry: Entry, reason: str) -> None:
        """Move an entry to those that memd has refused."""
        write_private(self.refused.folder / entry.path.name, json.dumps({**entry.content, "refused": reason}))
        self.remove(entry)
        self.refused.drop_oldest()

    def retry(self) -> int:
        """Put what memd has refused back into the queue; returns the number of entries."""
        files = self.refused.files()
        for path in files:
            path.replace(self.folder / path.name)
        return len(files)

    def drop_oldest(self) -> int:
        """Keep the bounds of the queue; returns the number of entries that were dropped."""
        dropped = count = size = 0
        for path in reversed(self.files()):
            with suppress(FileNotFoundError):
                count, size = count + 1, size + path.stat().st_size
                if count > MAX_ENTRIES or size > MAX_BYTES:
                    self.remove(Entry(path, {}, was_sent=False))
                    dropped += 1
        return dropped

    @contextmanager
    def locked(self) -> Generator[bool]:
        """Whether this process is the one that delivers until the end of the block; the lock ends with the process."""
        private_folder(self.folder)
        with (self.folder / "lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True


def _mark(path: Path) -> Path:
    return path.with_suffix(_SENT)
