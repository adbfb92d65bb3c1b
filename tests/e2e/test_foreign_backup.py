"""`memd restore` takes the rows of a backup and runs nothing that it contains."""

import io
import re
import struct
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memd import backup
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import BackupError
from memd.domain.ids import new_id
from memd.settings import EmbedModel, Settings
from tests.support.postgres import FAST

pytestmark = pytest.mark.e2e
OUTSIDE = "/tmp/memd-restored-program"  # noqa: S108 - Postgres must be able to write it
USER = (
    "INSERT INTO app_user (user_id, name, tier, admin, active, created_at) VALUES (%s, 'Ann', 'free', false, true, 1)"
)


@pytest.fixture(scope="module")
def server(enterable_folder: Path, migrated: Path) -> Iterator[str]:
    """A Postgres of these tests' own, as memd makes it, with the migrated database `memd`; the login is its owner's."""
    folder = enterable_folder / "foreign"
    subprocess.run(["cp", "-a", migrated, folder], check=True)  # with the owners of the files
    with EmbeddedPostgres(folder, FAST) as running:
        yield running.conninfo


def place(server: str, folder: Path, name: str) -> Settings:
    """The settings of a memd without users, in a database of this name."""
    with psycopg.connect(server, dbname="postgres", autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE memd".encode())
    database_url = make_conninfo(server, dbname=name)
    return Settings(data_dir=folder / name, embed_model=EmbedModel.WORDLLAMA, database_url=database_url)


@pytest.fixture(scope="module")
def file(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup with one user."""
    folder = tmp_path_factory.mktemp("backup")
    settings = place(server, folder, "to_back_up")
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url) as owner:
        owner.execute(USER, [new_id()])
    backup.backup(settings, folder / "memd.backup")
    return folder / "memd.backup"


def altered(file: Path, target: Path, change: Callable[[bytes], bytes]) -> Path:
    """A copy of the backup with another dump."""
    with tarfile.open(file) as source, tarfile.open(target, "w") as copy:
        for member in source:
            data = source.extractfile(member)
            assert data is not None
            content = data.read()
            if member.name == backup.DUMP:
                content = change(content)
                member.size = len(content)
            copy.addfile(member, io.BytesIO(content))
    return target


def statement(dump: bytes, table: bytes) -> bytes:
    start = dump.index(b"COPY public." + table + b" (")
    return dump[start : dump.index(b";", start) + 1]


@pytest.mark.parametrize(
    "foreign",
    [
        b"COPY public.app_user FROM PROGRAM 'touch /tmp/memd-restored-program'; --",
        b"ALTER ROLE memd_app SUPERUSER; COPY public.app_user FROM stdin; --",
        b"COPY public.pg_authid (rolname) FROM stdin; --",
    ],
    ids=["a_program", "a_role", "a_catalog"],
)
def test_foreign_statements_are_refused_and_not_run(
    file: Path, tmp_path: Path, server: str, foreign: bytes, request: pytest.FixtureRequest
) -> None:
    def change(dump: bytes) -> bytes:
        own = statement(dump, b"app_user")
        assert len(foreign) <= len(own)
        return dump.replace(own, foreign.ljust(len(own), b"-"))

    evil = altered(file, tmp_path / "evil.backup", change)
    name = "evil_" + request.node.callspec.id
    with pytest.raises(BackupError, match=r"a backup of memd never has|not a table of memd"):
        backup.restore(place(server, tmp_path, name), evil)
    assert not Path(OUTSIDE).exists()


def test_a_dump_that_is_cut_off_restores_nothing(file: Path, tmp_path: Path, server: str) -> None:
    cut = altered(file, tmp_path / "cut.backup", lambda dump: dump[: len(dump) * 2 // 3])
    settings = place(server, tmp_path, "cut")
    with pytest.raises(BackupError, match="the data cannot be read"):
        backup.restore(settings, cut)
    restored = backup.restore(settings, file)
    assert restored.revision


def refilled(dump: bytes, rows: bytes) -> bytes:
    """The dump with other compressed rows of app_user, in a block at its end."""
    for block in re.finditer(rb"\x01(\0....)\0(....)(\x78.*?)\0\0\0\0\0", dump, re.DOTALL):
        with suppress(zlib.error):
            if b"Ann" in zlib.decompressobj().decompress(block[3]):
                break
    else:
        raise AssertionError("no block holds the user")
    packed = zlib.compress(rows)
    own, new = (b"\2" + struct.pack("<Q", at) for at in (block.start(), len(dump)))
    assert dump.count(own) == 1
    end = b"\0" * 5
    return dump.replace(own, new) + b"\1" + block[1] + b"\0" + struct.pack("<I", len(packed)) + packed + end


def row(number: int, name: bytes, columns: bytes) -> bytes:
    values = {b"user_id": str(UUID(int=number)).encode(), b"name": name, b"tier": b"free", b"created_at": b"1"}
    values |= {b"admin": b"f", b"active": b"t"}
    return b"\t".join(values.get(column, rb"\N") for column in columns.split(b", ")) + b"\n"


@pytest.mark.parametrize(
    ("kind", "told"), [("long", "a row of more than 256 MiB"), ("double", "its rows do not fit: duplicate key")]
)
def test_rows_that_cannot_be_are_refused_in_words(
    file: Path, tmp_path: Path, server: str, kind: str, told: str
) -> None:
    """A dump of some hundred kilobytes may hold a row of gigabytes, which is never held in memory as a whole."""

    def change(dump: bytes) -> bytes:
        columns = statement(dump, b"app_user").partition(b"(")[2].partition(b")")[0]
        rows = row(1, b"a" * (300 << 20), columns) if kind == "long" else row(1, b"Ann", columns) * 2
        return refilled(dump, rows + b"\\.\n\n\n")

    evil = altered(file, tmp_path / f"{kind}.backup", change)
    assert evil.stat().st_size < 1 << 20
    with pytest.raises(BackupError, match=told):
        backup.restore(place(server, tmp_path, kind), evil)
