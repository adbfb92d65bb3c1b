"""The ledger of acknowledged chunks: an interrupted run continues where it stopped, and a second one sends only changes.

One file of JSON lines per server and knowledge base. An entry is a chunk's key and fingerprint, a line with `sent` one
that was sent and perhaps not stored; a line with counts is the state of the knowledge base after a batch; a line with a
root is an imported path and the folder that its keys are relative to. The entries are trusted while the knowledge base
is still in that state.
"""

import asyncio
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from memctl.client import MemdClient
from memctl.diagnostics import CommandError, note
from memctl.importers.pieces import TEXT_DIGITS, Piece, content_key, text_fingerprint
from memctl.importers.sendable import is_sendable

LOCK_EVERY_S = 0.2
"""Seconds between attempts to get the lock of a ledger."""


class BaseState(NamedTuple):
    """The state of a knowledge base, to notice changes: its chunks, their characters, and when they last changed (epoch ms)."""

    chunks: int
    chars: int
    changed: int


class Ledger:
    """The acknowledged chunks of one knowledge base; open it with `with`, which reads what other imports have written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = 0
        self.entries: dict[str, str] = {}
        self._sent: dict[str, str] = {}
        self.state: BaseState | None = None
        self.roots: dict[str, str] = {}

    @classmethod
    def of(cls, folder: Path, url: str, knowledge_base_id: str) -> Self:
        """The ledger of a knowledge base on a server, whose id is the server's word: it names no other folder."""
        server = hashlib.sha256(url.encode()).hexdigest()[:16]
        return cls(folder / "imports" / f"{server}-{re.sub(r'[^0-9a-z_]', '_', knowledge_base_id)}.jsonl")

    @classmethod
    async def lock_exports(cls, folder: Path, url: str) -> IO[str]:
        """The lock of imports that fill several knowledge bases of a server, one such import at a time.

        Each locks its ledgers in the order of its lines: two could wait for each other. As `lock`.
        """
        return await cls.of(folder, url, "exports").lock("another import of an export")

    async def lock(self, awaited: str = "another import into the same knowledge base") -> IO[str]:
        """The lock of this ledger, which closing it releases; waits, and says for what, while another import has it.

        Two imports at the same time would both send the chunks that neither finds in the ledger. `CommandError` as when
        the ledger is opened.
        """
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with ExitStack() as opened:
                lock = opened.enter_context(self._path.with_suffix(".lock").open("a"))
                await _wait_for(lock, awaited)
                opened.pop_all()
        except OSError as error:
            raise self._unusable(error) from error
        return lock

    def __enter__(self) -> Self:
        """Read what is there; a last line that was cut off is skipped, and new lines begin after it.

        `CommandError` when the file cannot be read and written.
        """
        try:
            self._open()
        except OSError as error:
            raise self._unusable(error) from error
        return self

    def _unusable(self, error: OSError) -> CommandError:
        reason = error.strerror or str(error)
        return CommandError(
            f"cannot record the import in {self._path.parent}: {reason}; set MEMCTL_STATE_DIR to another folder"
        )

    def _open(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lines, self.state = 0, None
        for known in (self.entries, self._sent, self.roots):
            known.clear()
        *lines, rest = self._path.read_text("utf-8", "replace").split("\n") if self._path.exists() else [""]
        for line in (*lines, rest):
            self._take(line)
        self._file = os.fdopen(
            os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8"
        )
        if rest:
            self._file.write("\n")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, and rewrite the file when most of its lines are out of date."""
        self._file.close()
        if self._lines > 3 * len(self.entries) + len(self.roots) + 100:
            self._rewrite()

    def _take(self, line: str) -> None:
        """Take in a line; one that no ledger writes is skipped, so that its chunk is sent again."""
        try:
            read: Any = json.loads(line)
        except (ValueError, RecursionError):
            return
        self._lines += 1
        match read if is_sendable(read) else None:
            case {"chunks": int(chunks), "chars": int(chars), "changed": int(changed)}:
                self.state = BaseState(chunks, chars, changed)
            case {"root": str(root), "base": str(base)}:
                self.roots[root] = base
            case {"key": str(key), "sent": str(digest)}:
                self._sent[key] = digest
            case {"key": str(key), "gone": True}:
                self.entries.pop(key, None)
            case {"key": str(key), "print": str(digest)}:
                self.entries[key] = digest
                self._sent.pop(key, None)
            case _:
                pass

    def _append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        texts = [json.dumps(line, ensure_ascii=False) for line in lines]
        self._lines += len(texts)
        self._file.write("".join(f"{text}\n" for text in texts))
        self._file.flush()

    def _rewrite(self) -> None:
        draft = self._path.with_suffix(".draft")
        lines: list[Mapping[str, Any]] = [{"key": key, "print": digest} for key, digest in self.entries.items()]
        lines += [{"key": key, "sent": digest} for key, digest in self._sent.items()]
        lines += [{"root": root, "base": base} for root, base in self.roots.items()]
        if self.state:
            lines.append(self.state._asdict())
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_TRUNC | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        draft.replace(self._path)

    def remember_roots(self, bases: Mapping[str, Path]) -> None:
        """Remember the folder that the keys of each imported path are relative to."""
        roots = {str(Path(path).resolve()): str(base.resolve()) for path, base in bases.items()}
        new = {root: base for root, base in roots.items() if self.roots.get(root) != base}
        self.roots.update(new)
        self._append({"root": root, "base": base} for root, base in new.items())

    def holds(self, piece: Piece) -> bool:
        """Whether the chunk was acknowledged with its current content."""
        return self.entries.get(piece.key) == piece.fingerprint

    def holds_text(self, piece: Piece) -> bool:
        """Whether a chunk with this key was acknowledged with the same title and content, but something else differs."""
        entry = self.entries.get(piece.key, "")
        return entry != piece.fingerprint and entry[:TEXT_DIGITS] == piece.fingerprint[:TEXT_DIGITS]

    def expect(self, pieces: Iterable[Piece]) -> None:
        """Remember chunks that are about to be sent: a run that ends before the answer may leave them stored."""
        marks = {piece.key: piece.fingerprint for piece in pieces}
        self._sent.update(marks)
        self._append({"key": key, "sent": digest} for key, digest in marks.items())

    def acknowledge(self, pieces: Iterable[Piece], state: BaseState) -> None:
        """Remember stored chunks, and the state of the knowledge base after them."""
        marks = {piece.key: piece.fingerprint for piece in pieces}
        self.entries.update(marks)
        for key in marks:
            self._sent.pop(key, None)
        self.state = state
        self._append([*({"key": key, "print": digest} for key, digest in marks.items()), state._asdict()])

    def drop(self, keys: Iterable[str]) -> None:
        """Forget chunks that are no longer there."""
        dropped = [key for key in keys if self.entries.pop(key, None)]
        self._append({"key": key, "gone": True} for key in dropped)

    async def reconcile(self, client: MemdClient, knowledge_base_id: str) -> None:
        """Compare with the knowledge base when its state is not the one remembered; keep what is really there."""
        row = await client.knowledge_bases.show(knowledge_base_id, 1)
        state = BaseState(row.chunk_count, row.total_chars, row.updated_at)
        if not (self.entries or self._sent) or self.state == state:
            return
        stored: dict[str, str] = {}
        async for chunk in client.knowledge_bases.chunks(knowledge_base_id):
            key = chunk.dedupe_key or content_key(chunk.content)
            stored[key] = text_fingerprint(chunk.title, chunk.content)
        arrived = {
            key: digest
            for key, digest in self._sent.items()
            if stored.get(key) == digest[:TEXT_DIGITS]
            and self.entries.get(key, "")[:TEXT_DIGITS] != digest[:TEXT_DIGITS]
        }
        self.drop([key for key, digest in self.entries.items() if stored.get(key) != digest[:TEXT_DIGITS]])
        self.entries.update(arrived)
        self._append({"key": key, "print": digest} for key, digest in arrived.items())


async def _wait_for(lock: IO[str], awaited: str) -> None:
    """Wait until this process has the lock of the file. OSError where the file system has no locks."""
    said = False
    while not _is_locked(lock):
        if not said:
            note(f"waiting for {awaited}")
        said = True
        await asyncio.sleep(LOCK_EVERY_S)


def _is_locked(file: IO[str]) -> bool:
    """Whether this process now has the lock of the file."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
