"""Raw text to the parts of a knowledge base, and the titles of parts (contract 8.4, 8.5).

A part ends at the strongest boundary within reach: heading, blank line, line end, sentence end, word end; only a run
without any is cut inside, between whole characters as a reader sees them. Nothing but white space around a cut is left
out, and the work grows with the length of the text, whatever is in it. Lengths are Unicode code points.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from semantic_text_splitter import TextSplitter

from memctl.wire.limits import TITLE_MAX
from memd.domain.chunks.headings import heading_offsets

# The boundaries below headings, the stronger first. A match begins where the part in front of it may end.
_BOUNDARIES: Final = (
    re.compile(r"\r?\n[^\S\n]*+\n"),
    re.compile(r"\r?\n"),
    re.compile(
        r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’»)\]]))\s++(?![a-z])"
        r"|(?<=[。！？])(?=[^\s」』”’）])|(?<=[。！？][」』”’）])(?=\S)"
    ),
    re.compile(r"\s+"),
)
_WHITE: Final = re.compile(r"\s*")
_BLANK: Final = re.compile(r"\s")
_LOOK_AHEAD: Final = 64
"""Characters after the last possible end that are read too, to recognise what begins there."""
_SMALL_SHARE: Final = 8
"""A stronger boundary is not worth a part under this fraction of the size, such as a heading without its text."""


def split(
    text: str, *, chunk_size: int = 1200, overlap: int = 0, delimiter: str | None = None, maximum: int | None = None
) -> list[str]:
    """The parts of `text` in order, each trimmed and of 1 to `chunk_size` characters; none for a blank text.

    After `maximum` parts the rest of the text is not read: a text of 64 MB may have 30 million of them.

    Without delimiter the parts are filled: no two neighbours would fit into one. With a delimiter the text is cut at
    each of its places (the delimiter is left out), nothing is joined, and only a part over the size is split further.
    Neighbours cut from one piece share up to `overlap` characters (at most half the size), whole words where there are
    any. The text has no lone surrogates: requests with any are refused (contract 1.1).
    """
    return list(islice(_parts(text, chunk_size, overlap, delimiter), maximum))


def _parts(text: str, chunk_size: int, overlap: int, delimiter: str | None) -> Iterator[str]:
    for piece in _pieces(text, delimiter):
        whole = piece.strip()
        if len(whole) > chunk_size:
            yield from (whole[start:end] for start, end in _Cutter(whole, chunk_size, overlap).filled())
        elif whole:
            yield whole


def _pieces(text: str, delimiter: str | None) -> Iterator[str]:
    """The text between the places of the delimiter; blank pieces are skipped, millions of them at once."""
    if not delimiter:
        yield text
        return
    blank = re.compile(rf"(?:{re.escape(delimiter)}|\s)*+")
    start = 0
    while (found := blank.match(text, start)) and found.end() < len(text):
        start = found.end()
        end = text.find(delimiter, start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


def part_title(title: str, index: int, total: int) -> str:
    """The title of part `index` (from 0) of `total`: `<title> (i/n)`, or `<title>` of a single part.

    The title is cut where the whole would be longer than a title may be.
    """
    suffix = f" ({index + 1}/{total})" if total > 1 else ""
    return f"{title[: TITLE_MAX - len(suffix)]}{suffix}"


def derived_title(base_name: str, chunk_index: int | None, total_chunks: int | None, source_url: str | None) -> str:
    """The title of a chunk that came without: by its number (`chunk_index` from 0), else its source, else a fixed word."""
    if chunk_index is not None and total_chunks is not None:
        what = f"Chunk {chunk_index + 1}/{total_chunks}"
    else:
        what = source_url or "Imported reference"
    return f"{base_name} — {what}"[:TITLE_MAX]


@dataclass(slots=True)
class _Cutter:
    """Cuts one trimmed text into spans of (start, end) offsets."""

    text: str
    size: int
    overlap: int
    headings: "array[int]" = field(init=False)

    def __post_init__(self) -> None:
        self.headings = array("q", [-1])
        self.headings.extend(offset - 1 for offset in heading_offsets(self.text))

    def filled(self) -> Iterator[tuple[int, int]]:
        """The spans of all parts, neighbours that fit into one joined."""
        joined: tuple[int, int] | None = None
        for start, end in self._spans():
            if joined and end - joined[0] <= self.size:
                joined = (joined[0], end)
                continue
            if joined:
                yield joined
            joined = (start, end)
        if joined:
            yield joined

    def _spans(self) -> Iterator[tuple[int, int]]:
        start = fresh = 0
        while fresh < len(self.text):
            end = self._end(start, fresh)
            yield start, end
            fresh = self._skip_white(end)
            start = self._overlapping(start, end, fresh)

    def _end(self, start: int, fresh: int) -> int:
        """Where the part ends that begins at `start` and has to reach beyond `fresh`."""
        limit = start + self.size
        if limit >= len(self.text):
            return len(self.text)
        for floor in (fresh + self.size // _SMALL_SHARE, fresh):
            end = self._boundary(floor, limit)
            if end is not None:
                return fresh + len(self.text[fresh:end].rstrip())
        whole = TextSplitter(limit - fresh, trim=False).chunks(self.text[fresh : limit + _LOOK_AHEAD])
        return fresh + len(whole[0])

    def _boundary(self, floor: int, limit: int) -> int | None:
        """The last place of the strongest boundary that is found behind `floor` and not behind `limit`."""
        heading = self.headings[bisect_right(self.headings, limit) - 1]
        if heading > floor:
            return heading
        for boundary in _BOUNDARIES:
            found = boundary.finditer(self.text, floor + 1, limit + _LOOK_AHEAD)
            starts = [match.start() for match in found if match.start() <= limit]
            if starts:
                return starts[-1]
        return None

    def _overlapping(self, start: int, end: int, fresh: int) -> int:
        """Where the next part begins: with the last words of the one from `start` to `end`, or at `fresh`."""
        low = max(start, end - self.overlap)
        if low > start and not self.text[low - 1].isspace():
            broken = _BLANK.search(self.text, low, end)
            low = broken.start() if broken else low
        begin = self._skip_white(low)
        return begin if fresh - begin <= self.size // 2 else fresh

    def _skip_white(self, offset: int) -> int:
        found = _WHITE.match(self.text, offset)
        return found.end() if found else offset
