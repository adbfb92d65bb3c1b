"""The only writer to standard output."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TextIO

import click

from memctl import colors
from memctl.options import Form
from memctl.text import escaped_json, printable
from memctl.wire.base import WireModel

_ID = re.compile(r"[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}")
"""An identifier (contract 1.5): broken over two lines it cannot be copied."""


COLUMN_MIN = 12
"""The minimum width of a column of a table in characters, if its values are that long."""


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


def say(text: str = "", *, dim: bool = False) -> None:
    """A line of text, dimmed on a terminal if asked; control characters in it are harmless."""
    click.echo(click.style(printable(text), dim=True) if dim else printable(text))


def say_colored(*parts: tuple[str, str | None]) -> None:
    """A line of texts, each in its colour at a terminal; control characters in them are harmless."""
    shown = [(printable(text), color if colors.enabled() else None) for text, color in parts]
    click.echo("".join(click.style(text, fg=color) if color else text for text, color in shown))


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
        click.echo(f"{name:<{width}}  {first}")
        for more in rest:
            click.echo(f"{'':<{width}}  {more}")


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


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = (), headed: bool = False
) -> None:
    """A table that fits the terminal, or a block for each row where it is too narrow for one; a pipe gets the rows alone, unwrapped, with tabs between the cells.

    `right` numbers the columns that are aligned to the right; with `headed` a pipe gets the headings, too.
    """
    if not is_terminal():
        for row in (headings, *rows) if headed else rows:
            click.echo("\t".join(" ".join(printable(cell).replace("\t", " ").splitlines()) for cell in row))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [[printable(cell) for cell in row] for row in rows]
    if _is_narrow(shown):
        for number, row in enumerate(shown):
            if number:
                say()
            record(zip(headings, row, strict=True))
        return
    console = Console(file=sys.stdout, highlight=False, markup=False)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, heading in enumerate(headings):
        holds_ids = any(_ID.fullmatch(row[index]) for row in shown)
        justify = "right" if index in right else "left"
        grid.add_column(heading, justify=justify, overflow="fold", no_wrap=holds_ids)
    for row in shown:
        styles = (colors.of_cell(*pair) or "" for pair in zip(headings, row, strict=True))
        grid.add_row(*map(Text, row, styles))
    with console.capture() as printed:
        console.print(grid)
    _paged(printed.get())


def _paged(text: str) -> None:
    """Print text, in the pager (PAGER, or less) when it is longer than the screen and a person can press keys."""
    if is_terminal(sys.stdin) and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text, color=True)
    else:
        click.echo(text, nl=False, color=True)


def _is_narrow(rows: Sequence[Sequence[str]]) -> bool:
    """Whether identifiers, which are never broken, leave the other columns of a table less space than they need."""
    columns = [*zip(*rows, strict=True)]
    ids = [len(max(cells, key=len)) for cells in columns if any(map(_ID.fullmatch, cells))]
    wanted = sum(min(len(max(cells, key=len)), COLUMN_MIN) for cells in columns) - sum(min(i, COLUMN_MIN) for i in ids)
    gaps = 3 * (len(columns) - 1)
    return bool(ids) and sum(ids) + wanted + gaps > shutil.get_terminal_size().columns
