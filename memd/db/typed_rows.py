"""Typed rows: a statement is read by position as one type, usually a NamedTuple, whose fields are named as its columns.

The names are compared each time that a statement is read, which costs about a microsecond: a statement and its type
cannot drift apart, not even in the order of columns, and every test that runs a statement also checks it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from psycopg import AsyncCursor


class ComposedRow(Protocol):
    """A row of another class that has these two members of a NamedTuple, to take some columns together as one field."""

    _fields: ClassVar[tuple[str, ...]]
    """The columns of the statement in their order."""

    @classmethod
    def _make(cls, iterable: Iterable[Any], /) -> Self:
        """A row from the values of its columns."""
        ...


TypedRow: TypeAlias = "NamedTuple | ComposedRow"
R = TypeVar("R", bound=TypedRow)


class Query(NamedTuple, Generic[R]):
    """A statement with the type of its rows."""

    of: type[R]
    sql: str
    params: Mapping[str, Any] | None


class ColumnsError(TypeError):
    """The columns of a statement are not the fields of its row type."""


def typed(cursor: AsyncCursor[Any], of: type[R]) -> AsyncCursor[R]:
    """The cursor of an executed statement, which now gives rows of a type; `ColumnsError` if the statement has others."""
    result, (fields, make) = cursor.pgresult, _reading(of)
    columns: list[bytes | None] = [] if result is None else [result.fname(index) for index in range(result.nfields)]
    if columns != fields:
        raise ColumnsError(f"{of.__name__} has the fields {fields}, its statement the columns {columns}")
    cursor.row_factory = lambda _: make
    return cursor


@cache
def _reading(of: type[R]) -> tuple[list[bytes], Callable[[Iterable[Any]], R]]:
    """The names of the fields as Postgres sends them, and what makes a row."""
    row_type: Any = (
        of  # a named tuple declares these two as public; the underscore only keeps them apart from its fields
    )
    return [field.encode() for field in row_type._fields], row_type._make
