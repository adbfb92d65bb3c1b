"""Text, Markdown, reStructuredText and HTML in parts; the source text of markup is kept unchanged."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.importers.decoding import html_of, text_of
from memctl.importers.sections import Part, Unreadable, cut, titled

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_CONTENT = ("main", "[role=main]", "article")
"""Where the content of a page is, the best first."""
_AROUND = "body>header,body>footer,aside,[role=banner],[role=contentinfo],[role=complementary]"
_NEVER_CONTENT = "nav,dialog,[role=navigation],[role=search],[role=dialog],[role=menu],[hidden],[aria-hidden=true]"
"""The landmarks of HTML and ARIA that surround the content, and what is never content."""
_BLOCKS = "p,li,div,tr,br,pre,blockquote,dt,dd,section,article,ul,ol,table"
_CELLS = "td,th"
_NOT_FIRST = "td+td,td+th,th+td,th+th"
_AT_LINE_START = re.compile("^[ \t]+", re.MULTILINE)
_INDENT, _ROW, _NEXT_CELL = "\x03", "\x04", "\x05"
"""Stand for a blank at the beginning of a line of code, and the beginnings of a row and of its other cells, until the text is tidied up."""
_QUIET = {
    "traceback": True,
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "doctitle_xform": False,
    "_disable_config": True,
}
"""Docutils settings: it reads only the given file, runs nothing, prints nothing and raises on errors."""


def read_text(path: Path) -> Iterator[Part]:
    """Plain text: one part."""
    text = text_of(path)
    if "\x00" in text:
        raise Unreadable("not text")
    yield 0, "", text


def read_markdown(path: Path) -> Iterator[Part]:
    """Markdown, cut at its headings."""
    return markdown_parts(text_of(path))


def markdown_parts(text: str) -> Iterator[Part]:
    """Parts at the headings of Markdown, under the title of its front matter; headings inside code or quotes do not count."""
    from markdown_it import MarkdownIt

    from memctl.importers.front_matter import page_of

    title, text = page_of(text.replace("\r\n", "\n"))
    blocks_only = MarkdownIt().disable("inline")  # not needed, and quadratic for some texts
    tokens = pairwise(blocks_only.parse(text))
    marks = (
        (int(token.tag[1]), inline.content, token.map[0], token.map[1])
        for token, inline in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    )
    return iter(titled(title, cut(text.split("\n"), marks)))


@cache
def _rst_settings() -> Any:
    """The settings of docutils.

    Made once: it takes as long as reading a page, as docutils makes a command line first.
    """
    from docutils.parsers.rst import Parser
    from docutils.readers.standalone import Reader
    from docutils.writers.null import Writer

    settings: Any = import_module("docutils.frontend").get_default_settings(Parser, Reader, Writer)
    for name, value in _QUIET.items():
        setattr(settings, name, value)
    return settings


def read_rst(path: Path) -> Iterator[Part]:
    """reStructuredText, cut at its section titles."""
    publish: Any = import_module("docutils.core").publish_doctree
    text = text_of(path).replace("\r\n", "\n")
    tree: Any = publish(text, settings=_rst_settings().copy())
    lines = text.split("\n")
    return cut(lines, _rst_marks(tree, lines, 1))


def _rst_marks(node: Any, lines: list[str], level: int) -> Iterator[tuple[int, str, int, int]]:
    """The titles below a node; docutils counts the line of the underline from 1."""
    from docutils import nodes

    for section in node.children:
        if not isinstance(section, nodes.section):
            continue
        title: Any = section[0]
        after = int(title.line)
        overlined = after >= 3 and bool(lines[after - 3]) and lines[after - 3].strip() == lines[after - 1].strip()
        yield level, title.astext(), after - (3 if overlined else 2), after
        yield from _rst_marks(section, lines, level + 1)


def read_html(path: Path) -> Iterator[Part]:
    """The content of a page, cut at its headings, under its title; scripts, styles, navigation and what surrounds the content are left out."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html_of(path))
    tree.strip_tags(["script", "style", "noscript", "template", "svg"])
    title = tree.css_first("head>title")
    _remove(tree, _NEVER_CONTENT)
    content = _content(tree)
    if content is None:
        return iter([(0, "", "")])
    _lay_out(content)
    for node in content.css("h1,h2,h3,h4,h5,h6"):
        words: list[str] = node.text().split()
        node.replace_with(f"\n\x01{(node.tag or 'h6')[1]}{' '.join(words).rstrip(' ¶')}\x02")
    body = content.text(separator="")
    parts = re.split("\x01([1-6])([^\x02]*)\x02", body)
    levels, names, bodies = ["0", *parts[1::3]], ["", *parts[2::3]], parts[0::3]
    found = ((int(level), name, _tidy(text)) for level, name, text in zip(levels, names, bodies, strict=True))
    return iter(titled(title.text() if title else "", found))


def _lay_out(content: Any) -> None:
    """Put each block on lines of its own, the cells of a row on one line with ` | ` between them, and keep the indents of code."""
    for node in reversed(content.css("pre")):  # inner ones first, as in _remove
        node.replace_with("\n" + _AT_LINE_START.sub(_indent, node.text()) + "\n")
    for node in content.css(_BLOCKS):
        if node.tag != "br" and _follows_text(node):
            node.insert_before("\n")
        node.insert_after("\n")
    for node in content.css(_CELLS):
        node.insert_before(_NEXT_CELL if node.css_matches(_NOT_FIRST) else _ROW)


def _indent(blanks: re.Match[str]) -> str:
    return _INDENT * len(blanks[0].expandtabs(4))


def _follows_text(node: Any) -> bool:
    """Whether a block begins in the middle of a line, as the list within an item of a list may."""
    before = node.prev
    return before is not None and before.text().rstrip(" \t")[-1:] not in {"", "\n"}


def _content(tree: "LexborHTMLParser") -> Any:
    """The only `main` or `article` that has text, or the body without the landmarks around the content."""
    for selector in _CONTENT:
        found = tree.css(selector)
        if len(found) == 1 and found[0].text().strip():
            return found[0]
    _remove(tree, _AROUND)
    return tree.body


def _remove(tree: "LexborHTMLParser", selector: str) -> None:
    """Remove what matches inside the body, inner elements first: an element is freed together with what it contains."""
    body = tree.body
    for node in reversed(body.css(selector) if body else []):
        if node != body:
            node.decompose()


def _tidy(text: str) -> str:
    """One blank between words, at most one empty line between paragraphs, the cells of a row on one line."""
    rows = " | ".join(cell.strip() for cell in text.split(_NEXT_CELL)).replace(_ROW, "")
    lines = (" ".join(line.split()) for line in rows.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).replace(_INDENT, " ")
