"""The program between memd and Postgres: it drops root, dies with memd, and execs Postgres.

Run by its path, `python launcher.py PARENT UID GID PROGRAM ARGUMENT…`, so that none of this happens between fork and
exec of a process with threads. On Linux the kernel sends SIGINT, Postgres' fast shutdown, when the thread that started
this program ends for whatever reason; the tie outlives exec but not a change of user, hence the order. Other systems
have no such tie: there the next start of memd ends a Postgres that was left behind.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}
"""The variables that Postgres inherits from memd's environment: PGDATA, PGPORT and so on are not passed on."""


def become(uid: int, gid: int) -> None:
    """Give up root for this user and group; nothing to do for everyone else."""
    if os.geteuid() == 0:
        os.setgroups([gid])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)


def die_with(parent: int) -> None:
    """Ask for SIGINT at the death of `parent`, and exit when it has died before the kernel was asked."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:
        sys.exit("memd ended while Postgres was starting")


if __name__ == "__main__":
    become(int(sys.argv[2]), int(sys.argv[3]))
    die_with(int(sys.argv[1]))
    os.umask(0o077)
    os.execve(sys.argv[4], sys.argv[4:], ENVIRONMENT)  # noqa: S606 - no shell is wanted
