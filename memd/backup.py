"""`memd backup`, its verification and `memd restore`: everything that cannot be rebuilt, in one file.

The file is a tar of a manifest, a dump of the data by pg_dump, and the key file. Dump and manifest, which holds counts and
content hashes, are taken in one snapshot, while memd serves. The tables themselves are made by the migrations, so that a backup of an older release can be restored; waiting
jobs are left out, since the schedules find what is left to do. No session is open, so the two statements of a restore
are here.
"""

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, LiteralString, Self, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import TypeAdapter, ValidationError

from memd.db.audit_append import append
from memd.db.dump_rows import load
from memd.db.embedded.binaries import wheel_programs
from memd.db.embedded.server import has_cluster
from memd.db.errors import BackupError, DataDirectoryInUseError
from memd.db.schema import migrate
from memd.db.table_digests import Digest, frozen, table_digests
from memd.domain.accounts.audit_chain import AuditEntry
from memd.resources import KEY_FILE, database, reachable_database
from memd.settings import Settings
from memd.version import VERSION

FORMAT = 1
MAX_SMALL_MEMBER_BYTES = 1 << 20
"""Largest manifest or key file that is read from a backup."""
MAX_EXPANSION = 100
"""How many times the size of its file a part may have: the dump is compressed already, but a tar may declare holes."""
MAX_MEMBERS = 16
"""Maximum number of parts of a backup; memd writes three. tarfile keeps the header of each in memory."""
MANIFEST, DUMP = "memd-backup.json", "database.dump"
DUMP_OPTIONS = ("--format=custom", "--data-only", "--enable-row-security", "--exclude-table-data=alembic_version")
NOT_DUMPED = ("--exclude-table-data=procrastinate_*", "--no-unlogged-table-data")


class _Member(tarfile.TarInfo):
    """A member of a backup. Headers with long names and extended attributes are refused when they are large.

    tarfile reads such a header as a whole.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header of 512 bytes; BackupError for one that announces too much."""
        member = super().frombuf(buf, encoding, errors)
        if not member.isfile() and member.size > MAX_SMALL_MEMBER_BYTES:
            raise BackupError("a header in it is too large")
        return member


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a backup; `created_at` in epoch milliseconds."""

    format: int
    version: str
    revision: str
    created_at: int
    tables: Mapping[str, Digest] = field(default_factory=dict[str, Digest])

    def to_json(self) -> str:
        """The text of the manifest."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a manifest; ValueError for anything else."""
        try:
            return TypeAdapter(cls).validate_json(text)
        except ValidationError as error:
            raise ValueError(f"its manifest has {error.error_count()} errors") from error


@dataclass(frozen=True, slots=True)
class Difference:
    """A table whose restored contents differ from the backup; None for a table that is missing on one side."""

    table: str
    recorded: Digest | None
    restored: Digest | None

    def __str__(self) -> str:
        if self.recorded is None or self.restored is None:
            return f"{self.table}: {'not recorded' if self.recorded is None else 'missing'}"
        if self.recorded.rows != self.restored.rows:
            return f"{self.table}: {self.restored.rows:,} rows came back of {self.recorded.rows:,}"
        return f"{self.table}: the contents of {self.recorded.rows:,} rows differ"


def backup(settings: Settings, target: Path) -> int:
    """Write a backup, readable by its owner only, with or without a running memd; its size in bytes.

    The file appears when it is whole. Raises BackupError, or an error of `memd.db.errors`.
    """
    if target.exists():
        raise BackupError(f"{target} already exists; name a new file")
    failure = f"{target} cannot be written"
    with reachable_database(settings) as conninfo, _scratch(_parent(target), failure) as folder:
        revision = migrate.current(conninfo)
        if revision is None:
            raise BackupError("the database has no memd schema yet; there is nothing to back up")
        _record(conninfo, revision, "backup")
        dump = folder / DUMP
        with frozen(conninfo) as (connection, snapshot):
            now = time.time_ns() // 1_000_000
            _program("pg_dump", conninfo, [*DUMP_OPTIONS, *NOT_DUMPED, f"--snapshot={snapshot}", f"--file={dump}"])
            manifest = Manifest(FORMAT, VERSION, revision, now, table_digests(connection))
        (folder / MANIFEST).write_text(manifest.to_json())
        draft = folder / "backup.tar"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            _pack(file, [folder / MANIFEST, dump, settings.data_dir / KEY_FILE])
        draft.rename(target)
    return target.stat().st_size


