"""The statements that memd sends, rendered as files that can be read and pasted into psql (docs/sql)."""

import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from types import FrameType
from typing import Any

from pgvector import HalfVector
from psycopg.types.json import Json, Jsonb

from memd.db.tsvector import TsVector

ROOT = Path(__file__).parents[2]
USER = "01920000-0000-7000-8000-000000000001"
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_HEX = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9a-f])")
_WIRE_ID = re.compile(r"\b(kb|req|mem)_[0-9a-z]{26}\b")
_MOMENT = re.compile(r"(?<![\d.])1[78]\d{11}(?!\d)")
_POLICY = re.compile(r'(?<="policy_version": ")[0-9a-f]+')
_PARAMETER = re.compile(r"%\((\w+)\)[sb]")
_STORED = {HalfVector: ("embedding", "memory_vector"), TsVector: ("tsv", "memory_index")}
"""Where psql finds values of these types, which are too long to be shown."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A statement, and the function that sent it: `memd/recall/ordinary.py`, `find_by_words`."""

    file: str
    function: str
    sql: str
    params: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The function and what it says of itself."""
        module = importlib.import_module(self.file.removesuffix(".py").replace("/", "."))
        says = getattr(getattr(module, self.function, None), "__doc__", None) or module.__doc__ or ""
        return f"{self.function} ({self.file}): {says.strip().splitlines()[0]}"

    def text(self) -> str:
        """The statement with its parameters as psql variables."""
        names = list(dict.fromkeys(_PARAMETER.findall(self.sql)))
        settings = "".join(f"{_setting(name, self.params[name])}\n" for name in names)
        body = _PARAMETER.sub(r":'\1'", dedent(self.sql).strip()).replace("%%", "%")
        return f"-- {self.title}\n{settings}{_stable(body)};\n"

    def pasted(self) -> str:
        """The statement as psql sends it: with every variable as a quoted literal."""

        def literal(match: re.Match[str]) -> str:
            value = self.params[match[1]]
            text = _literal(value)
            return "'" + text.replace("'", "''") + "'"

        return _PARAMETER.sub(literal, self.sql).replace("%%", "%")


def sender() -> tuple[str, str]:
    """The file and name of the function outside of memd/db on whose behalf the statement is sent."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(f"{ROOT}/memd/") and not file.startswith(f"{ROOT}/memd/db/"):
            return str(Path(file).relative_to(ROOT)), frame.f_code.co_qualname
        frame = frame.f_back
    return "", ""


def rendered(statements: Sequence[Sent], about: str) -> str:
    """A file of statements in the order of their senders; of equal ones the first."""
    texts = dict.fromkeys(text for _file, text in sorted((sent.file, sent.text()) for sent in statements))
    head = (
        f"-- {about}\n-- Written by tests/memd/db/test_hot_sql.py. Paste a statement and its variables into psql, after this:\n"
        f"SET memd.user_id = '{USER}';\n"
    )
    return "\n".join([head, *texts])


def _setting(name: str, value: Any) -> str:
    if isinstance(value, HalfVector):
        return f"SELECT embedding::text AS {name} FROM memory_vector LIMIT 1 \\gset"
    if isinstance(value, list) and value and type(value[0]) in _STORED:
        column, table = _STORED[type(value[0])]
        rows = f"SELECT {column} FROM {table} LIMIT {len(value)}"
        return f"SELECT array_agg({column})::text AS {name} FROM ({rows}) stored \\gset"
    text = _stable(_literal(value)).replace("\\", "\\\\").replace("'", "''")
    return f"\\set {name} '{text}'"


def _literal(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "{" + ",".join(_items(value)) + "}"
    if isinstance(value, HalfVector):
        return value.to_text()
    if isinstance(value, TsVector):
        return "word"
    return json.dumps(value.obj) if isinstance(value, Json | Jsonb) else str(value)


def _items(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        text = _literal(value)
        yield '"' + text.replace('"', '\\"') + '"' if re.search(r"[\s,{}\"]", text) else text


def _stable(text: str) -> str:
    """The text with fixed ids, moments and versions."""
    text = _HEX.sub(USER.replace("-", ""), _UUID.sub(USER, text))
    return _POLICY.sub("0", _MOMENT.sub("1790000000000", _WIRE_ID.sub(r"\1_00000000000000000000000000", text)))
