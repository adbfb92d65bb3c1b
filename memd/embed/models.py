"""Which model wrote the vectors: recorded on first use, and never changed by accident.

Used before there is a pool or a session, so it opens its own connections.
"""

import asyncio
from typing import LiteralString, cast

import psycopg

from memd.db.advisory_locks import Fixed
from memd.db.errors import DatabaseStartError

_LOCK = "SELECT pg_advisory_xact_lock(%(lock)s)"
_INSERT = """
INSERT INTO embedding_model (id, name, dimensions, current)
SELECT coalesce(max(id), 0) + 1, %(name)s, %(dimensions)s, %(current)s FROM embedding_model RETURNING id
"""

_CURRENT_OR_LATER = """
SELECT id FROM embedding_model WHERE name = %s AND dimensions = %s
AND id >= coalesce((SELECT id FROM embedding_model WHERE current), 0)
"""
_FORGET_EARLIER = """
DELETE FROM embedding_model
WHERE name = %s AND dimensions = %s AND id < (SELECT id FROM embedding_model WHERE current)
"""


class ModelChangedError(DatabaseStartError):
    """The stored vectors were computed by another model than the one that is configured."""

    def __init__(self, stored: str, configured: str) -> None:
        super().__init__(
            f"The stored vectors were computed by {stored}, but memd is configured for {configured}; "
            "run `memd reembed` with the new setting to recompute them, or go back to the old setting"
        )


class CurrentModel:
    """The number of the model under which vectors are stored; 0 until the dimension of a remote one is known.

    `problem` says why a remote model that answers again cannot be used.
    """

    def __init__(self, number: int) -> None:
        self.problem: str | None = None
        self._known = asyncio.Event()
        self.number = 0
        self.set(number)

    def set(self, number: int) -> None:
        """The model has been claimed; 0 is none."""
        self.number, self.problem = number, None
        if number:
            self._known.set()

    async def wait_known(self) -> int:
        """The number, once it is not 0."""
        await self._known.wait()
        return self.number


def stored_dimensions(conninfo: str, name: str) -> int:
    """The length of the stored vectors if this model made them; 0 when there are none yet.

    `ModelChangedError` when another model made them.
    """
    with psycopg.connect(conninfo) as connection:
        row = connection.execute("SELECT name, dimensions FROM embedding_model WHERE current").fetchone()
    if row is not None and row[0] != name:
        raise ModelChangedError(f"{row[0]} ({row[1]} dimensions)", name)
    return 0 if row is None else int(row[1])


def claim(conninfo: str, name: str, dimensions: int) -> int:
    """The number of the model under which vectors are stored; `ModelChangedError` when another one is current."""
    with psycopg.connect(conninfo) as connection:
        connection.execute(_LOCK, {"lock": Fixed.MODEL.value})
        row = connection.execute("SELECT id, name, dimensions FROM embedding_model WHERE current").fetchone()
        if row is None:
            return _insert(connection, name, dimensions, current=True)
        if (row[1], row[2]) != (name, dimensions):
            raise ModelChangedError(f"{row[1]} ({row[2]} dimensions)", f"{name} ({dimensions} dimensions)")
        return int(row[0])


def register(conninfo: str, name: str, dimensions: int) -> int:
    """The number of a model that is to follow the current one, or is it; models that follow have higher numbers.

    One that was current earlier starts again: a memd that still runs with it may store vectors under its old number.
    """
    with psycopg.connect(conninfo) as connection:
        connection.execute(_LOCK, {"lock": Fixed.MODEL.value})
        row = connection.execute(_CURRENT_OR_LATER, (name, dimensions)).fetchone()
        if row is not None:
            return int(row[0])
        connection.execute(_FORGET_EARLIER, (name, dimensions))
        return _insert(connection, name, dimensions, current=False)


def _insert(connection: psycopg.Connection, name: str, dimensions: int, *, current: bool) -> int:
    values = {"name": name, "dimensions": dimensions, "current": current}
    row = connection.execute(cast("LiteralString", _INSERT), values).fetchone()
    return int(row[0]) if row else 0
