"""Files under `/memories` as keyed memories: the six commands of the memory tool, and their answers in its words."""

from collections.abc import Iterable
from posixpath import normpath
from typing import Final

from memctl.client.errors import Blocked, Invalid, NotFound
from memctl.client.models import CaptureRequest, MemorySearchRequest
from memctl.client.sync import SyncMemdClient
from memctl.wire.enums import Store
from memctl.wire.limits import CONTENT_MAX, KEY_MAX

NAMESPACE: Final = "anthropic-memory"
ROOT: Final = "/memories"
_EMPTY: Final = "(empty file)"
_LEVELS: Final = 2
_SNIPPET: Final = 2


class FileProblem(Exception):
    """The error that the model gets for a command that fails."""


class MemoryFiles:
    """The files of one user; a file has at most 50,000 characters and a path 200."""

    def __init__(self, client: SyncMemdClient) -> None:
        self._client = client

    def view(self, path: str, lines: list[int] | None = None) -> str:
        """A file with line numbers (from 1; `lines` are the first and the last, -1 for the end), or a directory."""
        name = _checked(path)
        text = self._read(name)
        if text is not None:
            return f"Here's the content of {path} with line numbers:\n" + "\n".join(_numbered(text, lines))
        below = self._below(name)
        if not below and name != ROOT:
            raise FileProblem(f"The path {path} does not exist. Please provide a valid path.")
        header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        entries = [f"{_size(below.values())}\t{path}", *_listing(name, below)]
        return header + "\n" + "\n".join(entries)

    def create(self, path: str, text: str) -> str:
        """Write a new file."""
        name = _checked(path)
        if self._exists(name):
            raise FileProblem(f"File {path} already exists")
        self._write(name, text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> str:
        """Replace a text that occurs exactly once."""
        name, text = self._file(path)
        if old not in text:
            raise FileProblem(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        if text.count(old) > 1:
            where = [str(number) for number, line in enumerate(text.split("\n"), 1) if old in line]
            occurrences = (
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {', '.join(where)}."
            )
            raise FileProblem(f"{occurrences} Please ensure it is unique")
        at = text[: text.index(old)].count("\n") + 1
        edited = text.replace(old, new)
        self._write(name, edited)
        shown = [max(1, at - _SNIPPET), at + new.count("\n") + _SNIPPET]
        header = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return header + "\n" + "\n".join(_numbered(edited, shown))

    def insert(self, path: str, line: int, text: str) -> str:
        """Insert text after a line; 0 is the beginning."""
        name, before = self._file(path)
        lines = before.removesuffix("\n").split("\n") if before else []
        if not 0 <= line <= len(lines):
            raise FileProblem(
                f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
            )
        lines.insert(line, text.rstrip("\n"))
        self._write(name, "\n".join(lines).removesuffix("\n") + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Delete a file, or a directory with all files below it; the memories are archived."""
        name = _checked(path)
        if name == ROOT:
            raise FileProblem("Cannot delete the /memories directory itself")
        if not self._remove(name):
            raise FileProblem(f"The path {path} does not exist")
        return f"Successfully deleted {path}"

    def rename(self, old: str, new: str) -> str:
        """Move a file or a directory."""
        source, target = _checked(old), _checked(new)
        if ROOT in {source, target}:
            raise FileProblem("Cannot rename the /memories directory itself")
        text = self._read(source)
        moved = {source: text} if text is not None else self._below(source)
        if not moved:
            raise FileProblem(f"The path {old} does not exist")
        if self._exists(target):
            raise FileProblem(f"The destination {new} already exists")
        for name, content in moved.items():
            self._write(_checked(target + name.removeprefix(source)), content)
            self._client.memories.delete_by_key(name, NAMESPACE)
        return f"Successfully renamed {old} to {new}"

    def clear(self) -> str:
        """Delete every file."""
        self._remove(ROOT)
        return "All memory cleared"

    def _file(self, path: str) -> tuple[str, str]:
        """The name and the text of a file that must be there."""
        name = _checked(path)
        text = self._read(name)
        if text is not None:
            return name, text
        problem = "is not a file." if self._below(name) else "does not exist. Please provide a valid path."
        raise FileProblem(f"The path {path} {problem}")

    def _exists(self, name: str) -> bool:
        return name == ROOT or self._read(name) is not None or bool(self._below(name))

    def _read(self, name: str) -> str | None:
        try:
            row = self._client.memories.by_key(name, NAMESPACE)
        except NotFound:
            return None
        return _text(row.content)

    def _below(self, name: str) -> dict[str, str]:
        """The files below a directory with their texts, by name."""
        rows = self._client.memories.search_all(MemorySearchRequest(namespace=NAMESPACE))
        found = {row.key or "": _text(row.content) for row in rows}
        return {key: found[key] for key in sorted(found) if key.startswith(f"{name}/")}

    def _write(self, name: str, text: str) -> None:
        if len(text) > CONTENT_MAX:
            raise FileProblem(f"{name} would have {len(text):,} characters; {CONTENT_MAX:,} are possible")
        content = text if text.strip() else _EMPTY
        row = CaptureRequest(title=name, content=content, namespace=NAMESPACE, key=name, store=Store.SEMANTIC)
        try:
            self._client.memories.capture(row)
        except Blocked as blocked:
            raise FileProblem(f"{name} was not written. {blocked}") from blocked
        except Invalid as refused:
            raise FileProblem(f"{name} cannot be written. {refused}") from refused

    def _remove(self, name: str) -> bool:
        """Archive a file, or all files below a directory; returns whether there were any."""
        names = [name] if self._read(name) is not None else list(self._below(name))
        for each in names:
            self._client.memories.delete_by_key(each, NAMESPACE)
        return bool(names)


def _text(content: str) -> str:
    return "" if content == _EMPTY else content


def _checked(path: str) -> str:
    """The plain form of a path; FileProblem for one outside of `/memories`."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise FileProblem(f"Path must start with /memories, got: {path}")
    name = normpath(path)
    if name != ROOT and not name.startswith(f"{ROOT}/"):
        raise FileProblem(f"Path {path} would escape /memories directory")
    if len(name) > KEY_MAX:
        raise FileProblem(f"Path {path} is too long: {KEY_MAX} characters are possible")
    return name


def _numbered(text: str, lines: list[int] | None) -> list[str]:
    every = text.split("\n")
    first, last = (lines[0], lines[1]) if lines and len(lines) > 1 else (1, -1)
    end = len(every) if last == -1 else last
    return [f"{number:>6}\t{line}" for number, line in enumerate(every, 1) if first <= number <= end]


def _listing(directory: str, files: dict[str, str]) -> list[str]:
    """The files and directories up to two levels below a directory, each with its size."""
    entries: dict[str, list[str]] = {}
    for name, text in files.items():
        parts = name.removeprefix(f"{directory}/").split("/")
        for depth in range(1, min(len(parts), _LEVELS) + 1):
            path = "/".join([directory, *parts[:depth]]) + ("/" if depth < len(parts) else "")
            entries.setdefault(path, []).append(text)
    visible = {path: texts for path, texts in entries.items() if "/." not in path}
    return [f"{_size(texts)}\t{path}" for path, texts in sorted(visible.items())]


def _size(texts: Iterable[str]) -> str:
    """The bytes of texts, in the form of `du -h`."""
    size = float(sum(len(text.encode()) for text in texts))
    for unit in ("B", "K", "M"):
        if size < 1024:
            return f"{size:.0f}{unit}" if unit == "B" else f"{size:.1f}{unit}"
        size /= 1024
    return f"{size:.1f}G"
