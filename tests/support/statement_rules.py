"""The rules that keep every statement distributable by user, and a watch on all that memd sends while tests run.

Citus sends a statement to one node when each table in it is bound to the same user by a parameter; it refuses a few
other forms, or runs them on the coordinator. On plain Postgres none of these rules costs anything. One rule is for both:
what is limited is searched once, not anew for each row that it is compared with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from memd.db.schema.catalogue import METADATA
from memd.db.schema.distribute import LOCAL
from memd.db.session import SystemSession
from memd.db.statements import Session
from tests.support.hot_sql import sender

USER_TABLES: Final = frozenset(
    name for name, table in METADATA.tables.items() if "user_id" in table.columns and name not in LOCAL
)
_NAMES: Final = "|".join(sorted(USER_TABLES, key=len, reverse=True))
_READ: Final = re.compile(
    rf"(?:\bFROM|\bJOIN|\bUPDATE|\bUSING|,)\s+(?P<table>{_NAMES})\b(?!\.|\s*\(| uuid)(?:\s+(?:AS\s+)?(?P<alias>[a-z_]+)\b)?"
)
_KEYWORDS: Final = {
    "where",
    "set",
    "on",
    "join",
    "left",
    "cross",
    "order",
    "group",
    "limit",
    "for",
    "using",
    "returning",
}
_INSERTION: Final = re.compile(
    rf"\bINSERT INTO (?P<table>{_NAMES})\b\s*\((?P<columns>[^)]*)\)\s*(?P<source>VALUES|SELECT|WITH)"
)
_CONFLICT_SET: Final = re.compile(r"\bON CONFLICT\b.*?\bDO UPDATE\b\s+SET\b(?P<changes>.*)", re.DOTALL)
_CATALOGUE: Final = re.compile(r"\b(?:FROM|JOIN)\s+(?:pg_[a-z_]+|information_schema\.\w+)")
_SLICE: Final = re.compile(r"\[[^\]]*:[^\]]*\]")
_BOUND: Final = re.compile(r"(?:\b(\w+)\.|(?<![.\w]))user_id = (?:%\(\w+\)s|'')")
"""The name of the table, or no name, before each column that is bound to a user."""
_SEARCH: Final = re.compile(r"\bIN \(\s*(?=SELECT\b)")
_PARENTHESIS: Final = re.compile(r"[()]")
_LITERAL: Final = re.compile(r"'(?:[^']|'')*'|--[^\n]*")


def violations(sql: str, *, of_one_user: bool) -> Iterator[str]:
    """The reasons why a statement is not distributable; statements over all users need not name one."""
    plain = re.sub(r"\s+", " ", _LITERAL.sub("''", sql))
    tables = list(_READ.finditer(plain))
    inserted = list(_INSERTION.finditer(plain))
    if not tables and not inserted:
        return
    if _CATALOGUE.search(plain):
        yield "reads the catalogue beside tables of users"
    for found in _CONFLICT_SET.finditer(plain):
        if "(SELECT" in found["changes"] or _SLICE.search(found["changes"]):
            yield "has a subquery or an array slice in ON CONFLICT … SET"
    for insertion in inserted:
        yield from (
            f"inserts into {insertion['table']} {problem}" for problem in _in_insertion(plain, insertion, tables)
        )
    if any(" LIMIT " in _flat(plain[found.end() :]) for found in _SEARCH.finditer(plain)):
        yield "has a LIMIT in IN (SELECT …), which Postgres may run anew for each row; use = ANY(ARRAY(SELECT …))"
    if of_one_user:
        yield from (f"does not bind {read['table']} to %(user)s" for read in tables if not _is_bound(plain, read))


def _in_insertion(sql: str, insertion: re.Match[str], tables: Sequence[re.Match[str]]) -> Iterator[str]:
    if insertion["columns"].split(",")[0].strip() != "user_id":
        yield "without the user first"
    if insertion["source"] == "SELECT" and not tables:
        yield "rows that it selects from no table of the user"
    if insertion["source"] == "SELECT" and sql[: insertion.start()].rstrip().endswith("AS ("):
        yield "inside WITH what it selects"


def _flat(sql: str) -> str:
    """The text up to the parenthesis that closes what is open before it, without what is in parentheses."""
    depth, kept = 0, ""
    for character in sql:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
        kept += character if depth == 0 else ""
    return kept


def _is_bound(sql: str, read: re.Match[str]) -> bool:
    """Whether the part of the statement that names a table also says that its user is a parameter, or a constant."""
    alias = read["alias"] if read["alias"] and read["alias"] not in _KEYWORDS else None
    part = _around(sql, read.start())
    bound = _BOUND.findall(part)
    if (alias or read["table"]) in bound:
        return True
    return "" in bound and (alias is None or len(_READ.findall(part)) == 1)


def _around(sql: str, position: int) -> str:
    """The innermost parentheses around a place, or the whole statement."""
    opened: list[int] = []
    for found in _PARENTHESIS.finditer(sql):
        if found[0] == "(":
            opened.append(found.start())
        elif opened and (start := opened.pop()) < position < found.start():
            return sql[start : found.end()]
    return sql


class Watch:
    """Every statement of memd's rooms, each text examined once, and what was wrong with those not yet reported."""

    def __init__(self) -> None:
        self._known: set[tuple[str, bool]] = set()
        self.wrong: list[str] = []

    def see(self, sql: str, *, of_one_user: bool) -> None:
        """Examine a statement unless its text is known."""
        if (sql, of_one_user) in self._known:
            return
        self._known.add((sql, of_one_user))
        file, function = sender()
        if file:
            self.wrong += [
                f"{file}, {function}: {problem}:\n{sql}" for problem in violations(sql, of_one_user=of_one_user)
            ]


@pytest.fixture(scope="session")
def _watch() -> Iterator[Watch]:
    watch = Watch()
    run, run_many = Session._run_once, Session.execute_many

    async def run_once(self: Session, *statements: Any, binary: bool = False) -> Any:
        for sql, _ in [*self._waiting, *statements]:
            watch.see(sql, of_one_user=not isinstance(self, SystemSession))
        return await run(self, *statements, binary=binary)

    async def execute_many(self: Session, sql: str, params: list[Mapping[str, Any]]) -> None:
        watch.see(sql, of_one_user=not isinstance(self, SystemSession))
        await run_many(self, sql, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "_run_once", run_once)
        patch.setattr(Session, "execute_many", execute_many)
        yield watch


@pytest.fixture(autouse=True)
def _statements_are_distributable(_watch: Watch) -> Iterator[None]:
    """Fail the test in which a statement is sent for the first time that cannot be distributed by user."""
    yield
    wrong, _watch.wrong = _watch.wrong, []
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)
