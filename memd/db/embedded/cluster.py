"""The files of the embedded cluster, created atomically and checked at every start, and the folder of its socket.

The cluster is UTF-8 with checksums. Texts sort and fold by PostgreSQL's own C.UTF-8, the same on every machine; the
character classes that full-text search splits words by come from the system's C.UTF-8, since the plain C locale takes
every character beyond ASCII, dashes and quotation marks included, for a letter.
"""

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from memd.db.embedded.account import ServerAccount, first_closed_folder
from memd.db.embedded.binaries import POSTGRES_MAJOR
from memd.db.errors import DataDirectoryNotReachableError, DataDirectoryNotUsableError, PostgresFailedError

SUPERUSER = "postgres"
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 103
"""The shortest limit of the systems that memd runs on: macOS, terminating zero excluded. Linux allows 107."""
CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "C")


def create_data_directory(folder: Path, account: ServerAccount) -> None:
    """Make `folder` and its missing parents, enterable by `account`; existing ones keep their rights.

    Raises DataDirectoryNotReachableError for the topmost folder that the account may not enter.
    """
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(0o700)
        account.admit(each, 0o710 if account.other else 0o700)
    if account.other and (closed := first_closed_folder(account, folder)) is not None:
        raise DataDirectoryNotReachableError(closed, account.name)


def ensure_cluster(cluster: Path, programs: Path, account: ServerAccount) -> None:
    """Create the cluster, or check that the existing one has this PostgreSQL version.

    It is made in a sibling folder and renamed when complete, so that an interrupted first start leaves nothing behind.
    """
    if cluster.exists():
        _check_owner(cluster, account)
        if any(cluster.iterdir()):
            _check_version(cluster)
            return
    draft = cluster.with_name(f"{cluster.name}.new")
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(0o700)
    try:
        account.take(draft)
        _initdb(draft, programs, account)
    except BaseException:
        shutil.rmtree(draft)
        raise
    draft.rename(cluster)
    _sync(cluster.parent)


def _check_owner(cluster: Path, account: ServerAccount) -> None:
    if (owner := cluster.stat().st_uid) != account.uid:
        raise DataDirectoryNotUsableError(
            f"The cluster {cluster} belongs to the user with id {owner}, not to {account.name}; "
            "run memd as the user who made it (root, if it was made by root's memd), choose another --data-dir, "
            f"or, if its files were copied, give them back: chown -R {account.name} '{cluster}'"
        )


def _check_version(cluster: Path) -> None:
    marker = cluster / "PG_VERSION"
    if not marker.exists():
        raise DataDirectoryNotUsableError(
            f"{cluster} holds files but no Postgres cluster; move them away, or choose another --data-dir"
        )
    if (major := marker.read_text("ascii").strip()) != str(POSTGRES_MAJOR):
        raise DataDirectoryNotUsableError(
            f"The cluster {cluster} was created by PostgreSQL {major}; this memd ships PostgreSQL {POSTGRES_MAJOR}; "
            "back it up with the memd that wrote it, and restore the backup into an empty --data-dir"
        )


def _initdb(draft: Path, programs: Path, account: ServerAccount) -> None:
    """Run initdb with the first of CHARACTER_TYPES that this system has."""
    command = [programs / "initdb", "-D", draft, "-U", SUPERUSER, "-E", "UTF8", "--data-checksums", "--no-instructions"]
    command += ["--auth-local=peer", "--auth-host=reject"]
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    if sys.platform == "linux":
        command.append("--sync-method=syncfs")  # one call instead of a thousand: seconds on a slow disk
    output = ""
    for character_type in CHARACTER_TYPES:
        options = account.process_options()
        run = subprocess.run(  # noqa: S603 - the command is ours
            [*command, f"--lc-ctype={character_type}"], check=False, capture_output=True, text=True, **options
        )
        if run.returncode == 0:
            return
        output = run.stderr
        if "invalid locale name" not in output:
            break
    raise PostgresFailedError(f"The cluster could not be created in {draft.parent}", output.splitlines()[-12:])


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_socket_folder(data_dir: Path, account: ServerAccount) -> Path:
    """An empty folder for the socket that only `account` may enter.

    `<data_dir>/socket`, or a folder named by a hash where that path is longer than a socket's may be or holds a
    character that separates lists of sockets. Such a folder lies among other users' (XDG_RUNTIME_DIR, /tmp), so one
    that another user made first is refused with DataDirectoryNotUsableError.
    """
    folder = data_dir / "socket"
    if len(os.fsencode(folder / SOCKET_NAME)) > SOCKET_PATH_BYTES or set(",\"'") & set(str(folder)):
        runtime = os.environ.get("XDG_RUNTIME_DIR", "") if not account.other else ""
        shared = Path(runtime) if runtime and Path(runtime).is_dir() else Path("/tmp")  # noqa: S108 - verified below
        folder = shared / f"memd-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in {os.geteuid(), account.uid} or status.st_mode & 0o077:
        raise DataDirectoryNotUsableError(f"{folder} must be a private folder of {account.name}: remove it")
    account.take(folder)
    clear_socket_folder(folder)
    return folder


def clear_socket_folder(folder: Path) -> None:
    """Remove the socket and its lock file, which name a server that has ended."""
    for path in folder.glob(f"{SOCKET_NAME}*"):
        path.unlink(missing_ok=True)
