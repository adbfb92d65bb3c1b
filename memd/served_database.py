"""Remembers the database that was served last, to warn when MEMD_DATABASE_URL is no longer set."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict

from memd.settings import Settings

FILE: Final = "database"
"""A file in the data directory with the outside database that was served last; absent after serving the bundled one."""


def note_served_database(settings: Settings) -> str | None:
    """Note the database that is served now; returns the outside one served last if the settings no longer name one."""
    file = settings.data_dir / FILE
    if settings.database_url is None:
        before = _read(file)
        file.unlink(missing_ok=True)
        return before
    with suppress(OSError):  # memd also runs with a data directory that it cannot write to
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        file.write_text(_name(settings.database_url) + "\n", encoding="utf-8")
    return None


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _name(url: str) -> str:
    """Host, port and name of the database, without user and password."""
    parts = conninfo_to_dict(url)
    host, port, name = parts.get("host") or "localhost", parts.get("port"), parts.get("dbname") or ""
    return f"{host}:{port}/{name}" if port else f"{host}/{name}"
