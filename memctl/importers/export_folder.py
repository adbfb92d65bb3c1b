"""A folder of Markdown files that holds an export: `memories/`, and a folder for each knowledge base."""

import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memctl.diagnostics import CommandError, ExitCode
from memctl.importers.memory_files import file_of_base, file_of_row
from memctl.text import day_of

SLUG_LENGTH = 60
SLUG_BYTES = 180
"""A file's name has at most 255 bytes, of which the day and the tail of the id take 24."""
PRIVATE = 0o600
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
ID_TAIL = 8
"""Letters of an id at its end, which are random: they keep files of equal titles apart."""


class ExportFolder:
    """Writes rows into a folder that is new or empty; CommandError otherwise."""

    def __init__(self, path: Path) -> None:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise CommandError(f"{path} exists and is not an empty folder; choose a new one", ExitCode.USAGE)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", ExitCode.USAGE) from error
        self._path = path
        self._bases: dict[str, Path] = {}

    def write(self, row: Mapping[str, Any]) -> None:
        """One file for a memory, a chunk, or the description of a knowledge base."""
        if "knowledgeBase" in row:
            self._write_base(row["knowledgeBase"])
            return
        base = self._bases.get(row.get("knowledgeBaseId") or "")
        name = f"{_named(row['title'], row['id'])}.md"
        if base is None:
            _put(self._path / "memories" / f"{day_of(row['createdAt'])}-{name}", file_of_row(row))
        else:
            _put(base / name, file_of_row(row))

    def _write_base(self, row: Mapping[str, Any]) -> None:
        folder = self._path / "knowledge-bases" / _named(row["name"], row["id"])
        self._bases[row["id"]] = folder
        _put(folder / "!knowledge-base.md", file_of_base(row))


def _named(title: str, row_id: str) -> str:
    """The name of a file or folder. Both texts are memd's, or those of who poses as it, so neither names another folder."""
    return f"{_slug(title)}-{re.sub(r'[^0-9a-z]', '', row_id)[-ID_TAIL:]}"


def _slug(title: str) -> str:
    """A title as part of a file's name, in any script."""
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFKC", title).casefold()).strip("-_")
    slug = words[:SLUG_LENGTH].encode()[:SLUG_BYTES].decode(errors="ignore")
    return slug.rstrip("-") or "untitled"


def _put(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, FLAGS, PRIVATE), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", ExitCode.USAGE) from error
