"""The files behind the PATH arguments of an import."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from memctl.diagnostics import CommandError, ExitCode
from memctl.importers import json_lists
from memctl.importers.decoding import lines_of
from memctl.importers.documents import FORMATS, is_read_in_fallback
from memctl.importers.links import leaves
from memctl.importers.markup import markdown_parts
from memctl.importers.pieces import Piece, Refusal, Remark, Skipped, pieces_of, pieces_of_lines, pieces_of_list
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.sections import Document, Unreadable, nest
from memctl.importers.sendable import REASON, is_sendable, sendable_name

STDIN = "-"
LINES = {".jsonl", ".ndjson"}
NO_TEXT = "no text to import"


@dataclass(frozen=True, slots=True)
class Source:
    """A file to import (None is standard input), the name its keys begin with, and its size in bytes.

    `skipped` says why a file is not read, such as a link that leaves its folder.
    """

    path: Path | None
    name: str
    size: int
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Which files of a folder count: patterns are matched against the path below it and against the file's name."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def admits(self, below: str) -> bool:
        """Whether a file counts; without `include`, files of a known format do."""
        if any(_matches(below, pattern) for pattern in self.exclude):
            return False
        if self.include:
            return any(_matches(below, pattern) for pattern in self.include)
        return Path(below).suffix.lower() in FORMATS.keys() | LINES


def _matches(below: str, pattern: str) -> bool:
    return fnmatch(below, pattern) or fnmatch(below.rsplit("/", 1)[-1], pattern)


def find_sources(paths: Sequence[str], filters: Filters, base: Path) -> list[Source]:
    """The files, folders in order of name; what is hidden is skipped. CommandError for a path that is not there."""
    sources: list[Source] = []
    for text in paths:
        path = Path(text)
        if text == STDIN:
            sources.append(Source(None, "stdin", 0))
        elif path.is_dir():
            sources += [_source(file, path, base) for file in _files_below(path, filters)]
        elif path.exists():
            sources.append(_source(path, path, base))
        else:
            raise CommandError(f"{text}: no such file or folder", ExitCode.USAGE)
    return sources


def _files_below(folder: Path, filters: Filters) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        away = [name for name in folders if leaves(Path(root) / name, folder)]
        for name in sorted([*files, *away]):
            path = Path(root) / name
            if name in away or (not name.startswith(".") and filters.admits(path.relative_to(folder).as_posix())):
                yield path


def _source(path: Path, given: Path, base: Path) -> Source:
    name = name_of(path, given, base)
    if not is_sendable(name):
        return Source(path, sendable_name(name), 0, "a name that is not UTF-8")
    if path != given and leaves(path, given):
        return Source(path, name, 0, "a link that leaves the folder")
    try:
        found = path.stat()
    except OSError:  # a link to nowhere: reading it says so
        return Source(path, name, 0)
    if path != given and not stat.S_ISREG(found.st_mode):  # a pipe would never end; one that is named is meant
        return Source(path, name, 0, "not a regular file")
    return Source(path, name, found.st_size)


def name_of(path: Path, given: Path, base: Path) -> str:
    """The path below `base` with slashes; outside of it, the path from the name of the `given` argument on."""
    argument, home = given.resolve(), base.resolve()
    top = argument.relative_to(home) if argument.is_relative_to(home) else Path(argument.name)
    return (top / path.relative_to(given)).as_posix()


def read_pieces(
    reader: ReaderProcess, sources: Sequence[Source], chunk_size: int, title: str | None
) -> Iterator[Piece | Refusal | Skipped | Remark]:
    """The chunks of every source in order.

    A file that cannot be read is one refusal, as is a chunk that cannot be sent; a file without text is one remark.
    """
    for each in _read(reader, sources, chunk_size, title):
        if isinstance(each, Piece) and not is_sendable(each.chunk.model_dump()):
            yield Refusal(each.origin, REASON)
        else:
            yield each


def _read(
    reader: ReaderProcess, sources: Sequence[Source], chunk_size: int, title: str | None
) -> Iterator[Piece | Refusal | Skipped | Remark]:
    """What each source holds; a source that holds nothing, such as a scanned PDF, is remarked on."""
    for source in sources:
        found = False
        for each in _read_source(reader, source, chunk_size, title):
            found = True
            yield each
        if not found:
            yield Remark(source.name, NO_TEXT)


def _read_source(
    reader: ReaderProcess, source: Source, chunk_size: int, title: str | None
) -> Iterator[Piece | Refusal | Skipped | Remark]:
    if source.skipped:
        yield Skipped(source.name, source.skipped)
    elif source.path is None and title is not None:
        sections = nest(markdown_parts(sys.stdin.read()))
        yield from pieces_of(title, Document("markdown", sections), chunk_size, 0)
    elif source.path is None or source.path.suffix.lower() in LINES:
        yield from _read_lines(source)
    elif source.path.suffix.lower() == json_lists.SUFFIX:
        yield from _read_json(reader, source.path, source, chunk_size)
    else:
        yield from _read_file(reader, source.path, source, chunk_size)


def _read_file(
    reader: ReaderProcess, path: Path, source: Source, chunk_size: int
) -> Iterator[Piece | Refusal | Remark]:
    try:
        yield from pieces_of(source.name, reader.read(path), chunk_size, source.size)
        if is_read_in_fallback(path):
            yield Remark(source.name, "not UTF-8; read as Windows-1252")
    except (Unreadable, OSError) as error:
        yield Refusal(source.name, _reason(error))


def _read_json(
    reader: ReaderProcess, path: Path, source: Source, chunk_size: int
) -> Iterator[Piece | Refusal | Remark]:
    """Each element of a list of chunks; other JSON as plain text, which is remarked on."""
    try:
        elements = json_lists.chunk_list(path)
    except (Unreadable, OSError) as error:
        yield Refusal(source.name, _reason(error))
        return
    if elements is not None:
        yield from pieces_of_list(source.name, elements, source.size)
        return
    read = [*_read_file(reader, path, source, chunk_size)]
    yield from read
    if any(isinstance(each, Piece) for each in read):
        yield Remark(source.name, json_lists.NOT_A_LIST)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _read_lines(source: Source) -> Iterator[Piece | Refusal]:
    try:
        yield from pieces_of_lines(source.name, lines_of(source.path))
    except OSError as error:
        yield Refusal(source.name, _reason(error))
