"""A backup or a restore that the disk has no room for: one message that says so, and no half-restored database."""

import errno
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result

from memd import backup
from memd.db import dump_rows
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.main import main
from memd.settings import Settings
from tests.support.postgres import FAST

pytestmark = pytest.mark.e2e
USERS = """INSERT INTO app_user (user_id, name, tier, admin, active, created_at)
SELECT gen_random_uuid(), 'Ann ' || number, 'free', false, true, 1 FROM generate_series(1, 40000) AS number"""


@pytest.fixture(scope="module")
def file(enterable_folder: Path) -> Iterator[Path]:
    """A backup with some MiB of small rows."""
    file = enterable_folder / "small-rows.tar"
    with EmbeddedPostgres(enterable_folder / "small-rows", FAST) as server:
        migrate(server.conninfo)
        with psycopg.connect(server.conninfo) as owner:
            owner.execute(USERS)
        backup.backup(Settings(data_dir=enterable_folder / "no-key", database_url=server.conninfo), file)
    yield file
    file.unlink()


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def no_room(*_given: Any, **_options: Any) -> Any:
    """What the operating system answers for a file that does not fit."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def told(result: Result) -> list[str]:
    """The lines of a failure; it is no traceback."""
    assert (type(result.exception), result.exit_code) == (SystemExit, 1)
    return result.output.splitlines()


def test_a_restore_stops_before_the_disk_is_full_and_leaves_nothing(
    file: Path, enterable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = enterable_folder / "restored-small-rows"
    with monkeypatch.context() as patched:
        patched.setattr(dump_rows, "SPARE_BYTES", 2**60)
        failure, mended = told(call("restore", file, "--data-dir", folder))
    assert "does not fit on the disk of" in failure
    assert mended.startswith("To mend it: make room")
    assert not (folder / "postgres").exists()
    assert call("restore", file, "--data-dir", folder).exit_code == 0


def test_a_cluster_that_another_memd_made_during_the_unpacking_stays(
    file: Path, enterable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = enterable_folder / "served-meanwhile"
    unpack = backup._unpack

    def unpack_slowly(source: Path, scratch: Path) -> backup.Manifest:
        with EmbeddedPostgres(folder, FAST) as server:
            migrate(server.conninfo)
            with psycopg.connect(server.conninfo) as owner:
                owner.execute(USERS)
        return unpack(source, scratch)

    monkeypatch.setattr(backup, "_unpack", unpack_slowly)
    told(call("restore", file, "--data-dir", folder))
    with EmbeddedPostgres(folder, FAST) as server, psycopg.connect(server.conninfo) as owner:
        assert owner.execute("SELECT count(*) FROM app_user").fetchone() == (40_000,)


def test_a_backup_that_cannot_be_unpacked_is_still_called_a_backup(
    file: Path, enterable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "copyfileobj", no_room)
    failure, mended = told(call("restore", file, "--data-dir", enterable_folder / "unpacked"))
    assert "cannot be restored in" in failure
    assert "not a backup" not in failure
    assert mended.startswith("To mend it: make room")


def test_a_backup_that_cannot_be_written_is_one_message(
    file: Path, enterable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tarfile, "open", no_room)
    target = file.with_name("unwritten.tar")
    failure, mended = told(call("backup", target, "--data-dir", enterable_folder / "small-rows"))
    assert f"{target} cannot be written" in failure
    assert mended.startswith("To mend it: make room")
    assert not target.exists()
