"""Long lines in the cells of a terminal: folded at blanks, and between the characters of scripts that have none."""

import re
from collections.abc import Iterator

_WIDE = "\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
"""Ideographs and kana: a line may end after any of them (UAX 14, ID)."""
_OPENING = "〈《「『【〔〖〘〚（［｛"
"""What does not end a line (UAX 14, OP)."""
_CLOSING = "、。〉》」』】〕〗〙〛！），．：；？］｝ー々"
"""What does not begin a line (UAX 14, CL, EX and NS)."""
_PIECES = re.compile(rf"[ \t]+|[{_OPENING}]*[{_WIDE}][{_CLOSING}]*|[^ \t{_WIDE}{_OPENING}]+|[{_OPENING}]+")


def fold(text: str, room: int, indent: str) -> str:
    """One line as lines of at most `room` cells, all but the first behind `indent`; a word that is longer stays whole."""
    return "\n".join(_lines(text, room, indent))


def _lines(text: str, room: int, indent: str) -> Iterator[str]:
    from rich.cells import cell_len

    line, used, blanks, is_fresh = "", 0, "", True
    for piece in _PIECES.findall(text):
        if piece.isspace():
            blanks = piece
            continue
        width = cell_len(piece)
        if not is_fresh and used + len(blanks) + width > room:
            yield line
            line, used, blanks = indent, len(indent), ""
        line, used, blanks, is_fresh = f"{line}{blanks}{piece}", used + len(blanks) + width, "", False
    yield line
