"""The only writer to standard output."""

import json
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import click

from memctl.options import Form
from memctl.text import escaped_json, printable
from memctl.wire.base import WireModel

PIPE_WIDTH = 120
"""Columns when standard output is no terminal."""


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


def is_terminal() -> bool:
    """Whether a person reads standard output, rather than a file, a pipe or a prompt."""
    return sys.stdout.isatty()


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


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> None:
    """A table that fits the terminal; `right` numbers the columns that are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    console = Console(file=sys.stdout, highlight=False, markup=False, width=None if is_terminal() else PIPE_WIDTH)
    console.print(grid)
