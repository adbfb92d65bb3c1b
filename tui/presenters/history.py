"""The versions of a memory as rows of a time line, and what differs between two of them, in colour."""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.text import Text

from memctl.text import age, moment, printable
from memctl.wire.history import MemoryVersion

from .cells import Cell, TableRow, cell

TEXTS: Final = ("title", "content")
COMPARED_MAX: Final = 4_000_000
"""Pairs of lines or words that are compared; what would be more, between the first and the last change, counts as changed."""
_WORDS: Final = re.compile(r"\s+|\w+|[^\w\s]")
_ACTIONS: Final = {
    "archive": "warn",
    "supersede": "warn",
    "restore": "ok",
    "undo": "ok",
}


def version_rows(versions: Sequence[MemoryVersion], base: int | None, now: int) -> list[TableRow]:
    """The versions, newest first: mark of the base of the comparison, number, when, what was done, by whom, what changed."""
    befores = [None, *versions[:-1]]
    return [
        TableRow(
            str(version.version),
            (
                cell("◆" if version.version == base else "│", "mark" if version.version == base else "dim"),
                Cell(str(version.version), right=True),
                cell(age(version.changed_at, now), "dim"),
                cell(version.action, _ACTIONS.get(version.action, "bar")),
                cell(version.changed_by_label or version.changed_by or "a background job", "dim"),
                cell(_what(before, version)),
                cell(moment(version.changed_at), "dim"),
            ),
        )
        for before, version in reversed([*zip(befores, versions, strict=True)])
    ]


def _what(before: MemoryVersion | None, version: MemoryVersion) -> str:
    """The fields that a version changed, and why."""
    what = "stored" if before is None else ", ".join(changed_fields(before, version)) or "nothing"
    return f"{what} · {version.reason}" if version.reason else what


def changed_fields(before: MemoryVersion, after: MemoryVersion) -> list[str]:
    """The names of the fields that differ, as the wire names them."""
    was, now = _values(before), _values(after)
    return [name for name in {**was, **now} if was.get(name) != now.get(name)]


def _values(version: MemoryVersion) -> dict[str, Any]:
    return version.fields.to_wire()


def uncompared(version: MemoryVersion, *, is_marked: bool) -> Text:
    """Why a version is not compared: it is the first one, or the one that the others are compared with."""
    reason = "is marked: all others are compared with it" if is_marked else "is the first one"
    return Text(f"Version {version.version} {reason}.", style="dim")


def comparison(before: MemoryVersion, after: MemoryVersion) -> Text:
    """The differences of two versions: fields as `old → new`, texts line by line with the changed words set off."""
    was, now = _values(before), _values(after)
    title = f"version {before.version} → version {after.version}"
    parts = [Text.assemble((title, "bold"), (f"  {moment(before.changed_at)} → {moment(after.changed_at)}", "dim"))]
    for name in changed_fields(before, after):
        if name in TEXTS:
            parts.append(Text.assemble((f"{name}\n", "bold"), lines_changed(str(was[name]), str(now[name]))))
        else:
            old, new = (printable(_shown(values.get(name))) for values in (was, now))
            parts.append(
                Text.assemble((f"{name}  ", "bold"), (f"−{old}", "diff.removed"), "  ", (f"+{new}", "diff.added"))
            )
    if len(parts) == 1:
        parts.append(Text("No differences.", style="dim"))
    return Text("\n\n").join(parts)


def _shown(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else "nothing" if value is None else str(value)


def lines_changed(old: str, new: str) -> Text:
    """A text against another: removed lines, added lines, and the lines between that stayed."""
    before, after = printable(old).splitlines(), printable(new).splitlines()
    lines: list[Text] = []
    for tag, i, j, k, m in _blocks(before, after):
        if tag == "equal":
            lines += [Text(f"  {line}", style="dim") for line in before[i:j]]
        else:
            lines += _block(before[i:j], after[k:m])
    return Text("\n").join(lines)


def _blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """The parts that stayed and that were replaced, in order, as opcodes of difflib.

    difflib takes the cube of the length where much is alike, so a stored text could stop the program for minutes.
    """
    least = min(len(old), len(new))
    first = next((at for at in range(least) if old[at] != new[at]), least)
    rest = range(1, least - first + 1)
    last = next((back - 1 for back in rest if old[-back] != new[-back]), least - first)
    i, j, k, m = first, len(old) - last, first, len(new) - last
    yield "equal", 0, i, 0, k
    if (j - i) * (m - k) <= COMPARED_MAX:
        for tag, a, b, c, d in difflib.SequenceMatcher(None, old[i:j], new[k:m]).get_opcodes():
            yield tag, first + a, first + b, first + c, first + d
    else:
        yield "replace", i, j, k, m
    yield "equal", j, len(old), m, len(new)


def _block(removed: Sequence[str], added: Sequence[str]) -> Iterator[Text]:
    """Replaced lines; if as many were added as removed, the changed words of each pair are highlighted."""
    paired = len(removed) == len(added)
    for index, line in enumerate(removed):
        yield _line("−", line, added[index] if paired else None, "diff.removed")
    for index, line in enumerate(added):
        yield _line("+", line, removed[index] if paired else None, "diff.added")


def _line(sign: str, line: str, other: str | None, style: str) -> Text:
    """A line of a diff; the words that `other` does not have are set off."""
    text = Text(f"{sign} ", style=style)
    if other is None:
        return text.append(line)
    words: list[str] = _WORDS.findall(line)
    for tag, i, j, _, _ in _blocks(words, _WORDS.findall(other)):
        text.append("".join(words[i:j]), style="" if tag == "equal" else f"{style}.word")
    return text
