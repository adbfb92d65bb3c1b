"""Rows of any statement as dictionaries, for tests that look into tables; the service reads typed rows only."""

from typing import Any

from psycopg import rows

from memd.db.session import Session
from memd.db.statements import Params

Row = dict[str, Any]


async def dict_rows_of(session: Session, *statements: tuple[str, Params | None]) -> list[list[Row]]:
    """All rows of each of several statements, in one round trip."""
    cursors = await session._run(*statements)
    for cursor in cursors:
        cursor.row_factory = rows.dict_row
    return [await cursor.fetchall() for cursor in cursors]


async def dict_rows(session: Session, sql: str, params: Params | None = None) -> list[Row]:
    """All rows of a statement."""
    (found,) = await dict_rows_of(session, (sql, params))
    return found


async def dict_row(session: Session, sql: str, params: Params | None = None) -> Row | None:
    """The first row, or None."""
    found = await dict_rows(session, sql, params)
    return found[0] if found else None
