"""A file before it is cut into chunks: its format, and its text in sections under their headings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

HEADING_MAX: Final = 1_000
"""Characters of a heading that are kept; each section below it repeats them in its title and its key."""
Part: TypeAlias = tuple[int, str, str]
"""A heading's level (0 = none), the heading, and the text below it."""


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


def nest(parts: Iterable[Part]) -> list[Section]:
    """Sections from parts: each gets the headings above it; empty bodies, and headings without words, are dropped."""
    path: list[tuple[int, str]] = []
    sections: list[Section] = []
    for level, heading, body in parts:
        if heading.strip():
            path = [*(above for above in path if above[0] < level), (level, " ".join(heading.split())[:HEADING_MAX])]
        if body.strip():
            sections.append(Section(tuple(name for _, name in path), body.strip()))
    return sections


def titled(title: str, parts: Iterable[Part]) -> list[Part]:
    """Parts of a page under its title, which counts as the first heading of level 1 unless the page has one with words."""
    found = list(parts)
    if not title.strip() or any(level == 1 and heading.strip() for level, heading, _ in found):
        return found
    return [(1, title, found[0][2]), *found[1:]]


def cut(lines: list[str], marks: Iterable[tuple[int, str, int, int]]) -> Iterator[Part]:
    """Parts of `lines` at its headings; a mark is (level, heading, the heading's first line, the line after it)."""
    headings = [(0, "", 0, 0), *marks]
    ends = [start for _, _, start, _ in headings[1:]] + [len(lines)]
    bodies = ("\n".join(lines[body:end]) for (_, _, _, body), end in zip(headings, ends, strict=True))
    return ((level, name, body) for (level, name, _, _), body in zip(headings, bodies, strict=True))
