"""The operating system's user that owns the cluster and runs Postgres: memd's own, or an unprivileged one under root.

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

from memd.db.errors import DatabaseStartError

UNPRIVILEGED = ("memd", "nobody")
"""Users that serve under root, the first that exists; an administrator may create `memd` to keep it apart."""

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
        """Give `path` to this user."""
        if self.other:
            os.chown(path, self.uid, self.gid)


def server_account(cluster: Path) -> ServerAccount:
    """The user for the cluster in this folder: under root the folder's owner, before it exists one of UNPRIVILEGED."""
    if os.geteuid() != 0:
        return _account(os.geteuid(), os.getegid(), other=False)
    if cluster.exists() and (owner := cluster.stat()).st_uid != 0:
        return _account(owner.st_uid, owner.st_gid, other=True)
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in UNPRIVILEGED:
        if name in known:
            return _account(known[name].pw_uid, known[name].pw_gid, other=True)
    raise DatabaseStartError(
        f"Postgres never runs as root and none of the users {', '.join(UNPRIVILEGED)} exists; create one, "
        "or run memd as an ordinary user"
    )


def first_closed_folder(account: ServerAccount, folder: Path) -> Path | None:
    """The topmost of `folder` and its parents that this user may not enter, judged by the kernel as that user."""
    path = [*reversed(folder.parents), folder]
    command = ["/bin/sh", "-c", _FIRST_CLOSED, "sh", *path]
    said = subprocess.run(command, capture_output=True, text=True, check=True, **account.process_options())  # noqa: S603 - the words are ours
    return Path(said.stdout) if said.stdout else None


def _account(uid: int, gid: int, *, other: bool) -> ServerAccount:
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return ServerAccount(name, uid, gid, other)
