"""A file from a stranger that only looks like a backup is one message, which commands no terminal and fills no disk."""

import io
import json
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memd import backup
from memd.db.errors import BackupError
from memd.db.schema import migrate
from memd.main import main
from memd.settings import Settings

MIB = 2**20


def manifest(**changed: Any) -> bytes:
    fields = {"format": 1, "version": "0.8.20", "revision": migrate.head(), "created_at": 1, "tables": {}}
    return json.dumps(fields | changed).encode()


def archive(file: Path, described: bytes, dump: bytes = b"no dump", mode: Any = "w") -> Path:
    with tarfile.open(file, mode) as packed:
        for name, content in ((backup.MANIFEST, described), (backup.DUMP, dump)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return file


def restore(file: Path) -> Result:
    return CliRunner().invoke(main, ["restore", str(file), "--data-dir", str(file.parent / "data")])


@pytest.mark.parametrize(
    "described",
    [
        b"[" * 200_000,
        b"[]",
        b"7",
        manifest(revision=None),
        manifest(revision=["a"]),
        manifest(version=5),
        manifest(tables=[1]),
        manifest(tables={"memory": 5}),
        manifest(tables={"memory": {"rows": "many", "hash": ""}}),
    ],
    ids=lambda described: described.decode()[:60],
)
def test_a_manifest_of_another_form_is_refused_in_words(described: bytes, tmp_path: Path) -> None:
    message = restore(archive(tmp_path / "evil.tar", described))
    assert message.exit_code == 1
    assert "is not a backup of memd: its manifest" in message.output


def test_what_a_file_says_of_itself_commands_no_terminal(tmp_path: Path) -> None:
    message = restore(archive(tmp_path / "evil.tar", manifest(revision="\x1b]0;owned\x07\x9b2J\u202e")))
    assert "was made by a newer memd" in message.output
    assert not set(message.output) & set("\x1b\x07\x9b\u202e")


def holes(file: Path) -> Path:
    """A tar of a few kilobytes, whose dump is 64 MiB of nothing."""
    with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as packed:
        described = tarfile.TarInfo(backup.MANIFEST)
        described.size = len(manifest())
        packed.addfile(described, io.BytesIO(manifest()))
        dump = tarfile.TarInfo(backup.DUMP)
        dump.type = tarfile.GNUTYPE_SPARSE
        header = bytearray(dump.tobuf(tarfile.GNU_FORMAT))
        header[386:410] = f"{64 * MIB:011o}\0{0:011o}\0".encode()  # one part, at the end and empty
        header[483:495] = f"{64 * MIB:011o}\0".encode()
        header[148:156] = b" " * 8
        header[148:156] = f"{sum(header):06o}\0 ".encode()
        assert packed.fileobj is not None
        packed.fileobj.write(header)
        packed.offset += len(header)
    return file


def long_header(file: Path) -> Path:
    """A tar whose first member has 8 MiB of attributes, which are read as a whole."""
    described = tarfile.TarInfo(backup.MANIFEST)
    described.pax_headers = {"comment": "a" * 8 * MIB}
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as packed:
        packed.addfile(described)
    return file


def nested_headers(file: Path) -> Path:
    """A tar whose first member has three thousand headers before its own."""
    header = tarfile.TarInfo("header")
    header.type = tarfile.XHDTYPE
    file.write_bytes(header.tobuf(tarfile.USTAR_FORMAT) * 3_000 + bytes(1024))
    return file


def many_members(file: Path) -> Path:
    """A tar with an empty member ten thousand times, after those of a backup."""
    with tarfile.open(archive(file, manifest()), "a") as packed:
        for _ in range(10_000):
            packed.addfile(tarfile.TarInfo("empty"))
    return file


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (holes, "its database.dump is too large"),
        (lambda file: archive(file, manifest(), b"\0" * 64 * MIB, "w:gz"), "a damaged or compressed one"),
        (long_header, "a header in it is too large"),
        (nested_headers, "not a tar file, or a damaged or compressed one"),
        (many_members, "it has too many parts"),
    ],
    ids=["holes", "compressed", "long_header", "nested_headers", "many_members"],
)
def test_a_small_file_does_not_become_a_large_one(make: Callable[[Path], Path], told: str, tmp_path: Path) -> None:
    file = make(tmp_path / "bomb.tar")
    with pytest.raises(BackupError, match=rf"bomb\.tar is not a backup of memd: .*{re.escape(told)}"):
        backup.restore(Settings(data_dir=tmp_path / "data"), file)