def _record(conninfo: str, revision: str, action: str) -> None:
    """Enter a backup, before anything is read, or a restore into the audit log; an older database may have none."""
    if revision != migrate.head():
        return
    statement, values = append(AuditEntry(time.time_ns() // 1_000_000, action))
    with psycopg.connect(conninfo) as connection:
        connection.execute(cast("LiteralString", statement), values)


def _parent(target: Path) -> Path:
    folder = target.resolve().parent
    if not folder.is_dir():
        raise BackupError(f"the folder {folder} does not exist")
    return folder


@contextmanager
def _scratch(parent: Path, failure: str) -> Generator[Path]:
    """A temporary folder in `parent`; BackupError with the words `failure` when the operating system fails the block."""
    try:
        with tempfile.TemporaryDirectory(dir=parent) as name:
            yield Path(name)
    except OSError as error:
        raise BackupError(f"{failure}: {error}") from error


def _pack(file: Any, members: Sequence[Path]) -> None:
    """The members that exist, the manifest first."""
    with tarfile.open(fileobj=file, mode="w") as archive:
        for member in members:
            if member.exists():
                archive.add(member, arcname=member.name, recursive=False)


def restore(settings: Settings, source: Path) -> Manifest:
    """Fill a new data directory, or an empty database, from a backup; returns its manifest.

    Raises BackupError when the backup cannot be read, was made by a newer memd, or the place is not empty.
    """
    return _restore(settings, source)[0]


def verify(source: Path) -> tuple[Manifest, list[Difference]]:
    """Restore a backup into a temporary cluster; its manifest, and each table that differs from it.

    Raises BackupError when the backup cannot be read, or was made by a newer memd.
    """
    with tempfile.TemporaryDirectory(prefix="memd-verify-") as name:
        Path(name).chmod(0o711)  # under root, Postgres runs as its own user and has to reach its folder
        manifest, restored = _restore(Settings(data_dir=Path(name) / "data", database_url=None), source)
    if not manifest.tables:
        raise BackupError(f"{source} was made by memd {manifest.version}, which recorded no hashes to compare with")
    tables = sorted(manifest.tables.keys() | restored.keys())
    compared = (Difference(table, manifest.tables.get(table), restored.get(table)) for table in tables)
    return manifest, [each for each in compared if each.recorded != each.restored]


def _restore(settings: Settings, source: Path) -> tuple[Manifest, dict[str, Digest]]:
    """As `restore`; also the digests of the restored tables, before the restore itself is audited."""
    place = next(each for each in (settings.data_dir, *settings.data_dir.resolve().parents) if each.is_dir())
    with _scratch(place, f"{source} cannot be restored in {place}") as folder:
        manifest = _unpack(source, folder)
        if not migrate.knows(manifest.revision):
            raise BackupError(
                f"{source} was made by a newer memd: its tables are at revision {manifest.revision}, those of this memd "
                f"at {migrate.head()}; restore it with the memd that wrote it, or with a newer one"
            )
        with _undone_by_failure(settings):
            with database(settings) as conninfo:
                migrate.migrate(conninfo, manifest.revision)
                _refuse_filled(conninfo, settings)
                with psycopg.connect(conninfo, autocommit=True) as connection:
                    with connection.transaction():
                        load(connection, folder / DUMP, None if settings.database_url else settings.data_dir)
                    connection.execute("ANALYZE")
                    restored = table_digests(connection)
                _record(conninfo, manifest.revision, "restore")
            _put_key(folder / KEY_FILE, settings.data_dir / KEY_FILE)
    return manifest, restored


@contextmanager
def _undone_by_failure(settings: Settings) -> Generator[None]:
    """Remove the cluster that the block made when it fails: what was half restored would go on taking room.

    The block begins with the cluster: in the minutes that a large backup is unpacked, another memd may make its own.
    """
    is_new = settings.database_url is None and not has_cluster(settings.data_dir)
    try:
        yield
    except DataDirectoryInUseError:
        raise  # another memd is making its own there
    except BaseException:
        if is_new:
            shutil.rmtree(settings.data_dir / "postgres", ignore_errors=True)
        raise


def _unpack(source: Path, folder: Path) -> Manifest:
    """The members of a backup in the folder, and its manifest."""
    try:
        _extract(source, folder)
        manifest = Manifest.from_json((folder / MANIFEST).read_text())
    except FileNotFoundError as error:
        if not source.exists():
            raise BackupError(f"there is no file {source}") from error
        part = Path(str(error.filename)).name
        raise BackupError(f"{source} is not a backup of memd: a part of it ({part}) is missing") from error
    except (tarfile.TarError, RecursionError) as error:  # tarfile reads headers before headers by recursion
        raise BackupError(
            f"{source} is not a backup of memd: not a tar file, or a damaged or compressed one"
        ) from error
    except (BackupError, ValueError) as error:
        raise BackupError(f"{source} is not a backup of memd: {error}") from error
    if manifest.format != FORMAT or not (folder / DUMP).exists():
        raise BackupError(f"{source} is not a backup that memd {VERSION} can read")
    return manifest


def _extract(source: Path, folder: Path) -> None:
    largest = max(MAX_SMALL_MEMBER_BYTES, MAX_EXPANSION * source.stat().st_size)
    with tarfile.open(source, "r:", tarinfo=_Member) as archive:  # uncompressed: every header is bounded by the file
        for number, member in enumerate(archive):
            if number >= MAX_MEMBERS:
                raise BackupError("it has too many parts")
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or member.name not in {MANIFEST, DUMP, KEY_FILE}:
                continue
            if member.size > (largest if member.name == DUMP else MAX_SMALL_MEMBER_BYTES):
                raise BackupError(f"its {member.name} is too large")
            with content, (folder / member.name).open("wb") as file:
                shutil.copyfileobj(content, file)


def _refuse_filled(conninfo: str, settings: Settings) -> None:
    with psycopg.connect(conninfo) as connection:
        row = connection.execute("SELECT EXISTS (SELECT FROM app_user)").fetchone()
    if row and row[0]:
        place = "the database" if settings.database_url else f"the data directory {settings.data_dir}"
        raise BackupError(f"{place} is in use already; restore into an empty one")


def _put_key(found: Path, target: Path) -> None:
    """The key file of the backup, unless the backup has none or there is one already."""
    with suppress(FileExistsError, FileNotFoundError):
        data = found.read_bytes()
        target.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)


def _program(name: str, conninfo: str, options: Sequence[str]) -> None:
    """Run a program of Postgres on the database; a password goes through the environment, not through the command line."""
    parts = {key: str(value) for key, value in conninfo_to_dict(conninfo).items()}
    environment = {**os.environ, **({"PGPASSWORD": parts.pop("password")} if "password" in parts else {})}
    command = [str(wheel_programs() / name), f"--dbname={make_conninfo('', **parts)}", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    if done.returncode:
        raise BackupError(f"{name} failed: {done.stderr.strip()[-800:]}")
