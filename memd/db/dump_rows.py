"""The rows of a backup, put into the tables without running a word of the SQL that the file holds.

pg_restore only translates the dump into text; no database is named to it. Of that text the data of COPY blocks is
taken, for tables that memd knows, and sent with statements of memd's own. So a backup from a stranger can bring false
rows, but it cannot run anything, and it does not matter which settings the dump was made with.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import psycopg
from psycopg import sql

from memd.db.embedded.binaries import wheel_programs
from memd.db.errors import BackupError
from memd.db.schema.catalogue import METADATA

_BLOCK: Final = re.compile(rb"COPY public\.([a-z_]+) \((.+)\) FROM stdin;\n")
_COLUMN: Final = re.compile(r'"?([a-z_0-9]+)"?')
_HARMLESS: Final = (b"\n", b"--", b"SET ", b"SELECT pg_catalog.set", b"\\restrict ", b"\\unrestrict ")
"""Prefixes of the other lines that pg_restore writes; all of them are skipped."""
_END: Final = b"\\.\n"
_UNFIT: Final = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.ProgrammingError,
    psycopg.errors.ProgramLimitExceeded,
)
"""What Postgres raises for rows that break a constraint, or that have columns which the table has not."""
_PIECE: Final = 1 << 20
"""The most bytes of a line that are read at once."""
SPARE_BYTES: Final = 256 << 20
"""What a restore leaves free on the disk of the embedded Postgres: small rows take many times their size in the dump."""
MAX_ROW_BYTES: Final = 256 << 20
"""Largest row as text: several times the largest request, and far below what Postgres would hold in memory for it."""


class _Text:
    """The text that pg_restore writes, read only while the disk has room for what it becomes."""

    def __init__(self, source: IO[bytes], disk: Path | None) -> None:
        self._source = source
        self._disk = disk
        self._unchecked = 0

    def readline(self) -> bytes:
        """The next line, or a piece of a long one. BackupError when the disk is nearly full."""
        piece = self._source.readline(_PIECE)
        self._unchecked += len(piece)
        if self._disk is not None and self._unchecked >= _PIECE:
            self._unchecked = 0
            if shutil.disk_usage(self._disk).free < SPARE_BYTES:
                raise BackupError(f"it does not fit on the disk of {self._disk}: No space left on device")
        return piece


def load(connection: psycopg.Connection, dump: Path, disk: Path | None) -> None:
    """Fill the tables from a dump of pg_dump's custom format, within the open transaction of their owner.

    Row-level security that binds the owner does not let COPY write, so it is lifted from each table until that is
    filled. `disk` is a folder on the disk of the database, None when that is elsewhere: SPARE_BYTES are left free.
    """
    command = [wheel_programs() / "pg_restore", "--data-only", "--file=-", dump]
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints) as program:  # noqa: S603 - our own words
            if program.stdout is not None:
                _copy_all(connection, _Text(program.stdout, disk))
        complaints.seek(0)
        error_output = complaints.read().decode(errors="replace").strip()
    if program.returncode:
        raise BackupError(f"the data cannot be read: {error_output[-800:]}")


def _copy_all(connection: psycopg.Connection, text: _Text) -> None:
    while line := text.readline():
        found = _BLOCK.fullmatch(line)
        if found is None:
            if not line.startswith(_HARMLESS):
                raise BackupError(
                    f"it holds a statement that a backup of memd never has: {line[:80].decode(errors='replace')}"
                )
            continue
        table, columns = found[1].decode(), _columns(found[2].decode())
        if table not in METADATA.tables:
            raise BackupError(f"it has rows of {table}, which is not a table of memd")
        _copy(connection, sql.Identifier(table), columns, text)


def _columns(text: str) -> sql.Composed:
    names = [_COLUMN.fullmatch(part) for part in text.split(", ")]
    return sql.SQL(", ").join(sql.Identifier(name[1] if name else "") for name in names)


def _copy(connection: psycopg.Connection, table: sql.Identifier, columns: sql.Composed, text: _Text) -> None:
    connection.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(table))
    try:
        with (
            connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(table, columns)) as copy,
        ):
            for piece in _rows(text):
                copy.write(piece)
    except _UNFIT as error:
        raise BackupError(f"its rows do not fit: {error}") from error
    connection.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(table))


def _rows(text: _Text) -> Iterator[bytes]:
    """The data of a COPY block up to its end, in pieces of a few MiB: a compressed dump may hold a row of any length."""
    pieces: list[bytes] = []
    size = row_size = 0
    while piece := text.readline():
        if piece == _END and not row_size:
            yield b"".join(pieces)
            return
        row_size += len(piece)
        if row_size > MAX_ROW_BYTES:
            raise BackupError(f"it has a row of more than {MAX_ROW_BYTES >> 20} MiB")
        row_size = 0 if piece.endswith(b"\n") else row_size
        pieces.append(piece)
        size += len(piece)
        if size >= _PIECE:
            yield b"".join(pieces)
            pieces.clear()
            size = 0
    raise BackupError("the data ends in the middle of a table")
