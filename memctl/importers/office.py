"""PDF, Word and CSV files in parts."""

import csv
import logging
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from memctl.importers.archives import check_expansion
from memctl.importers.decoding import encoding_of
from memctl.importers.sections import Part, Unreadable

NAME_LENGTH = 100
"""A first cell up to this length names its row."""


def read_pdf(path: Path) -> Iterator[Part]:
    """One part for each page."""
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings about odd files are noise
    return ((1, f"page {number}", page.extract_text()) for number, page in enumerate(PdfReader(path).pages, 1))


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
            level, name, body = int(found[1]), block.text, []
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
