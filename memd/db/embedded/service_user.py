"""The system user that runs Postgres when memd is started by root: its own user, made when it is missing.

A user that other services share, such as nobody, would give each of them the database: the owner of the cluster can read
its files. So there is no fallback: if the user cannot be created, the error names the command that creates it.
"""

import fcntl
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from memd.db.errors import DatabaseStartError

NAME: Final = "memd"
LOCKED_S: Final = 5.0
"""How long a run is retried while another process changes the list of users."""
_USER_FILES: Final = "/etc"
_HOME: Final = ("-d", "/nonexistent", "-s", "/usr/sbin/nologin")
_BY_HAND: Final = f"useradd --system --user-group --no-create-home --shell /usr/sbin/nologin {NAME}"
_COMMANDS: Final = (
    (("useradd", "--system", "--user-group", "--no-create-home", *_HOME, "--comment", "memd Postgres", NAME),),
    # Busybox has no useradd. Debian's adduser, which has other options, never comes without useradd.
    (("addgroup", "-S", NAME), ("adduser", "-S", "-D", "-H", "-h", "/nonexistent", "-s", "/sbin/nologin", "-G", NAME, NAME)),
)  # fmt: skip


class NoServiceUserError(DatabaseStartError):
    """The system user does not exist, and could not be created."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"Postgres never runs as root but as the system user '{NAME}', which does not exist and could not be created "
            f"({reason}); create it with: {_BY_HAND} (or run memd as an ordinary user)"
        )


def service_user() -> pwd.struct_passwd:
    """The system user, made now when it is missing; NoServiceUserError when that fails. Call it as root."""
    if (found := _find()) is not None:
        return found
    deadline = time.monotonic() + LOCKED_S
    with _one_at_a_time():
        while True:
            if (found := _find()) is not None:
                return found
            problem = _make()
            if problem is not None and time.monotonic() > deadline:
                raise NoServiceUserError(problem)
            if problem is not None:
                time.sleep(0.2)


@contextmanager
def _one_at_a_time() -> Generator[None]:
    """No other memd creates the user meanwhile: of two useradd, the second replaces the user of the first, number and all."""
    folder = os.open(_USER_FILES, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _find() -> pwd.struct_passwd | None:
    try:
        found = pwd.getpwnam(NAME)
    except KeyError:
        return None
    if found.pw_uid == 0:
        raise NoServiceUserError("the user of that name is root")
    return found


def _make() -> str | None:
    """Make the user with the first tool that this system has; why it did not work, None when it did."""
    for commands in _COMMANDS:
        if shutil.which(commands[-1][0]) is None:
            continue
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the words are ours
            if done.returncode and command is commands[-1]:
                return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"{command[0]} failed"
        return None
    return "neither useradd nor adduser is installed"
