"""The operating system's user that owns the cluster and runs Postgres: memd's own, or the service user under root.

Postgres refuses to run as root. Nothing here widens anyone's rights: a folder that the user may not enter is named
and refused.
"""

import os
import pwd
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memd.db.embedded.service_user import service_user

SHARED = "nobody"
"""The account under which earlier releases of memd ran Postgres for root; its clusters change owner."""

_FIRST_CLOSED = 'for folder do [ -x "$folder" ] || { printf %s "$folder"; exit 0; }; done'


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """A user by name and numbers; `other` says that it is not the user that memd itself runs as."""

    name: str
    uid: int
    gid: int
    other: bool

    def process_options(self) -> Mapping[str, Any]:
        """The keyword arguments that make `subprocess` run a program as this user, outside every private folder."""
        common = {"cwd": "/", "umask": 0o077, "env": {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}}
        return {**common, "user": self.uid, "group": self.gid, "extra_groups": ()} if self.other else common

    def take(self, path: Path) -> None:
        """Make this user the owner of `path`; of a link, never of its target."""
        if self.other:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def admit(self, path: Path, mode: int) -> None:
        """Give a file or folder of memd's own this mode and this user's group, so that the user has the rights of the group."""
        if self.other:
            os.chown(path, -1, self.gid, follow_symlinks=False)
        path.chmod(mode)


def server_account(cluster: Path) -> ServerAccount:
    """The user for the cluster in this folder: under root the folder's owner, or the service user.

    It is the service user before there is a cluster, and for a cluster that belongs to SHARED.
    """
    if os.geteuid() != 0:
        return _account(os.geteuid(), os.getegid(), other=False)
    if cluster.exists() and (owner := cluster.lstat()).st_uid not in {0, shared_uid()}:
        return _account(owner.st_uid, owner.st_gid, other=True)
    user = service_user()
    return _account(user.pw_uid, user.pw_gid, other=True)


def shared_uid() -> int | None:
    """The number of the user SHARED, None where there is none."""
    try:
        return pwd.getpwnam(SHARED).pw_uid
    except KeyError:
        return None


def first_closed_folder(account: ServerAccount, folder: Path) -> Path | None:
    """The topmost of `folder` and its parents that this user may not enter, judged by the kernel as that user."""
    path = [*reversed(folder.parents), folder]
    command = ["/bin/sh", "-c", _FIRST_CLOSED, "sh", *path]
    completed = subprocess.run(command, capture_output=True, text=True, check=True, **account.process_options())  # noqa: S603 - the words are ours
    return Path(completed.stdout) if completed.stdout else None


def _account(uid: int, gid: int, *, other: bool) -> ServerAccount:
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return ServerAccount(name, uid, gid, other)
