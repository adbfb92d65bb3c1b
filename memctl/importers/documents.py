"""Files as sections of text under their headings; formats beyond text need the extra `memd[files]`."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class Unreadable(Exception):
    """The file cannot be read as text; the text says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """Text under a path of headings; a file without headings is one section with an empty path."""

    path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file's sections in order, and the name of its format."""

    kind: str
    sections: list[Section]


def nest(headed: Iterator[tuple[int, str, str]]) -> list[Section]:
    """Sections from (heading level, heading, body): each gets the path of headings above it, empty bodies are dropped."""
    path: list[tuple[int, str]] = []
    sections: list[Section] = []
    for level, heading, body in headed:
        if level:
            path = [*(above for above in path if above[0] < level), (level, " ".join(heading.split()))]
        if body.strip():
            sections.append(Section(tuple(name for _, name in path), body.strip()))
    return sections


def read_document(path: Path) -> Document:
    """The sections of a file by its suffix; Unreadable when it holds no text that can be had."""
    kind, reader = FORMATS.get(path.suffix.lower(), ("text", _read_text))
    try:
        return Document(kind, reader(path))
    except ModuleNotFoundError as error:
        raise Unreadable(f"{path.suffix} needs the extra: pip install 'memd[files]'") from error
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8 text") from error
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error


def _read_text(path: Path) -> list[Section]:
    text = path.read_text("utf-8-sig")
    if "\x00" in text:
        raise Unreadable("not text")
    return nest(iter([(0, "", text)]))


def _read_markdown(path: Path) -> list[Section]:
    return markdown_sections(path.read_text("utf-8-sig"))


def markdown_sections(text: str) -> list[Section]:
    """Sections at the headings of Markdown; headings inside code or quotes do not count."""
    from markdown_it import MarkdownIt

    text = _FRONT_MATTER.sub("", text.replace("\r\n", "\n"), count=1)
    lines = text.split("\n")
    tokens = MarkdownIt().parse(text)
    marks = [(0, "", 0, 0)]
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            marks.append((int(token.tag[1]), inline.content, token.map[0], token.map[1]))
    ends = [start for _, _, start, _ in marks[1:]] + [len(lines)]
    return nest(
        (level, name, "\n".join(lines[body:end])) for (level, name, _, body), end in zip(marks, ends, strict=True)
    )


def _read_html(path: Path) -> list[Section]:
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(path.read_bytes().decode("utf-8-sig"))
    tree.strip_tags(["script", "style", "noscript", "template", "nav", "svg"])
    for node in tree.css("p,li,div,tr,br,pre,blockquote,dt,dd,section,article,ul,ol,table"):
        node.insert_after("\n")
    for node in tree.css("h1,h2,h3,h4,h5,h6"):
        node.replace_with(f"\n\x01{(node.tag or 'h6')[1]}{' '.join(node.text().split())}\x02")
    body = tree.body.text(separator="") if tree.body else ""
    parts = re.split("\x01([1-6])([^\x02]*)\x02", body)
    levels, names, bodies = ["0", *parts[1::3]], ["", *parts[2::3]], parts[0::3]
    return nest((int(level), name, _tidy(text)) for level, name, text in zip(levels, names, bodies, strict=True))


def _tidy(text: str) -> str:
    """One blank between words, at most one empty line between paragraphs."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _read_pdf(path: Path) -> list[Section]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        pages = [page.extract_text() for page in PdfReader(path).pages]
    except PyPdfError as error:
        raise Unreadable(f"not a readable PDF: {error}") from error
    return nest((1, f"page {number}", text) for number, text in enumerate(pages, 1))


def _read_docx(path: Path) -> list[Section]:
    from zipfile import BadZipFile

    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from docx.table import Table

    headed = [(0, "", "")]
    try:
        blocks = list(docx.Document(str(path)).iter_inner_content())
    except (PackageNotFoundError, BadZipFile, KeyError, ValueError) as error:
        raise Unreadable(f"not a readable .docx: {error}") from error
    for block in blocks:
        level, name, body = headed[-1]
        if isinstance(block, Table):
            rows = "\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows)
            headed[-1] = (level, name, f"{body}\n\n{rows}")
        elif found := re.fullmatch(r"Heading ([1-9])", (block.style.name if block.style else "") or ""):
            headed.append((int(found[1]), block.text, ""))
        else:
            headed[-1] = (level, name, f"{body}\n\n{block.text}")
    return nest(iter(headed))


def _read_rst(path: Path) -> list[Section]:
    from docutils import nodes

    publish: Any = import_module("docutils.core").publish_doctree

    quiet = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False, "raw_enabled": False}
    tree: Any = publish(path.read_text("utf-8-sig"), settings_overrides=quiet)

    def walk(node: nodes.Element, level: int) -> Iterator[tuple[int, str, str]]:
        own = (child for child in node.children if not isinstance(child, nodes.section | nodes.title))
        title = next((child.astext() for child in node.children if isinstance(child, nodes.title)), "")
        yield (level if title else 0), title, "\n\n".join(child.astext() for child in own)
        for child in node.children:
            if isinstance(child, nodes.section):
                yield from walk(child, level + 1)

    return nest(walk(tree, 1))


FORMATS: dict[str, tuple[str, Callable[[Path], list[Section]]]] = {
    ".md": ("markdown", _read_markdown),
    ".markdown": ("markdown", _read_markdown),
    ".mdx": ("markdown", _read_markdown),
    ".txt": ("text", _read_text),
    ".text": ("text", _read_text),
    ".html": ("html", _read_html),
    ".htm": ("html", _read_html),
    ".pdf": ("pdf", _read_pdf),
    ".docx": ("docx", _read_docx),
    ".rst": ("rst", _read_rst),
}
"""Formats by suffix; a file with another suffix is read as plain text when it is named itself."""
