"""Markdown files as memories, chunks and knowledge bases: an export's folder, or notes of one's own."""

from collections.abc import Iterator
from pathlib import Path

from memctl.diagnostics import note
from memctl.importers.decoding import FALLBACK, encoding_of
from memctl.importers.front_matter import BrokenFrontMatter
from memctl.importers.jsonl import record_of_row
from memctl.importers.links import leaves
from memctl.importers.memory_files import BASE, row_of_file
from memctl.importers.pieces import Refusal
from memctl.importers.records import LeftOut, Record
from memctl.importers.sections import Unreadable

SUFFIXES = {".md", ".markdown"}
IN_FALLBACK = "not UTF-8; read as Windows-1252"


def read_markdown(path: Path, channel: str | None) -> Iterator[Record]:
    """One record for each file of a folder, by name; the names of knowledge bases come before those of their chunks.

    Files of other kinds, such as pictures, are left out.
    """
    if not path.is_dir():
        yield _record(path, channel)
        return
    for file in sorted(path.rglob("*")):
        if any(part.startswith(".") for part in file.relative_to(path).parts):
            continue
        if file.suffix.lower() not in SUFFIXES:
            yield from [LeftOut(f"file *{file.suffix.lower()}")] if file.is_file() else []
        elif leaves(file, path):
            yield LeftOut(f"link that leaves the folder: {file}")
        elif file.exists() and not file.is_file():  # a pipe would never end
            yield LeftOut(f"not a regular file: {file}")
        else:
            yield _record(file, channel)


def _record(path: Path, channel: str | None) -> Record:
    """The record of a file, whose text is decoded as for a knowledge base; one without text is left out."""
    try:
        encoding = encoding_of(path)
        with path.open(encoding=encoding, newline="") as file:
            kind, row = row_of_file(file.read(), path.name)
    except OSError as error:
        return Refusal(str(path), error.strerror or str(error))
    except UnicodeError:
        return Refusal(str(path), "not text in UTF-8, UTF-16 or Windows-1252")
    except (Unreadable, BrokenFrontMatter) as error:
        return Refusal(str(path), str(error))
    if encoding == FALLBACK:
        note(f"{path}: {IN_FALLBACK}")
    if kind == BASE:
        return record_of_row({"knowledgeBase": row}, str(path), channel)
    if not row["content"].strip():
        return LeftOut(f"file without text: {path}")
    return record_of_row(row, str(path), channel)
