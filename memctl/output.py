"""The only writer to standard output."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from memctl import colors
from memctl.column_widths import GAP, Grid, fit
from memctl.folding import fold
from memctl.options import Form
from memctl.text import escaped_json, one_line, printable
from memctl.wire.base import WireModel

ROOM_MIN = 20
"""Text that has less room than this, in characters, is left for the terminal to break."""


def document(value: WireModel | dict[str, Any]) -> None:
    """One JSON document in the wire shape."""
    click.echo(escaped_json(json.dumps(_plain(value), ensure_ascii=False, indent=2)))


def line(value: WireModel | dict[str, Any]) -> None:
    """One JSON object on one line."""
    click.echo(json_line(_plain(value)))


def json_line(value: dict[str, Any]) -> str:
    """A JSON object without any character that commands a terminal, or that some program takes for the end of a line."""
    return escaped_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _plain(value: WireModel | dict[str, Any]) -> dict[str, Any]:
    return value.to_wire() if isinstance(value, WireModel) else value


def say(text: str = "", *, dim: bool = False, column: int | None = None) -> None:
    """A line of text, dimmed on a terminal if asked; control characters in it are harmless.

    At a terminal a long one is folded at its words, to lines that begin at `column`, by default that of its first word;
    text that begins at the margin is left as it is.
    """
    shown = folded(text, len(text) - len(text.lstrip(" ")) if column is None else column)
    click.echo(click.style(shown, dim=True) if dim and not colors.is_dumb() else shown)


def say_colored(*parts: tuple[str, str | None], column: int = 0) -> None:
    """A line of texts, each in its colour at a terminal, the last one folded as `say` does; control characters are harmless."""
    *before, last = (printable(text) for text, _ in parts)
    start = "".join(before)
    texts = [*before, folded(start + last, column)[len(start) :]]
    shown = zip(texts, (color if colors.enabled() else None for _, color in parts), strict=True)
    click.echo("".join(click.style(text, fg=color) if color else text for text, color in shown))


def folded(text: str, column: int) -> str:
    """Printable text, whose long lines are folded at words at a terminal; what is folded begins at `column`, if that is not 0."""
    room = shutil.get_terminal_size().columns
    if not column or room - column < ROOM_MIN or not is_terminal():
        return printable(text)
    return "\n".join(fold(line, room, " " * column) for line in printable(text).split("\n"))


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether standard output, or another stream, is a person's terminal, rather than a file or a pipe; it may be closed."""
    stream = stream or sys.stdout
    return stream is not None and stream.isatty()


def script(text: str) -> None:
    """Text for another program, exactly as it is."""
    click.echo(text, nl=not text.endswith("\n"))


def record(pairs: Iterable[tuple[str, object]]) -> None:
    """Names and values, aligned; values that are None or empty are left out."""
    shown = [(name, printable(str(value))) for name, value in pairs if value not in {None, ""}]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        first, *rest = value.split("\n")
        click.echo(folded(f"{name:<{width}}  {first}", width + 2))
        for more in rest:
            click.echo(folded(f"{'':<{width}}  {more}", width + 2))


def listing(
    form: Form,
    reply: WireModel | dict[str, Any],
    rows: Sequence[WireModel],
    headings: Sequence[str],
    cells: Callable[[Any], Sequence[str]],
    *,
    right: Collection[int] = (),
) -> None:
    """The rows of a reply in the form that was asked for: the whole reply, a row on each line, or a table."""
    if form is Form.JSON:
        document(reply)
    elif form is Form.JSONL:
        for row in rows:
            line(row)
    else:
        table(headings, map(cells, rows), right=right)


def row(*cells: str | None) -> None:
    """A line for a pipe: the cells with tabs between them; a tab or the end of a line within a cell becomes a space."""
    texts = (printable(cell or "").replace("\t", " ") for cell in cells)
    click.echo("\t".join(" ".join(text.splitlines()) for text in texts))


def excerpt(text: str, length: int) -> str:
    """The text of a cell: one line of at most `length` characters at a terminal, all of it in a pipe."""
    return one_line(text, length) if is_terminal() else text


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = (), headed: bool = False
) -> None:
    """A table that fits the terminal, or a block for each row where it is too narrow for one; a pipe gets the rows alone, unwrapped, with tabs between the cells.

    `right` numbers the columns that are aligned to the right; with `headed` a pipe gets the headings, too.
    """
    if not is_terminal():
        for cells in (headings, *rows) if headed else rows:
            row(*cells)
        return
    shown = [[printable(cell) for cell in cells] for cells in rows]
    grid = fit(headings, shown, shutil.get_terminal_size().columns)
    if grid is None:
        for number, cells in enumerate(shown):
            if number:
                say()
            record(zip(headings, cells, strict=True))
        return
    _paged(_drawn(grid, {headings[index] for index in right}))


def _drawn(grid: Grid, right: Collection[str]) -> str:
    """A table as text, with colours for a terminal; the columns whose headings are in `right` are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, markup=False)
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, GAP - 1, 0, 0))
    for heading, width in zip(grid.headings, grid.widths, strict=True):
        justify = "right" if heading in right else "left"
        drawn.add_column(heading, justify=justify, width=width, overflow="fold")
    for row in grid.rows:
        styles = (colors.of_cell(*pair) or "" for pair in zip(grid.headings, row, strict=True))
        drawn.add_row(*map(Text, row, styles))
    with console.capture() as printed:
        console.print(drawn)
    return printed.get()


def _paged(text: str) -> None:
    """Print text, in the pager (PAGER, or less) when it is longer than the screen and a person can press keys."""
    if is_terminal(sys.stdin) and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text, color=_pager_color())
    else:
        click.echo(text, nl=False, color=True)


def _pager_color() -> bool | None:
    """Let click decide for less, which it asks to show colours unless LESS says otherwise; other pagers get them."""
    command = os.environ.get("PAGER", "").split()
    return True if command and Path(command[0]).name != "less" else None
