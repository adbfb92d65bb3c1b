"""Why the database cannot be used: every message is a sentence that names the cause and the fix.

These are errors of the start, read by the person who runs memd; none of them reaches a client of the service.
"""

from collections.abc import Sequence
from pathlib import Path


class DatabaseStartError(Exception):
    """The base class; `str(error)` is the text to show."""


class BinariesMissingError(DatabaseStartError):
    """The wheel that brings Postgres is absent or holds another major version."""

    def __init__(self, details: str) -> None:
        super().__init__(
            f"The Postgres binaries are missing ({details}); reinstall memd with its dependencies, "
            "or name a server of your own with MEMD_DATABASE_URL"
        )


class DataDirectoryInUseError(DatabaseStartError):
    """Another memd serves this data directory; `pid` is None while it is still writing its number."""

    def __init__(self, folder: Path, pid: int | None) -> None:
        holder = "another memd" if pid is None else f"the memd with process id {pid}"
        super().__init__(f"The data directory {folder} is in use by {holder}; stop it, or choose another --data-dir")
        self.pid = pid


class DataDirectoryNotReachableError(DatabaseStartError):
    """The user that runs Postgres may not enter `folder`, which is the data directory or one above it."""

    def __init__(self, folder: Path, user: str) -> None:
        super().__init__(
            f"Postgres never runs as root, so memd runs it as the user '{user}', who may not enter {folder}; "
            f"choose a --data-dir below folders that everyone may enter, such as /var/lib/memd, "
            f"or allow it yourself with: chmod o+x '{folder}'"
        )
        self.folder = folder


class DataDirectoryNotUsableError(DatabaseStartError):
    """The data directory holds something else than a database of this Postgres, or belongs to another user."""


class PostgresFailedError(DatabaseStartError):
    """initdb or Postgres failed, or was not ready in time; `output` is the end of its output."""

    def __init__(self, what: str, output: Sequence[str] = ()) -> None:
        super().__init__("\n".join((what, *(f"  {line}" for line in output))))
        self.output = tuple(output)


class ServerRequirementsError(DatabaseStartError):
    """A server named by MEMD_DATABASE_URL lacks something; `missing` has one sentence for each."""

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__("\n".join(("The database server cannot serve memd:", *(f"  - {line}" for line in missing))))
        self.missing = tuple(missing)


class DatabaseUrlError(DatabaseStartError):
    """A setting with the address of a database is malformed. The text leaves its value out: that may hold a password."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is not an address of Postgres: use postgresql://LOGIN:PASSWORD@HOST:PORT/DATABASE, "
            "with special characters percent-encoded (@ is %40, / is %2F)"
        )


class NoDatabaseError(DatabaseStartError):
    """The data directory holds no database, and the command makes none."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"There is no database in {folder}; name the data directory of a memd with --data-dir or MEMD_DATA_DIR, "
            "or start one there with: memd serve"
        )


class NotServedError(DatabaseStartError):
    """The command needs a memd that serves the data directory, and none does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"No memd serves {folder}; start one there with: memd serve --workers-off")


class NoSchemaError(DatabaseStartError):
    """The database has no tables of memd, and the command makes none."""

    def __init__(self) -> None:
        super().__init__("The database has no memd schema yet; is its address right? `memd serve` creates the schema")


class OlderDatabaseError(DatabaseStartError):
    """The tables are at an earlier revision, and the command upgrades none: a running memd may need them as they are."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database is at revision {revision}, of an earlier memd; stop every memd that serves it, "
            "then upgrade it with: memd migrate"
        )


class NewerDatabaseError(DatabaseStartError):
    """The tables are at a revision that this memd does not bring."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database is at revision {revision}, which this memd does not know: a newer memd has upgraded it. "
            "Start that release again, or restore a backup from before the upgrade into an empty database"
        )


class NoAdministratorError(DatabaseStartError):
    """No active user may administrate memd."""

    def __init__(self) -> None:
        super().__init__("The database has no active administrator to create a key for")


class BackupError(DatabaseStartError):
    """A backup cannot be made or used; the text says why."""
