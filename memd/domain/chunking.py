"""Raw text to the parts of a knowledge base, and the titles of parts (contract 8.4, 8.5).

A part ends at the strongest boundary within reach: heading, blank line, line end, sentence end, word end. Only white space
around a cut is left out; no part is over the size; the work grows with the length of the text, whatever is in it. Lengths
are Unicode code points.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from semantic_text_splitter import TextSplitter

from memd.domain.limits import TITLE_MAX

_HEADING_OR_FENCE: Final = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|(?P<fence>`{3,}|~{3,}))", re.MULTILINE)
# Each pattern begins to match where the part before the boundary may end.
_WEAKER: Final = (
    re.compile(r"[^\S\n]*+\n[^\S\n]*+\n"),
    re.compile(r"\n"),
    re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’»)\]]))\s++(?![a-z])|(?<=[。！？])(?=\S)"),
    re.compile(r"\s+"),
)
_WHITE: Final = re.compile(r"\s*")
_REACH: Final = 8
"""Characters beyond the size that are looked at, so that a boundary that begins there is recognised."""
_SMALLEST_SHARE: Final = 8
"""A stronger boundary is not taken for a part smaller than this fraction of the size, such as a lone heading."""


@dataclass(frozen=True, slots=True)
class _Span:
    """A part as offsets into the text; `fresh` is where the words begin that no earlier part holds."""

    start: int
    fresh: int
    end: int


def split(text: str, *, chunk_size: int = 1200, overlap: int = 0, delimiter: str | None = None) -> list[str]:
    """The parts of `text` in order, each of 1 to `chunk_size` characters, trimmed; none for a blank text.

    Without delimiter parts are filled: no two neighbours would fit into one. With a delimiter the text is cut at each of
    its places (the delimiter itself is left out), nothing is joined, and only what is over the size is split further.
    Neighbours cut from one piece share up to `overlap` characters (at most half the size) from a word's beginning.
    """
    pieces = text.split(delimiter) if delimiter else [text]
    return [piece[span.start : span.end] for piece in pieces for span in _Cutter(piece, chunk_size, overlap).spans()]


def part_title(title: str, index: int, total: int) -> str:
    """The title of part `index` (from 0) of `total`: `<title> (i/n)`, or `<title>` of a single part.

    The title gives way when the whole would be longer than a title may be.
    """
    suffix = f" ({index + 1}/{total})" if total > 1 else ""
    return f"{title[: TITLE_MAX - len(suffix)]}{suffix}"


def derived_title(base_name: str, chunk_index: int | None, total_chunks: int | None, source_url: str | None) -> str:
    """The title of a chunk that came without one: from its number (index from 0), its source, or neither."""
    if chunk_index is not None and total_chunks is not None:
        what = f"Chunk {chunk_index + 1}/{total_chunks}"
    else:
        what = source_url or "Imported reference"
    return f"{base_name} — {what}"[:TITLE_MAX]


class _Cutter:
    """Cuts one text; holds where its headings are."""

    def __init__(self, text: str, size: int, overlap: int) -> None:
        self._text = text
        self._stop = len(text.rstrip())
        self._size = size
        self._overlap = overlap
        self._headings = _heading_ends(text)

    def spans(self) -> list[_Span]:
        """The parts, neighbours that fit into one joined."""
        joined: list[_Span] = []
        for span in self._cuts():
            if joined and span.end - joined[-1].start <= self._size:
                joined[-1] = _Span(joined[-1].start, joined[-1].fresh, span.end)
            else:
                joined.append(span)
        return joined

    def _cuts(self) -> Iterator[_Span]:
        start = fresh = self._after_white(0)
        while fresh < self._stop:
            end = self._end(start, fresh)
            yield _Span(start, fresh, end)
            fresh = self._after_white(end)
            start = self._overlapping(end, start)

    def _end(self, start: int, fresh: int) -> int:
        """Where the part ends that begins at `start` and has to go beyond `fresh`."""
        limit = start + self._size
        if limit >= self._stop:
            return self._stop
        for floor in (fresh + self._size // _SMALLEST_SHARE, fresh):
            if (heading := self._headings[bisect_right(self._headings, limit) - 1]) > floor:
                return heading
            for boundary in _WEAKER:
                places = [found.start() for found in boundary.finditer(self._text, floor + 1, limit + _REACH)]
                within = [place for place in places if place <= limit]
                if within:
                    return within[-1]
        return fresh + len(self._unbroken(fresh, limit))
