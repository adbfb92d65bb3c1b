"""The encodings that text files are read in: by byte order mark, else UTF-8, else what HTML declares, else Windows-1252."""

import codecs
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

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
_JSON_STARTS = ((b"{\0", "utf-16-le"), (b"\0{", "utf-16-be"))
"""How a line of JSON begins in UTF-16 without a mark."""
_MARK_BYTES = 4
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""What the error handler `surrogateescape` makes of bytes."""
NOT_UTF8 = "not UTF-8 text"
_BLOCK = 2**20
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_DECLARED = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_DECLARED_WITHIN = 4096
"""Bytes at the beginning of a page where its `<meta charset>` is looked for; the HTML standard asks for 1024."""
_LATIN = frozenset({"ascii", "iso8859-1"})
"""Codecs that browsers read as Windows-1252 (WHATWG Encoding, 4.2)."""

_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"})
"""Text codecs of Python that no page is written in; punycode takes quadratic time."""


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


def lines_of(path: Path | None) -> Iterator[str]:
    """The lines of a file of JSON, or of standard input (None): UTF-8, or UTF-16 and UTF-32 as PowerShell writes them.

    A line that is not UTF-8 is passed on for `is_utf8` to tell.
    """
    if path is None:
        buffer: BinaryIO = sys.stdin.buffer
        start = buffer.peek(_MARK_BYTES) if isinstance(buffer, io.BufferedReader) else b""
        if isinstance(sys.stdin, io.TextIOWrapper):
            encoding, errors = _encoding_of_json(start)
            sys.stdin.reconfigure(encoding=encoding, errors=errors)
        yield from sys.stdin
        return
    with path.open("rb") as file:
        encoding, errors = _encoding_of_json(file.read(_MARK_BYTES))
    with path.open(encoding=encoding, errors=errors) as lines:
        yield from lines


def _encoding_of_json(start: bytes) -> tuple[str, str]:
    """The codec of a file of JSON by its first bytes, and what is done with bytes that it does not read."""
    encoding = next((name for mark, name in (*_MARKS, *_JSON_STARTS) if start.startswith(mark)), "utf-8")
    return encoding, "surrogateescape" if encoding.startswith("utf-8") else "replace"


def is_utf8(line: str) -> bool:
    """Whether the bytes of a line were UTF-8."""
    return line.isascii() or _NO_UTF8.search(line) is None


def html_of(path: Path) -> str:
    """The text of an HTML file. The encoding that it declares counts unless its bytes are UTF-8 or begin with a mark."""
    encoding = encoding_of(path)
    content = path.read_bytes()
    if encoding == FALLBACK or content.isascii():
        declared = _DECLARED.search(_COMMENT.sub(b"", content[:_DECLARED_WITHIN]))
        name = declared[1].decode("ascii", "replace").lower() if declared else ""
        if name and not name.startswith(("utf-16", "utf-32")):  # the declaration itself was readable as ASCII
            return decoded(content, name) or content.decode(encoding, errors="replace")
    return content.decode(encoding, errors="replace")


def decoded(content: bytes, charset: str) -> str | None:
    """The text in a declared encoding; None when it is not one of a web page."""
    try:
        name = codecs.lookup(charset).name
        if name in _NO_CHARSETS:
            return None
        return content.decode(FALLBACK if name in _LATIN else name, errors="replace")
    except (LookupError, ValueError):
        return None
