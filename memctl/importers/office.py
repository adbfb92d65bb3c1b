"""PDF, Word and CSV files in parts."""

import csv
import logging
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from memctl.importers.archives import check_expansion
from memctl.importers.decoding import encoding_of
from memctl.importers.sections import Part, Unreadable

if TYPE_CHECKING:
    from pypdf import PdfReader

NAME_LENGTH = 100
"""A first cell up to this length names its row."""


def read_pdf(path: Path) -> Iterator[Part]:
    """The pages, cut at the headings of the document's outline when it has one."""
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings about odd files are noise
    reader = PdfReader(path)
    headings = _outline(reader)
    level = 0
    for number, page in enumerate(reader.pages, 1):
        body: list[str] = []
        name, depth = f"page {number}", level + 1
        for line in page.extract_text().split("\n"):
            index = next((n for n, each in enumerate(headings.get(number, [])) if _names(line, each[1])), None)
            if index is None:
                body.append(line)
                continue
            yield depth, name, "\n".join(body)
            (depth, name), body = headings[number][index], list[str]()
            level, headings[number] = depth, headings[number][index + 1 :]
        if any(map(str.isalpha, "".join(body))):  # otherwise a page number
            yield depth, name, "\n".join(body)


def _outline(reader: "PdfReader") -> dict[int, list[tuple[int, str]]]:
    """The level and title of each heading by the number of its page; nothing when the outline is damaged."""
    from pypdf.errors import PyPdfError

    found: dict[int, list[tuple[int, str]]] = {}
    try:
        _collect(reader, reader.outline, 1, found)
    except (PyPdfError, RecursionError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return found


def _collect(
    reader: "PdfReader",
    entries: Sequence[Any],
    level: int,
    found: dict[int, list[tuple[int, str]]],
) -> None:
    """Add the entries of an outline: destinations, and lists of those one level deeper."""
    for entry in entries:
        if isinstance(entry, list):
            _collect(reader, cast("list[Any]", entry), level + 1, found)
        elif (page := reader.get_destination_page_number(entry)) is not None and (title := str(entry.title).strip()):
            found.setdefault(page + 1, []).append((level, " ".join(title.split())))


def _names(line: str, title: str) -> bool:
    """Whether a line of a page is this heading, with or without its number."""
    text = " ".join(line.split())
    return (
        text == title
        or re.sub(r"^(?:chapter |section )?[\divxlc]+(?:\.\d+)*[.:)]? +", "", text, flags=re.IGNORECASE) == title
    )


def read_docx(path: Path) -> Iterator[Part]:
    """Paragraphs and tables, cut at the headings."""
    import docx
    from docx.table import Table

    with zipfile.ZipFile(path) as archive:
        check_expansion(archive.infolist())
    level, name, body = 0, "", list[str]()
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, Table):
            body.append("\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows))
        elif found := re.fullmatch(r"Heading ([1-9])", (block.style.name if block.style else "") or ""):
            yield level, name, "\n\n".join(body)
            level, name, body = int(found[1]), block.text, list[str]()
        else:
            body.append(block.text)
    yield level, name, "\n\n".join(body)


def read_csv(path: Path) -> Iterator[Part]:
    """One part for each row: `column: value` lines under the row's first cell."""
    with path.open(encoding=encoding_of(path), newline="") as file:
        sample = file.read(64 * 1024)
        if "\x00" in sample:
            raise Unreadable("not text")
        file.seek(0)
        dialect = _dialect(sample)
        yield from _rows(csv.reader(file, dialect))


def _dialect(sample: str) -> type[csv.Dialect]:
    """The dialect that the beginning of the file shows; commas when it shows none."""
    try:
        return csv.Sniffer().sniff(sample, delimiters=",;\t|")
    except csv.Error:
        return csv.excel


def _rows(rows: Iterator[list[str]]) -> Iterator[Part]:
    none: list[str] = []
    columns = [name.strip() for name in next(rows, none)]
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        names = [*columns, *[""] * (len(cells) - len(columns))]
        lines = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell]
        named = bool(cells) and 0 < len(cells[0]) <= NAME_LENGTH
        yield 1, cells[0] if named else f"row {number}", "\n".join(lines)
