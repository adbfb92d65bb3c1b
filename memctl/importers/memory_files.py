"""Memories, chunks and knowledge bases as Markdown files, and back without loss.

The front matter holds the fields of the export by their wire names, times as dates; the text is the content. Its first
field, `memd`, says what the file is; a file without it is a plain note and becomes a memory too.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Any, cast

from memctl.importers.exports import epoch_ms
from memctl.importers.front_matter import body_of, compose, split
from memctl.json_values import items
from memctl.wire.enums import Category, Store

MARK = "memd"
MEMORY, CHUNK, BASE = "memory", "chunk", "knowledge base"
_TIMES = ("createdAt", "lastAccessedAt", "updatedAt", "validFrom", "validUntil")
_ELSEWHERE = {"content", "recallText", "archived"}
"""The text stands below, the recall text follows from it, and archived memories are not exported."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_KNOWN = {"title", "name", "tags", "category", "store", "channel", "created", "date"}


def file_of_row(row: Mapping[str, Any]) -> str:
    """The file for an exported memory or chunk in its wire shape."""
    kind = CHUNK if row.get("knowledgeBaseId") else MEMORY
    fields = {name: _dated(name, value) for name, value in row.items() if name not in _ELSEWHERE and value is not None}
    return compose({MARK: kind, **fields}, row["content"])


def file_of_base(row: Mapping[str, Any]) -> str:
    """The file for a knowledge base: its settings and times, and its description as the text."""
    names = ("id", "name", "agentIds", "scope", "peerScopePolicy", "sourceType", "sourceRole", "metadata", *_TIMES)
    fields = {name: _dated(name, row[name]) for name in names if row.get(name) is not None}
    return compose({MARK: BASE, **fields}, row.get("description") or "")


def _dated(name: str, value: Any) -> Any:
    """A time as a date, or as the number that it is outside of the years 1 to 9999."""
    try:
        return datetime.fromtimestamp(value / 1000, UTC) if name in _TIMES else value
    except (ValueError, OverflowError, OSError):
        return value


def row_of_file(text: str, name: str) -> tuple[str, dict[str, Any]]:
    """The kind of a file (MEMORY, CHUNK, BASE) and its row in the wire shape; raises BrokenFrontMatter."""
    fields, rest = split(text)
    kind = fields.pop(MARK, None)
    if kind not in (MEMORY, CHUNK, BASE):
        return MEMORY, _row_of_note(fields, rest, name)
    row = {key: _moment(value) if key in _TIMES else value for key, value in fields.items()}
    return kind, row | ({"description": body_of(rest)} if kind == BASE else {"content": body_of(rest)})


def _moment(value: Any) -> int | None:
    """A time of the front matter as epoch milliseconds; YAML reads dates as such."""
    if isinstance(value, datetime):
        return round((value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp() * 1000)
    return epoch_ms(value.isoformat() if isinstance(value, date) else value)


def _row_of_note(fields: Mapping[Any, Any], rest: str, name: str) -> dict[str, Any]:
    """A memory from a plain note: its title is given, or the first heading, or the file's name."""
    title = fields.get("title") or fields.get("name") or _first_heading(rest) or PurePath(name).stem
    others = {str(key): _plain(value) for key, value in fields.items() if key not in _KNOWN}
    return {
        "title": str(title)[:500],
        "content": rest.strip(),
        "store": fields.get("store", Store.SEMANTIC),
        "category": fields.get("category") if fields.get("category") in [*Category] else Category.FACT,
        "channel": fields.get("channel"),
        "tags": _tags(fields.get("tags")),
        "createdAt": _moment(fields.get("created", fields.get("date", _day_in(name)))),
        "metadata": others or None,
    }


def _day_in(name: str) -> str | None:
    """The date that a file's name begins with, as those of daily notes do."""
    found = _DAY.match(PurePath(name).name)
    return found[0] if found else None


def _first_heading(text: str) -> str:
    """The text of the first `# heading`; blank without one."""
    headings = (line[1:].strip().rstrip("#").rstrip() for line in text.splitlines() if line.startswith(("# ", "#\t")))
    return next((heading for heading in headings if heading), "")


def _tags(value: Any) -> list[str]:
    """Tags as a list, or as words with commas or blanks between them; a leading # is dropped."""
    words = re.split(r"[,\s]+", value) if isinstance(value, str) else [str(word) for word in items(value)]
    return [word.strip().lstrip("#")[:64] for word in words if word.strip()]


def _plain(value: Any) -> Any:
    """A value of the front matter as JSON knows it."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list):
        return [_plain(each) for each in items(value)]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
