"""Changing the owner of a cluster without following symbolic links.

The old owner may have put anything into the folder. So each entry is opened without following links and its owner is
changed only if it is a plain file or a folder, belongs to the old owner and has no second name elsewhere.
"""

import os
import stat
from pathlib import Path

from memd.db.embedded.account import ServerAccount
from memd.db.errors import DataDirectoryNotUsableError

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def change_owner(cluster: Path, owner: int, account: ServerAccount) -> None:
    """Give the cluster and all in it, which belong to the user `owner`, to `account`; may be repeated.

    DataDirectoryNotUsableError names the first entry whose owner cannot be changed; the entries before it have been
    changed.
    """
    folder = os.open(cluster, _OPEN | os.O_DIRECTORY)
    try:
        _give_folder(folder, cluster, owner, account)
    finally:
        os.close(folder)


def _give_folder(folder: int, path: Path, owner: int, account: ServerAccount) -> None:
    """The paths to handle first, so that an interrupted handover starts over."""
    for name in os.listdir(folder):
        inside = path / name
        try:
            entry = os.open(name, _OPEN, dir_fd=folder)
        except OSError as error:
            raise _refusal(inside, "is a link, or cannot be opened") from error
        try:
            _give(entry, inside, owner, account)
        finally:
            os.close(entry)
    os.fchown(folder, account.uid, account.gid)


def _give(entry: int, path: Path, owner: int, account: ServerAccount) -> None:
    status = os.fstat(entry)
    if status.st_uid not in {owner, account.uid}:
        raise _refusal(path, f"belongs to the user with id {status.st_uid}")
    if stat.S_ISDIR(status.st_mode):
        _give_folder(entry, path, owner, account)
    elif not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        raise _refusal(path, "is not a regular file, or has a second hard link")
    else:
        os.fchown(entry, account.uid, account.gid)


def _refusal(path: Path, why: str) -> DataDirectoryNotUsableError:
    return DataDirectoryNotUsableError(
        f"The cluster cannot be handed over to the user that runs Postgres: {path} {why}; check it, then remove it "
        "or change the owner yourself with: chown -hR"
    )
