"""Files as documents, by their suffix; formats beyond text need the extra `memd-client[files]`."""

from collections.abc import Callable, Iterator
from pathlib import Path

from memctl.importers.decoding import FALLBACK, encoding_of
from memctl.importers.markup import read_html, read_markdown, read_rst, read_text
from memctl.importers.office import read_csv, read_docx, read_pdf
from memctl.importers.sections import Document, Part, Unreadable, nest

FORMATS: dict[str, tuple[str, Callable[[Path], Iterator[Part]]]] = {
    ".md": ("markdown", read_markdown),
    ".markdown": ("markdown", read_markdown),
    ".mdx": ("markdown", read_markdown),
    ".txt": ("text", read_text),
    ".text": ("text", read_text),
    ".html": ("html", read_html),
    ".htm": ("html", read_html),
    ".pdf": ("pdf", read_pdf),
    ".docx": ("docx", read_docx),
    ".rst": ("rst", read_rst),
    ".csv": ("csv", read_csv),
    ".tsv": ("csv", read_csv),
}
"""Formats by suffix; a file with another suffix is read as plain text when it is named itself or by a pattern."""

TEXT_KINDS = {"markdown", "text", "html", "rst", "csv"}


def is_plain_text(path: Path) -> bool:
    """Whether a file is read without conversion."""
    return _format(path)[0] == "text"


def is_read_in_fallback(path: Path) -> bool:
    """Whether a text file is not UTF-8 and its encoding is assumed; OSError or Unreadable as for reading it."""
    return _format(path)[0] in TEXT_KINDS and encoding_of(path) == FALLBACK


def read_document(path: Path) -> Document:
    """The sections of a file; Unreadable when no text can be extracted, for any reason."""
    kind, parts = read_parts(path)
    return Document(kind, nest(parts))


def read_parts(path: Path) -> tuple[str, Iterator[Part]]:
    """The format of a file, and its parts, whose iteration raises as `read_document`."""
    kind, reader = _format(path)
    return kind, _parts(path, kind, reader)


def _format(path: Path) -> tuple[str, Callable[[Path], Iterator[Part]]]:
    return FORMATS.get(path.suffix.lower(), ("text", read_text))


def _parts(path: Path, kind: str, reader: Callable[[Path], Iterator[Part]]) -> Iterator[Part]:
    try:
        yield from reader(path)
    except (Unreadable, MemoryError):
        raise
    except ModuleNotFoundError as error:
        raise Unreadable(f"{path.suffix} needs the extra: pip install 'memd-client[files]'") from error
    except UnicodeDecodeError as error:
        raise Unreadable("not text in UTF-8, UTF-16 or Windows-1252") from error
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error
    except Exception as error:
        # Readers of foreign formats raise arbitrary errors for broken files; they must not stop the other files.
        reason = " ".join(str(error).split())[:200]
        raise Unreadable(f"not a readable {kind} file: {reason or type(error).__name__}") from error
