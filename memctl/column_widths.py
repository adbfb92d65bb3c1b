"""How the columns of a table share a terminal: identifiers and times stay whole, and the longest text gets the room."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_ID = re.compile(r"[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}")
"""An identifier (contract 1.2): broken over two lines it cannot be copied."""
_WHOLE = re.compile(rf"{_ID.pattern}|\d{{4}}-\d\d-\d\d \d\d:\d\d")
"""A cell that is never broken: an identifier or a time."""

GAP = 2
"""Spaces between columns."""
WORD_MAX = 24
"""Words up to this long are never broken."""
MAIN_MIN = 24
"""The minimum width of the column with the longest text, if its text is that long: less would be a column of single words."""
SHORT_MAX = 12
"""Text up to this long may stand in single words."""


class Grid(NamedTuple):
    """A table that fits: the width of each column, with the cells that they hold."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    widths: Sequence[int]


class _Column(NamedTuple):
    """The widths of a column: the one below which words would be broken, and that of its longest cell."""

    minimum: int
    maximum: int


def fit(headings: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> Grid | None:
    """The table within `room` characters; None where it is too wide even with the ids below the longest text."""
    return _fit(headings, rows, room) or _fit(*_ids_below(headings, rows), room)


def _fit(headings: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> Grid | None:
    columns = [_measured(cells) for cells in zip(headings, *rows, strict=True)]
    main = _main(columns)
    if main is not None and columns[main].maximum > SHORT_MAX:
        minimum, maximum = columns[main]
        columns[main] = _Column(max(minimum, min(maximum, MAIN_MIN)), maximum)
    remaining = room - GAP * (len(columns) - 1) - sum(column.minimum for column in columns)
    return None if remaining < 0 else Grid(headings, rows, _shared(columns, remaining))


def _measured(cells: Sequence[str]) -> _Column:
    from rich.cells import cell_len

    lines = [line for cell in cells for line in cell.splitlines()]
    wholes = [cell_len(line) for line in lines if _WHOLE.fullmatch(line)]
    words = [min(cell_len(word), WORD_MAX) for line in lines if not _WHOLE.fullmatch(line) for word in line.split()]
    return _Column(max([*wholes, *words], default=0), max(map(cell_len, lines), default=0))


def _main(columns: Sequence[_Column]) -> int | None:
    """The number of the column with the longest text that may be folded; None where every cell is one word."""
    foldable = [number for number, column in enumerate(columns) if column.maximum > column.minimum]
    return max(foldable, key=lambda number: columns[number].maximum, default=None)


def _shared(columns: Sequence[_Column], remaining: int) -> list[int]:
    """The widths: what is left over goes in equal parts to the columns that can use it, the most modest first."""
    widths = [column.minimum for column in columns]
    order = sorted(range(len(columns)), key=lambda number: columns[number].maximum - columns[number].minimum)
    for index, number in enumerate(order):
        more = min(columns[number].maximum - columns[number].minimum, remaining // (len(order) - index))
        widths[number] += more
        remaining -= more
    return widths


def _ids_below(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """The same table with its only column of ids below the column with the longest text; unchanged where there is none."""
    columns = [*zip(*rows, strict=True)]
    ids = [number for number, cells in enumerate(columns) if any(map(_ID.fullmatch, cells))]
    main = _main([_measured(cells) for cells in columns])
    table = [[*headings], *map(list, rows)]
    if len(ids) == 1 and main is not None:
        for row in table:
            row[main] += f"\n{row[ids[0]]}"
            del row[ids[0]]
    return table[0], table[1:]
