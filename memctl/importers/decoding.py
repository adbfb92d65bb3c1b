"""The encodings that text files are read in: by byte order mark, else UTF-8, else Windows-1252."""

import codecs
import re
from pathlib import Path

from memctl.importers.sections import Unreadable

FALLBACK = "cp1252"
"""Read when a file is not UTF-8; it covers the printable characters of Latin-1."""
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BLOCK = 2**20


def encoding_of(path: Path) -> str:
    """The codec of a text file; Unreadable when it is neither UTF-8 nor free of control characters."""
    with path.open("rb") as file:
        start = file.read(4)
        for mark, name in _MARKS:
            if start.startswith(mark):
                return name
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        is_plain = True
        try:
            while block := file.read(_BLOCK):
                is_plain = is_plain and not _CONTROL.search(block)
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            if not is_plain:
                raise Unreadable("not text") from error
            return FALLBACK
    return "utf-8"


def text_of(path: Path) -> str:
    """The text of a file, with universal newlines."""
    return path.read_text(encoding_of(path))
