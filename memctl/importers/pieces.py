"""Documents and JSON as chunks of the contract, each with a key that stays the same from run to run."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

from memctl.findings import first_finding
from memctl.importers.decoding import NOT_UTF8, is_utf8
from memctl.importers.sections import Document, Section
from memctl.wire.imports import CHUNK_METADATA_FIELDS, ChunkMetadata, ImportChunk

_PAGE = re.compile(r"page \d+")
"""What the reader of PDF files calls a page that no heading of an outline names."""
_NUMBERED = re.compile(r"row \d+|[\W\d_]+")
"""A row of a CSV file whose first cell names nothing: a number, a date, or a text too long for a name."""
_FIRST_WORDS = re.compile(r"^[^:\n]*: ([^\n]*[^\W\d_][^\n]*)", re.MULTILINE)
"""The first cell of a row, below the name of its column, that has letters."""
KEY_LENGTH = 500
TITLE_LENGTH = 500
CELL_LENGTH = 100
"""Characters of a cell in the title of a row."""
TEXT_DIGITS = 32
"""The first characters of a fingerprint, which stand for title and content."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk to send, where it comes from, and its share of the bytes read."""

    chunk: ImportChunk
    origin: str
    weight: float = 0.0

    @property
    def key(self) -> str:
        """The key of the ledger: the dedupe key, or the hash of the content of a chunk without one."""
        return self.chunk.dedupe_key or content_key(self.chunk.content)

    @property
    def fingerprint(self) -> str:
        """A digest of everything that is sent; its first TEXT_DIGITS digits depend on title and content only."""
        everything = json.dumps(self.chunk.to_request(), sort_keys=True, ensure_ascii=False)
        return f"{text_fingerprint(self.chunk.metadata.title or '', self.chunk.content)}{_digest(everything)[:16]}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that will not be sent, and why."""

    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is left out on purpose, and why."""

    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A file that is read in a way that may surprise, and why."""

    origin: str
    reason: str


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def content_key(content: str) -> str:
    """The key of a chunk that has no key."""
    return f"sha256:{_digest(content)}"


def text_fingerprint(title: str, content: str) -> str:
    """A digest of the title and content of a chunk, in TEXT_DIGITS characters."""
    return _digest(f"{title}\0{content}")[:TEXT_DIGITS]


def pieces_of(name: str, document: Document, chunk_size: int, size: int) -> list[Piece]:
    """The chunks of a document called `name`: each section is split into parts of at most `chunk_size` characters."""
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

    splitter = (MarkdownSplitter if document.kind == "markdown" else TextSplitter)(chunk_size)
    seen: Counter[tuple[str, ...]] = Counter()
    parts: list[tuple[str, str, str]] = []
    for section in document.sections:
        seen[section.path] += 1
        texts = splitter.chunks(section.text)
        for number, text in enumerate(texts, 1):
            title = _title(name, document.kind, section, number, len(texts))
            parts.append((_key(name, section, number, len(texts), seen[section.path]), title, text))
    return [
        Piece(_chunk(name, document.kind, part, index, len(parts)), part[0], size / len(parts))
        for index, part in enumerate(parts)
    ]


def _title(name: str, kind: str, section: Section, number: int, total: int) -> str:
    """The headings of a part; the name of the file where there are none, and before the page of a PDF without an outline.

    A row of a CSV file that only a number names is followed by its first cell with words.
    """
    part = f" ({number}/{total})" if total > 1 else ""
    is_bare = not section.path or (kind == "pdf" and len(section.path) == 1 and _PAGE.fullmatch(section.path[0]))
    headings = " › ".join((name.rsplit("/", 1)[-1], *section.path) if is_bare else section.path)
    if kind == "csv" and _NUMBERED.fullmatch(headings) and (words := _FIRST_WORDS.search(section.text)):
        headings = f"{headings} › {words[1][:CELL_LENGTH]}"
    return headings[: TITLE_LENGTH - len(part)] + part


def _key(name: str, section: Section, number: int, total: int, occurrence: int) -> str:
    """`docs/a.md#Setup/Install`, `…~2` for the second of equal headings, `…#2` for the second part."""
    headings = "/".join(section.path)
    again = f"~{occurrence}" if occurrence > 1 else ""
    part = f"#{number}" if total > 1 or not headings else ""
    key = f"{name}#{headings}{again}{part}" if headings else f"{name}{part}"
    return key if len(key) <= KEY_LENGTH else f"{key[:460]}…{_digest(key)[:32]}"


def _chunk(name: str, kind: str, part: tuple[str, str, str], index: int, total: int) -> ImportChunk:
    key, title, text = part
    metadata = ChunkMetadata(
        title=title, source_url=name[:2000], source_type=kind, chunk_index=index, total_chunks=total
    )
    return ImportChunk(content=text, metadata=metadata, dedupe_key=key)


class JsonLine(NamedTuple):
    """The value of a line, or why it is none; its origin is `name:number`, its size in bytes."""

    origin: str
    value: Any
    size: int


def json_lines(name: str, lines: Iterable[str]) -> Iterator[JsonLine]:
    """The values of lines of JSON, a `Refusal` for a line that holds none; blank lines are skipped."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            origin = f"{name}:{number}"
            yield JsonLine(origin, _value_of(line, origin), len(line.encode(errors="surrogatepass")))


def _value_of(line: str, origin: str) -> Any:
    if not is_utf8(line):
        return Refusal(origin, NOT_UTF8)
    try:
        return json.loads(line.rstrip())
    except (ValueError, RecursionError) as error:
        return Refusal(origin, _not_json(error))


def pieces_of_lines(name: str, lines: Iterable[str]) -> Iterator[Piece | Refusal]:
    """Chunks of the contract, one JSON object a line; blank lines are skipped."""
    for origin, read, size in json_lines(name, lines):
        yield read if isinstance(read, Refusal) else _piece_of(read, origin, size)


def pieces_of_list(name: str, elements: Sequence[object], size: int) -> Iterator[Piece | Refusal]:
    """The same chunks from a JSON list; the first element comes from `name[1]`. `size` is that of the file, in bytes."""
    for number, element in enumerate(elements, 1):
        yield _piece_of(element, f"{name}[{number}]", size / len(elements))


def _not_json(error: Exception) -> str:
    """Why a line is not read: what its parser says, and in which column."""
    where = f"{error.msg} in column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
    return f"not JSON: {where}"


def _piece_of(read: object, origin: str, weight: float) -> Piece | Refusal:
    if not isinstance(read, dict):
        return Refusal(origin, "not a JSON object")
    try:
        return Piece(_chunk_of(cast("dict[str, Any]", read)), origin, weight)
    except ValidationError as error:
        return Refusal(origin, first_finding(error))
    except (ValueError, RecursionError) as error:
        return Refusal(origin, str(error))


def _chunk_of(fields: dict[str, Any]) -> ImportChunk:
    """A nested chunk as for import, or a flat one as for bulk-insert; fields of both places count, the nested ones first.

    `text` is another name for `content`, as other programs write it.
    """
    nested: Any = fields.get("metadata")
    flat = {name: fields[name] for name in CHUNK_METADATA_FIELDS if name in fields}
    content = {"content": fields["text"]} if "text" in fields else {}
    return ImportChunk.from_body(
        {**content, **fields, "metadata": {**flat, **nested} if isinstance(nested, dict) else flat}
    )
