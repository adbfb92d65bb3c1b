"""`memd restore` takes the rows of a backup and runs nothing that stands in it."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from memd import backup
from memd.db.errors import BackupError
from memd.settings import EmbedModel, Settings
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
OUTSIDE = "/tmp/memd-restored-program"  # noqa: S108 - Postgres must be able to write it


@pytest.fixture(scope="module")
def file(enterable_folder: Path, migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup with one user."""
    target = tmp_path_factory.mktemp("backup") / "memd.backup"
    folder = enterable_folder / "to-back-up"
    served = Daemon(folder, {"MEMD_EMBED_MODEL": "wordllama"}, template=migrated).start()
    served.stop()
    backup.backup(Settings(data_dir=folder, embed_model=EmbedModel.WORDLLAMA), target)
    return target


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
)
def test_foreign_statements_are_refused_and_not_run(
    file: Path, tmp_path: Path, enterable_folder: Path, foreign: bytes
) -> None:
    def change(dump: bytes) -> bytes:
        own = statement(dump, b"app_user")
        assert len(foreign) <= len(own)
        return dump.replace(own, foreign.ljust(len(own), b"-"))

    evil = altered(file, tmp_path / "evil.backup", change)
    settings = Settings(data_dir=enterable_folder / f"evil-{abs(hash(foreign))}", embed_model=EmbedModel.WORDLLAMA)
    with pytest.raises(BackupError, match=r"a backup of memd never has|not a table of memd"):
        backup.restore(settings, evil)
    assert not Path(OUTSIDE).exists()


def test_a_dump_that_is_cut_off_restores_nothing(file: Path, tmp_path: Path, enterable_folder: Path) -> None:
    cut = altered(file, tmp_path / "cut.backup", lambda dump: dump[: len(dump) * 2 // 3])
    folder = enterable_folder / "cut"
    with pytest.raises(BackupError, match="the data cannot be read"):
        backup.restore(Settings(data_dir=folder, embed_model=EmbedModel.WORDLLAMA), cut)
    restored = backup.restore(Settings(data_dir=folder, embed_model=EmbedModel.WORDLLAMA), file)
    assert restored.revision
